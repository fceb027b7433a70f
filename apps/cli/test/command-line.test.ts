import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { parseBundle, z } from "@rea/core";
import { afterAll, describe, expect, test } from "vitest";
import { cliMain, runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-cli-"));
const env = { ...process.env, HOME: join(place, "home") };
const small = ["/bin/ls"].find((path) => existsSync(path)) ?? process.execPath;
const large = ["/usr/bin/git", "/bin/bash"].find((path) => existsSync(path)) ?? process.execPath;
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

const file = (name: string, content: string | Uint8Array = "") => {
  const path = join(place, name);
  writeFileSync(path, content);
  return path;
};
const envelopes = (stdout: string) => z.array(z.looseObject({ result: z.looseObject({}), evidence_id: z.string().optional() })).parse(JSON.parse(stdout));
const noStack = (text: string) => expect(text).not.toMatch(/\n\s+at /);

describe("analyze", () => {
  test("shows one page about a binary: what it is, its sections, functions and what to do next", async () => {
    const { status, stdout } = await runCli(["analyze", small], { env });
    expect(status).toBe(0);
    for (const part of ["mitigations", "entropy", "Largest functions", "Most called functions", "Next", "rea function"]) expect(stdout).toContain(part);
    expect(stdout).not.toContain("\u001B[");
  });

  test("prints the tools' envelopes with --json, compact, and nothing else on standard output", async () => {
    const { stdout } = await runCli(["analyze", small, "--json"], { env });
    expect(envelopes(stdout).map((item) => item.evidence_id?.slice(0, 3))).toEqual(["ev_", "ev_"]);
    expect(stdout.trimEnd()).not.toContain("\n");
  });

  test("answers sensibly, without a stack, for what is no binary", async () => {
    const cases: readonly (readonly [path: string, status: number, says: RegExp])[] = [
      [file("empty"), 0, /0 bytes/],
      [file("text.txt", "hello\n"), 0, /Not an executable/],
      [place, 0, /directory/],
      [join(place, "absent"), 1, /Nothing exists at/],
      [file("cut.elf", readFileSync(small).subarray(0, 50)), 0, /Not an executable|truncated/i],
      [file("half.elf", readFileSync(small).subarray(0, 3000)), 0, process.platform === "linux" ? /declares code, but none of it can be read/ : /3,000 bytes/],
    ];
    for (const [path, status, says] of cases) {
      const run = await runCli(["analyze", path], { env });
      expect([path, run.status, run.stderr]).toEqual([path, status, status === 0 ? run.stderr : expect.stringMatching(says)]);
      if (status === 0) expect(run.stdout).toMatch(says);
      noStack(run.stdout + run.stderr);
    }
  });

  test("a FIFO and a path with a newline get a clear answer", async (context) => {
    const odd = join(place, "two\nlines");
    copyFileSync(small, odd);
    expect((await runCli(["analyze", odd], { env })).stdout).toContain("two\\u{a}lines");
    const pipe = join(place, "pipe");
    if (spawnSync("mkfifo", [pipe]).status !== 0) return context.skip("mkfifo is not installed: no FIFO was tried");
    const run = await runCli(["analyze", pipe], { env });
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining("neither a regular file nor a directory")]);
  });
});

describe("names and kinds of targets", () => {
  test("a file whose name begins with a dash is read behind --, and the commands shown keep it a path", async () => {
    copyFileSync(small, join(place, "-dash"));
    const { status, stdout } = await runCli(["analyze", "--", "-dash"], { env, cwd: place });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/rea function \.\/-dash 0x/)]);
  });

  test("raw machine code has a page, and the page never calls it unreadable", async () => {
    const raw = file("raw", Uint8Array.of(0x55, 0xc3, 0x90, 0x90));
    const { status, stdout } = await runCli(["analyze", raw, "--raw-architecture", "x86_64", "--raw-base", "0x1000"], { env });
    expect([status, stdout]).toEqual([0, expect.stringContaining("entry points  0x1000")]);
    expect(stdout).not.toContain("Not an executable");
  });

  test("links in a circle and URLs without slashes are told apart from what does not exist", async () => {
    symlinkSync("loop", join(place, "loop"));
    expect((await runCli(["analyze", "loop"], { env, cwd: place })).stderr).toContain("lead in a circle");
    const url = await runCli(["analyze", `file:${small}`], { env });
    expect([url.status, url.stderr]).toEqual([1, expect.stringContaining("must be a local one, not a URL")]);
  });
});

describe("Evidence ids", () => {
  test("survive another directory, another name and a relative path", async () => {
    const first = join(place, "original");
    copyFileSync(small, first);
    const ids = async (args: readonly string[], cwd: string) => envelopes((await runCli(args, { env, cwd })).stdout).map((item) => item.evidence_id);
    const before = await ids(["analyze", first, "--json"], "/");
    mkdirSync(join(place, "elsewhere"));
    renameSync(first, join(place, "elsewhere", "renamed.bin"));
    expect(await ids(["analyze", "renamed.bin", "--json"], join(place, "elsewhere"))).toEqual(before);
  });
});

describe("exit statuses and streams", () => {
  test("usage errors end with 2 and name what is valid", async () => {
    const option = await runCli(["analyze", small, "--colour", "red"], { env });
    expect([option.status, option.stderr]).toEqual([2, expect.stringContaining("--architecture")]);
    expect((await runCli(["analise", small], { env })).status).toBe(2);
    expect((await runCli([], { env })).status).toBe(2);
    const number = await runCli(["search", small, "x", "--limit", "many"], { env });
    expect([number.status, number.stderr]).toEqual([2, expect.stringContaining("--limit takes a whole number")]);
    noStack(number.stderr);
    const cases: readonly (readonly [args: readonly string[], says: string])[] = [
      [["tool", "list_procedures", "--target", small, "--limit", "3", "--limit", "4"], "--limit is given more than once"],
      [["tool", "list_procedures", "--target", small, "--limit", "-1"], "--limit takes a whole number from 1"],
      [["tool", "binary_session", "--colour"], "valid options: "],
      [["xrefs", small, "zzz"], "<address> must be an address such as 0x401000"],
      [["analyze", ""], "<path> is empty"],
      [["analyze", small, "--raw-base", "0x10"], "--raw-base needs --raw-architecture"],
    ];
    for (const [args, says] of cases) {
      const run = await runCli(args, { env });
      expect([args, run.status, run.stdout, run.stderr]).toEqual([args, 2, "", expect.stringContaining(says)]);
      noStack(run.stderr);
    }
  });

  test("standard output that cannot be written is one line and status 1", (context) => {
    if (!existsSync("/dev/full")) return context.skip("this system has no /dev/full");
    const { status, stderr } = spawnSync("bash", ["-c", `"${process.execPath}" "${cliMain}" list-architectures "${small}" > /dev/full`], { env, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, "rea: standard output could not be written (ENOSPC)\n"]);
  });

  test("a typed error ends with 1, as JSON on standard output when asked", async () => {
    const run = await runCli(["function", small, "no_such_function", "--json"], { env });
    expect(run.status).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: "target_unavailable", remediation: { restart_required: false } } });
    expect((await runCli(["analyze", small, "--provider", "nobody"], { env })).status).toBe(1);
  });

  test("SIGINT and SIGTERM cancel, clean up and end with 130 and 143", async () => {
    for (const [signal, status] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
      const run = await runCli(["analyze", large, "--json"], { env: { ...env, REA_LOG_LEVEL: "info" }, signalWhenHeard: signal });
      expect([signal, run.status]).toEqual([signal, status]);
      expect(run.stdout === "" || run.stdout.includes('"cancelled"')).toBe(true);
    }
  });

  test("a reader that leaves early is not an error", () => {
    const { status, stderr } = spawnSync("bash", ["-c", `set -o pipefail; "${process.execPath}" "${cliMain}" analyze "${small}" | head -1 >/dev/null`], { env, encoding: "utf8" });
    expect(status).toBe(0);
    expect(stderr).not.toMatch(/EPIPE|Error/);
  });
});

describe("files", () => {
  test("a command that fails leaves the output file as it was and tells its error where it would without one", async () => {
    const kept = file("kept.json", "before");
    const text = await runCli(["function", small, "no_such_function", "--output", kept], { env });
    expect([text.status, text.stdout, text.stderr]).toEqual([1, "", expect.stringContaining("No procedure starts at")]);
    const json = await runCli(["analyze", small, "--provider", "nobody", "--json", "--output", kept], { env });
    expect([json.status, json.stdout]).toEqual([1, expect.stringContaining('"candidate_ids":["ghidra","hopper","rea-native"]')]);
    expect(readFileSync(kept, "utf8")).toBe("before");
  });

  test("--output writes the outcome, --save-evidence a bundle that verifies", async () => {
    const out = join(place, "out.json");
    const bundle = join(place, "bundle.json");
    const run = await runCli(["inspect-binary", small, "--facets", "header", "--output", out, "--save-evidence", bundle], { env });
    expect([run.status, run.stdout]).toEqual([0, ""]);
    const outcome = z.looseObject({ evidence_id: z.string() }).parse(JSON.parse(readFileSync(out, "utf8")));
    expect(parseBundle(readFileSync(bundle)).records.map((record) => record.evidence_id)).toEqual([outcome.evidence_id]);
    const verified = await runCli(["evidence-verify", bundle], { env });
    expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining("imported: 1")]);
    writeFileSync(bundle, readFileSync(bundle, "utf8").replace('"endianness":"little"', '"endianness":"big"'));
    expect((await runCli(["evidence-verify", bundle], { env })).status).toBe(1);
  });

  test("--output that cannot be written is one line and status 1, never a stack", async () => {
    for (const output of [place, join(place, "absent", "out.json")]) {
      const run = await runCli(["list-architectures", small, "--output", output], { env });
      expect([run.status, run.stdout]).toEqual([1, ""]);
      expect(run.stderr).toContain(`rea: ${output} could not be written`);
      noStack(run.stderr);
    }
  });

  test("--output and --save-evidence never replace the file that is read, also not through a link", async () => {
    const target = join(place, "target");
    const alias = join(place, "alias");
    copyFileSync(small, target);
    symlinkSync(target, alias);
    for (const option of ["--output", "--save-evidence"]) {
      const run = await runCli(["list-architectures", target, option, alias], { env });
      expect([run.status, run.stderr]).toEqual([2, expect.stringContaining(`${option} names the file that this command reads`)]);
    }
    expect(readFileSync(target).equals(readFileSync(small))).toBe(true);
  });

  test("a snapshot answers the second run with the same Evidence", async () => {
    const snapshot = join(place, "snapshot.json");
    const args = ["call-graph", small, "0x1", "--snapshot", snapshot, "--json"];
    await runCli(["binary-overview", small, "--snapshot", snapshot], { env });
    expect(existsSync(snapshot)).toBe(true);
    const again = await runCli(["binary-overview", small, "--snapshot", snapshot, "--json"], { env });
    expect(again.status).toBe(0);
    expect((await runCli(args, { env })).status).not.toBe(2);
  });
});

describe("lists", () => {
  test("help names the commands, tool lists every tool, completion prints a script", async () => {
    expect((await runCli(["--help"], { env })).stdout).toMatch(/rea analyze/);
    expect((await runCli(["tool"], { env })).stdout).toMatch(/^list_procedures {2,}/m);
    expect((await runCli(["completion", "bash"], { env })).stdout).toContain("complete -o filenames -F _rea rea");
    expect((await runCli(["providers", "--json"], { env })).stdout).toContain('"rea-native"');
    expect((await runCli(["--version"], { env })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
