import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { replaceFile, type FileStep } from "../src/files/replace-file.js";
import { bytesOf, emptyHome, put } from "./support.js";

let child = "";

beforeAll(async () => {
  const source = fileURLToPath(new URL("replace-in-child.ts", import.meta.url));
  const { outputFiles } = await build({ entryPoints: [source], bundle: true, platform: "node", format: "cjs", write: false });
  child = outputFiles[0]?.text ?? "";
});

const old = "old ".repeat(50_000);
const fresh = "new ".repeat(60_000);

function run(place: string, content: string, step: number) {
  const script = join(dirname(place), "child.cjs");
  writeFileSync(script, child);
  return spawnSync(process.execPath, [script, place, content, String(step)], { encoding: "utf8" });
}

test("killed before any step, a file is old or new, its backup whole or not there, and the next run finishes", () => {
  let finished = false;
  let sawOld = 0;
  let sawNew = 0;
  for (let step = 1; !finished; step += 1) {
    expect(step).toBeLessThan(30);
    const place = join(emptyHome(), "config.toml");
    put(place, old, 0o640);
    // What is too long for an argument is made there.
    const content = `@${String(fresh.length)}`;
    const { signal, stderr } = run(place, content, step);
    finished = signal === null;
    if (finished) expect(JSON.parse(stderr)).toEqual({ ok: true });
    const now = readFileSync(place, "utf8");
    expect([old, "x".repeat(fresh.length)]).toContain(now);
    if (now === old) sawOld += 1;
    else sawNew += 1;
    const backup = bytesOf(`${place}.rea.backup`);
    if (backup !== null) expect(backup.toString("utf8")).toBe(old);
    expect(run(place, "end", 0).stderr).toBe('{"ok":true}');
    expect(readFileSync(place, "utf8")).toBe("end");
    expect(statSync(place).mode & 0o777).toBe(0o640);
    expect(readdirSync(dirname(place)).sort()).toEqual(["child.cjs", "config.toml", "config.toml.rea.backup"]);
  }
  expect(sawOld).toBeGreaterThan(3);
  expect(sawNew).toBeGreaterThan(1);
});

test("a full disk leaves the file as it is, without a trace, and says so", (context) => {
  const place = join(emptyHome(), "config.json");
  const script = join(dirname(place), "child.cjs");
  writeFileSync(script, child);
  const mount = join(dirname(place), "small");
  mkdirSync(mount);
  const line = `mount -t tmpfs -o size=16k none "${mount}" && printf old > "${mount}/config.json" && "${process.execPath}" "${script}" "${mount}/config.json" @300000 0 && cat "${mount}/config.json" && ls -A "${mount}"`;
  const { status, stdout, stderr } = spawnSync("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", line], { encoding: "utf8" });
  if (status !== 0) return context.skip("no small file system can be mounted here");
  expect(JSON.parse(stderr)).toMatchObject({ ok: false, stage: "write", why: "The disk is full. Free some space and run the command again. The file is unchanged." });
  expect(stdout.split("\n")[0]?.startsWith("old")).toBe(true);
  expect(stdout).not.toContain(".tmp");
});

function replaceAt(onStep: (step: FileStep, place: string) => void, before: string | null = "old") {
  const place = join(emptyHome(), "config.json");
  if (before !== null) put(place, before);
  const replaced = replaceFile({ place, before: before === null ? null : Buffer.from(before), after: Buffer.from("new"), mode: 0o600, backup: null, onStep: (step) => { onStep(step, place); } });
  return { replaced, now: bytesOf(place)?.toString("utf8"), left: readdirSync(dirname(place)).filter((name) => name !== basename(place)) };
}

test("a file that another program changes meanwhile is left as that program wrote it", () => {
  for (const moment of ["clean", "compare"] as const) {
    const { replaced, now, left } = replaceAt((step, place) => { if (step === moment) put(place, "theirs"); });
    expect(replaced).toMatchObject({ ok: false, stage: "path", why: expect.stringContaining("Another program changed the file meanwhile") });
    expect(now).toBe("theirs");
    expect(left).toEqual([]);
  }
});

test("a file that appears meanwhile is not overwritten", () => {
  const { replaced, now } = replaceAt((step, place) => { if (step === "rename") put(place, "theirs"); }, null);
  expect(replaced).toMatchObject({ ok: false, stage: "path" });
  expect(now).toBe("theirs");
});

test("what reads back otherwise is put back", () => {
  const { replaced, now, left } = replaceAt((step, place) => { if (step === "read_back") put(place, "damaged"); });
  expect(replaced).toMatchObject({ ok: false, stage: "readback" });
  expect(now).toBe("old");
  expect(left).toEqual([]);
});
