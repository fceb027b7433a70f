import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalJson, deepOperations, silentProgress } from "@rea/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EnginePool } from "../src/engine-pool.js";
import { startForExecutable, startThread, type EngineThread } from "../src/engine-thread.js";
import { createNativeProvider } from "../src/native-provider.js";
import { ReadAhead } from "../src/worker/read-ahead.js";
import { fileTarget } from "./file-target.js";

const scripted = new URL("./fixtures/scripted-worker.mjs", import.meta.url);
const built = new URL("../dist/worker.js", import.meta.url);
const list = "/bin/ls";
const absent = process.platform === "linux" && existsSync(list) ? undefined : `${list} is not here`;

let root = "";
const started: EngineThread[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rea-early-"));
});
afterEach(async () => {
  for (const { worker } of started.splice(0)) await worker.terminate();
  rmSync(root, { recursive: true, force: true });
});

function kept(thread: EngineThread): EngineThread {
  started.push(thread);
  return thread;
}

const context = () => ({ signal: new AbortController().signal, progress: silentProgress });
const question = { operation: "a", build: () => ({ params: {}, session: null }) };

describe("a thread that was started before its target was known", () => {
  test("serves the first target, and others get threads of their own", async () => {
    writeFileSync(join(root, "x"), "x");
    const target = fileTarget(join(root, "x"));
    const pool = new EnginePool({ entry: scripted });
    const early = kept(startThread({ entry: scripted }));
    pool.adopt(early);
    const first = pool.acquire(target);
    const other = pool.acquire({ ...target, architecture: "arm64" });
    expect(await first.worker.call(question, context())).toMatchObject({ result: "a" });
    expect(await other.worker.call(question, context())).toMatchObject({ result: "a" });
    await other.release({ keep: false });
    expect(early.isRunning()).toBe(true);
    await first.release({ keep: false });
    expect(early.isRunning()).toBe(false);
  });

  test("is replaced when it has died meanwhile", async () => {
    writeFileSync(join(root, "dies.mjs"), "process.exit(3);");
    const early = kept(startThread({ entry: new URL(`file://${join(root, "dies.mjs")}`) }));
    await new Promise((resolve) => early.worker.once("exit", resolve));
    const pool = new EnginePool({ entry: scripted });
    pool.adopt(early);
    const lease = pool.acquire(fileTarget(join(root, "dies.mjs")));
    expect(await lease.worker.call(question, context())).toMatchObject({ result: "a" });
    await lease.release({ keep: false });
  });

  test("ends with the pool when no target comes, and with a worker that was never asked", async () => {
    const pool = new EnginePool({ entry: scripted });
    const unused = kept(startThread({ entry: scripted }));
    pool.adopt(unused);
    await pool.closeIdle();
    expect(unused.isRunning()).toBe(false);
    const taken = kept(startThread({ entry: scripted }));
    pool.adopt(taken);
    writeFileSync(join(root, "x"), "x");
    await pool.acquire(fileTarget(join(root, "x"))).release({ keep: false });
    expect(taken.isRunning()).toBe(false);
  });
});

describe("words of a command", () => {
  test("start a thread when one of them is the path of an executable", () => {
    const path = join(root, "program");
    for (const magic of ["\x7fELF", "MZ\x90\0", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"]) {
      writeFileSync(path, Buffer.from(`${magic} and more`, "latin1"));
      expect(startForExecutable(["--json", "main", path], scripted)).toSatisfy((thread: EngineThread | undefined) => thread !== undefined && kept(thread).isRunning());
    }
  });

  test("start none for other files, directories, pipes, options and words that are no paths", () => {
    writeFileSync(join(root, "text"), "#!/bin/sh\n");
    writeFileSync(join(root, "short"), "MZ");
    writeFileSync(join(root, "-elf"), "\x7fELF\x02");
    symlinkSync(join(root, "nowhere"), join(root, "link"));
    const paths = ["text", "short", "link", ".", "absent"].map((name) => join(root, name));
    if (process.platform !== "win32") {
      execFileSync("mkfifo", [join(root, "pipe")]);
      paths.push(join(root, "pipe"));
    }
    expect(startForExecutable([...paths, "main", "", "a\0b"], scripted)).toBeUndefined();
    expect(startForExecutable(["-elf"], scripted)).toBeUndefined();
    writeFileSync(join(root, "late"), "\x7fELF\x02");
    expect(startForExecutable([...new Array<string>(8).fill("word"), join(root, "late")], scripted)).toBeUndefined();
  });
});

describe.skipIf(absent !== undefined)("what a thread reads ahead", () => {
  test("is the target's file when it is the same one, and is given once", async () => {
    const ahead = new ReadAhead();
    await ahead.read(list);
    const target = fileTarget(list);
    expect(ahead.take(target)?.source.size).toBe(target.bytes);
    expect(ahead.take(target)).toBeUndefined();
  });

  test("is dropped when the target is another file, or the file was replaced or changed since", async () => {
    const path = join(root, "program");
    const taken = async (change: () => void, more = {}) => {
      rmSync(path, { force: true });
      writeFileSync(path, "\x7fELF and nothing more");
      const ahead = new ReadAhead();
      await ahead.read(path);
      const target = fileTarget(path, more);
      change();
      return ahead.take(target);
    };
    expect(await taken(() => undefined)).toBeDefined();
    expect(await taken(() => undefined, { path: list })).toBeUndefined();
    expect(await taken(() => undefined, { sha256: "0".repeat(64) })).toBeUndefined();
    expect(await taken(() => writeFileSync(path, "longer than before, by a few bytes"))).toBeUndefined();
    expect(await taken(() => rmSync(path))).toBeUndefined();
  });

  test("is nothing where there is nothing to read", async () => {
    const ahead = new ReadAhead();
    for (const path of [join(root, "absent"), root, "a\0b"]) await ahead.read(path);
    expect(ahead.take(fileTarget(list))).toBeUndefined();
  });

  test("leaves answers byte for byte as they are", async () => {
    const answers = async (pool: EnginePool): Promise<string> => {
      const provider = createNativeProvider({ stateDirectory: join(root, "state"), clientName: "test", clientVersion: "1", pool });
      const target = fileTarget(list);
      const profile = await provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
      const client = await provider.createClient(target, profile, { runId: "run" });
      const procedures = await client.execute("list_procedures", deepOperations.list_procedures.params.parse({ limit: 50 }), context());
      const segments = await client.execute("list_segments", deepOperations.list_segments.params.parse({}), context());
      await client.close();
      return canonicalJson([procedures, segments]);
    };
    const early = new EnginePool({ entry: built });
    early.adopt(kept(startThread({ entry: built, early: { path: list } })));
    expect(await answers(early)).toBe(await answers(new EnginePool({ entry: built })));
  });
});
