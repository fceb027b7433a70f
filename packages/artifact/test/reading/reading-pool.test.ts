import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "@rea/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DigestJob } from "../../src/pool/reading-job.js";
import { ReadingPool } from "../../src/pool/reading-pool.js";

const content = Buffer.alloc(3_000_000, "a content of three megabytes ");
let home: string;
let handle: number;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "rea-pool-"));
  writeFileSync(join(home, "content"), content);
  handle = openSync(join(home, "content"), "r");
});

afterAll(() => {
  closeSync(handle);
  rmSync(home, { recursive: true, force: true });
});

function job(offset: number, length: number): DigestJob {
  return { kind: "digest", handle, runs: Float64Array.of(offset, length), plainBytes: -1, crc32: false, algorithms: [], blocks: [], headBytes: 8 };
}

test("jobs of many sizes are answered, each with its own answer", async () => {
  const pool = new ReadingPool({ threads: 2, signal: new AbortController().signal });
  const lengths = Array.from({ length: 40 }, (_, index) => 1 + index * 70_000);
  const answers = await Promise.all(lengths.map(async (length) => pool.run(job(7, length), length)));
  await pool.close();
  expect(answers.map((answer) => answer?.kind === "digest" && answer.sha256)).toEqual(lengths.map((length) => sha256Hex(content.subarray(7, 7 + length))));
});

test("bytes that are not there fail, and holes read as zeros", async () => {
  const pool = new ReadingPool({ threads: 1, signal: new AbortController().signal });
  const beyond = await pool.run(job(2_999_999, 5_000_000), 5_000_000);
  const hole = await pool.run({ ...job(0, 0), runs: Float64Array.of(0, 4, -1, 6_000_000, 4, 4) }, 6_000_008);
  await pool.close();
  expect(beyond).toEqual({ kind: "failed" });
  expect(hole?.kind === "digest" && hole.sha256).toBe(sha256Hex(Buffer.concat([content.subarray(0, 4), Buffer.alloc(6_000_000), content.subarray(4, 8)])));
});

test("a thread that cannot be started leaves the work to who asked for it", async () => {
  const entry = new URL("file:///there/is/no/such/module.js");
  const pool = new ReadingPool({ threads: 2, signal: new AbortController().signal, entry });
  const large = content.byteLength * 2;
  expect(await Promise.all([pool.run(job(0, 3_000_000), large), pool.run(job(0, 3_000_000), large)])).toEqual([{ kind: "failed" }, { kind: "failed" }]);
  expect(pool.run(job(0, 3_000_000), large)).toBeUndefined();
  const small = await pool.run(job(0, 10), 10);
  await pool.close();
  expect(small?.kind).toBe("digest");
});

test("a cancel answers what waits, and closing twice is safe", async () => {
  const stop = new AbortController();
  const pool = new ReadingPool({ threads: 1, signal: stop.signal });
  const waiting = Array.from({ length: 20 }, async () => pool.run({ ...job(0, 0), runs: Float64Array.of(-1, 20_000_000_000) }, 20_000_000_000));
  stop.abort();
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ kind: "cancelled" })));
  expect(await pool.run(job(0, 10), 10)).toEqual({ kind: "cancelled" });
  await pool.close();
  await pool.close();
});
