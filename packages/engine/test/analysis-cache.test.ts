import {
  chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { analyzeProgram } from "../src/analysis/analyze-program.js";
import type { AnalyzedProgram } from "../src/analysis/analyzed-program.js";
import { AnalysisCache } from "../src/cache/analysis-cache.js";
import { clearCache, reportCache } from "../src/cache/cache-report.js";
import { codeImage } from "./code-image.js";
import { expectSame } from "./whole-program.js";

/** As much code as is worth keeping: functions that call one another. */
function manyFunctions(): Uint8Array {
  const code = new Uint8Array(40 * 1024).fill(0x90);
  for (let at = 0; at < code.length; at += 64) {
    code.set([0xe8, 59, 0, 0, 0, 0xc3], at);
  }
  code.set([0xc3], code.length - 64);
  return code;
}
const image = codeImage({ code: manyFunctions() });
const target = "ab".repeat(32);
const profile = "cd".repeat(32);

describe("the cache of analyses", () => {
  let root = "";
  let directory = "";
  let notes: string[] = [];
  let program: AnalyzedProgram;

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "rea-cache-"));
    directory = join(root, "cache", "analysis");
    notes = [];
    program ??= await analyzeProgram(image);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const open = (more: { version?: string; maximumBytes?: number; target?: string; directory?: string } = {}) =>
    new AnalysisCache({
      settings: { directory: more.directory ?? directory, version: more.version ?? "1", maximumBytes: more.maximumBytes },
      target: more.target ?? target,
      profile,
      note: (text) => notes.push(text),
    });
  const files = () => readdirSync(directory);
  const onlyFile = () => join(directory, files()[0] ?? "");

  test("what was kept is loaded, whole or without strings, and is kept once", async () => {
    const bare = await analyzeProgram(image);
    const cache = open();
    expect(await cache.load(image)).toBeUndefined();
    expect(cache.wants(bare)).toBe(true);
    await cache.keep(bare);
    expect(cache.wants(bare)).toBe(false);
    const again = open();
    const loaded = await again.load(image);
    if (loaded === undefined) throw new Error("nothing was loaded");
    expect(again.wants(loaded)).toBe(false);
    expectSame(loaded, bare);
    // Asking for the strings makes the analysis more than what is kept.
    expect([again.wants(loaded), cache.wants(bare)]).toEqual([true, true]);
    await again.keep(loaded);
    const whole = open();
    expect((await whole.load(image))?.strings.length).toBe(bare.strings.length);
    expect(files()).toHaveLength(1);
    expect(notes).toEqual([]);
  });

  test("directory and files are for the user alone", async () => {
    await open().keep(program);
    expect(lstatSync(directory).mode & 0o777).toBe(0o700);
    expect(lstatSync(onlyFile()).mode & 0o777).toBe(0o600);
  });

  test("a small program is not worth keeping", async () => {
    const small = await analyzeProgram(codeImage({ code: Uint8Array.of(0xc3) }));
    expect(open().wants(small)).toBe(false);
  });

  test("another version, another target and a truncated file are not used", async () => {
    await open().keep(program);
    expect(await open({ version: "2" }).load(image)).toBeUndefined();
    expect(await open({ target: "ef".repeat(32) }).load(image)).toBeUndefined();
    expect(notes).toEqual([]);
    const bytes = readFileSync(onlyFile());
    for (const length of [0, 7, 159, 160, 1000, bytes.length - 1]) {
      writeFileSync(onlyFile(), bytes.subarray(0, length));
      expect(await open().load(image)).toBeUndefined();
    }
    expect(new Set(notes.map((note) => note.split(":")[0]))).toEqual(new Set(["A kept analysis was ignored"]));
  });

  test("a file with any bit changed is ignored with a note, and a new one takes its place", async () => {
    await open().keep(program);
    const path = onlyFile();
    const bytes = readFileSync(path);
    const place = fc.oneof(fc.nat(159), fc.nat(bytes.length - 1));
    await fc.assert(
      fc.asyncProperty(place, fc.nat(7), async (at, bit) => {
        const changed = Uint8Array.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        writeFileSync(path, changed);
        notes = [];
        expect(await open().load(image)).toBeUndefined();
        expect(notes).toHaveLength(1);
      }),
      { numRuns: 60 },
    );
    await open().keep(program);
    expect(await open().load(image)).toBeDefined();
  });

  test("a file under another one's name, of an older format, or through a link is ignored", async () => {
    await open().keep(program);
    const path = onlyFile();
    const bytes = readFileSync(path);
    await open({ target: "12".repeat(32) }).keep(program);
    const other = files().map((name) => join(directory, name)).find((one) => one !== path) ?? "";
    writeFileSync(path, readFileSync(other));
    expect(await open().load(image)).toBeUndefined();
    const older = Buffer.from(bytes);
    older.writeUInt32LE(0, 8);
    writeFileSync(path, older);
    expect(await open().load(image)).toBeUndefined();
    rmSync(path);
    writeFileSync(join(root, "elsewhere"), bytes);
    symlinkSync(join(root, "elsewhere"), path);
    expect(await open().load(image)).toBeUndefined();
    expect(notes).toHaveLength(3);
  });

  test.skipIf(process.platform === "win32")("a directory that is a link, or that others can write to, is neither read nor written", async () => {
    await open().keep(program);
    chmodSync(directory, 0o777);
    expect(await open().load(image)).toBeUndefined();
    await open().keep(program);
    const link = join(root, "link");
    chmodSync(directory, 0o700);
    symlinkSync(directory, link);
    expect(await open({ directory: link }).load(image)).toBeUndefined();
    expect(clearCache(link)).toMatchObject({ refusal: "linked", removed: 0 });
    expect(notes.map((note) => /writable_by_others|linked/.exec(note)?.[0])).toEqual(["writable_by_others", "writable_by_others", "linked"]);
  });

  test("a directory that its owner may not read is reported and left alone", async (context) => {
    if (process.getuid === undefined || process.getuid() === 0) return context.skip("permissions do not bind this user");
    await open().keep(program);
    chmodSync(directory, 0o000);
    try {
      expect(reportCache(directory, undefined)).toMatchObject({ refusal: "unreadable", analyses: [] });
      expect(clearCache(directory)).toMatchObject({ refusal: "unreadable", removed: 0 });
      expect(await open().load(image)).toBeUndefined();
    } finally {
      chmodSync(directory, 0o700);
    }
    expect(files()).toHaveLength(1);
  });

  test("where nothing can be written the analysis is not kept, and nothing stays behind", async () => {
    writeFileSync(join(root, "file"), "");
    await open({ directory: join(root, "file", "analysis") }).keep(program);
    await open().keep(program);
    const name = files()[0] ?? "";
    rmSync(join(directory, name));
    // A directory in the file's place: the last step fails, as it does on a full disk.
    mkdirSync(join(directory, name, "x"), { recursive: true });
    await open().keep(program);
    expect(files()).toEqual([name]);
    expect(notes).toHaveLength(2);
  });

  test("two writers at once leave one whole file", async () => {
    await Promise.all([open().keep(program), open().keep(program), open().keep(program)]);
    expect(files()).toHaveLength(1);
    expect(await open().load(image)).toBeDefined();
    expect(notes).toEqual([]);
  });

  test("the least recently used goes first, and what is too large is not kept", async () => {
    await open().keep(program);
    const size = lstatSync(onlyFile()).size;
    rmSync(onlyFile());
    const maximumBytes = size * 4 + 100;
    const targets = ["01", "02", "03", "04"].map((digits) => digits.repeat(32));
    for (const [age, one] of targets.entries()) {
      const before = existsSync(directory) ? files() : [];
      await open({ target: one, maximumBytes }).keep(program);
      const added = files().find((name) => !before.includes(name)) ?? "";
      const when = new Date(Date.now() - (targets.length - age) * 3_600_000);
      utimesSync(join(directory, added), when, when);
    }
    // Reading the oldest makes it the newest.
    expect(await open({ target: targets[0] ?? "", maximumBytes }).load(image)).toBeDefined();
    await open({ target: "05".repeat(32), maximumBytes }).keep(program);
    const kept = reportCache(directory, "1").analyses.map(({ targetSha256 }) => targetSha256?.slice(0, 2));
    expect(kept.sort()).toEqual(["01", "03", "04", "05"]);
    await open({ target: "06".repeat(32), maximumBytes: size * 4 - 8 }).keep(program);
    expect(notes).toEqual(["The analysis is not kept: it is larger than a quarter of the cache."]);
  });

  test("clearing takes our files and unfinished ones, and leaves everything else", async () => {
    await open().keep(program);
    const name = files()[0] ?? "";
    writeFileSync(join(directory, `${name}.0123456789abcdef.tmp`), "unfinished");
    writeFileSync(join(directory, "notes.txt"), "somebody's");
    writeFileSync(join(root, "precious"), "somebody's");
    symlinkSync(join(root, "precious"), join(directory, `${"0".repeat(64)}.program`));
    expect(reportCache(directory, "1").analyses).toMatchObject([{ targetSha256: target, current: true }]);
    expect(reportCache(directory, "2").analyses).toMatchObject([{ current: false }]);
    expect(clearCache(directory)).toMatchObject({ removed: 2, left: 0, refusal: undefined });
    expect(files().sort()).toEqual([`${"0".repeat(64)}.program`, "notes.txt"]);
    expect(readFileSync(join(root, "precious"), "utf8")).toBe("somebody's");
  });
});
