import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { discardExtraction, extract, openArtifact } from "../../src/index.js";
import { archive, member } from "../tar/build-tar.js";

const times = Number(process.env["REA_INTERRUPTIONS"] ?? "3");
/** Processes are slow to start on a busy machine. */
const timeout = 60_000 + times * 30_000;
const library = join(import.meta.dirname, "..", "..", "dist", "index.js");
const root = mkdtempSync(join(tmpdir(), "rea-interrupted-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

// Around the private place lies what nobody may write to.
const place = join(root, "around", "tmp");
const victim = join(root, "around", "victim");
const hostile = join(root, "hostile.tar");
writeFileSync(
  hostile,
  archive(
    member({ name: "../escaped", data: "out" }),
    member({ name: join(victim, "absolute"), data: "out" }),
    member({ name: "link", typeflag: "2", link: victim }),
    member({ name: "link/through", data: "out" }),
    ...Array.from({ length: 80 }, (_, index) => member({ name: `d${String(index % 7)}/f${String(index)}`, data: Buffer.alloc((index * 997) % 90_000, index) })),
  ),
);

beforeEach(() => {
  mkdirSync(place, { recursive: true });
  mkdirSync(victim, { recursive: true });
  writeFileSync(join(victim, "kept"), "as it was");
  vi.stubEnv("TMPDIR", place);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(join(root, "around"), { recursive: true, force: true });
});

function expectNothingOutside(): void {
  expect(readdirSync(root).sort()).toEqual(["around", "hostile.tar"]);
  expect(readdirSync(join(root, "around")).sort()).toEqual(["tmp", "victim"]);
  expect(readdirSync(victim)).toEqual(["kept"]);
  expect(readFileSync(join(victim, "kept"), "utf8")).toBe("as it was");
}

/** What was left is private: plain files and directories of the owner alone. */
function expectPrivate(path: string): void {
  const stats = lstatSync(path);
  expect(stats.isDirectory() || stats.isFile()).toBe(true);
  expect(stats.mode & 0o077).toBe(0);
  if (stats.isDirectory()) for (const name of readdirSync(path)) expectPrivate(join(path, name));
}

const endless = `
  const { discardExtraction, extract, openArtifact } = await import(process.argv[1]);
  for (;;) {
    const artifact = openArtifact(process.argv[2]);
    process.stdout.write("begin");
    await discardExtraction(await extract(artifact));
    artifact.close();
  }
`;

/** Runs extractions in a process of their own, and kills it without a warning. */
async function killedAfter(delayMs: number): Promise<void> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", endless, library, hostile], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), ended]);
  await new Promise((resume) => setTimeout(resume, delayMs));
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
}

describe.skipIf(!existsSync(library))("an extraction whose process is killed", () => {
  test(`${String(times)} times, has written nothing outside of its private directory`, async () => {
    let leftovers = 0;
    for (let run = 0; run < times; run += 1) {
      await killedAfter(Math.random() * 150);
      expectNothingOutside();
      const left = readdirSync(place);
      expect(left.filter((name) => !name.startsWith("rea-extract-"))).toEqual([]);
      for (const name of left) {
        expectPrivate(join(place, name));
        rmSync(join(place, name), { recursive: true });
      }
      leftovers += left.length;
    }
    // Otherwise the process was never met at its work.
    expect(leftovers).toBeGreaterThan(0);
  }, timeout);
});

describe("an extraction that is cancelled", () => {
  test(`${String(times)} times, leaves no directory`, async () => {
    let cancelled = 0;
    for (let run = 0; run < times; run += 1) {
      const controller = new AbortController();
      const stopAt = Math.floor(Math.random() * 85);
      let reports = 0;
      const progress = {
        report: () => {
          reports += 1;
          if (reports === stopAt) setImmediate(() => controller.abort());
        },
      };
      const artifact = openArtifact(hostile);
      try {
        await discardExtraction(await extract(artifact, { signal: controller.signal, progress }));
      } catch (error) {
        expect(error).toMatchObject({ code: "cancelled" });
        cancelled += 1;
      } finally {
        artifact.close();
      }
      expect(readdirSync(place)).toEqual([]);
      expectNothingOutside();
    }
    expect(cancelled).toBeGreaterThan(0);
  }, timeout);
});
