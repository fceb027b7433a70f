import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { hostTable } from "./host-table.js";
import { createProcfsTable, parseStat } from "./procfs-table.js";
import { createPsTable, parsePsLine } from "./ps-table.js";
import { carriesToken } from "./run-token.js";

const proc = mkdtempSync(join(tmpdir(), "rea-proc-"));
afterAll(() => rmSync(proc, { recursive: true, force: true }));

const stat = (pid: number, name: string, state: string, threads: number): string =>
  `${String(pid)} (${name}) ${state} 1 40 41 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 ${String(threads)} 0 1234 99 98`;

it("a command with blanks, parentheses and line breaks does not shift the fields", () => {
  expect(parseStat(stat(7, "a) Z (b\n) S", "R", 1))).toEqual({
    pid: 7, parentPid: 1, groupId: 40, sessionId: 41, startTime: "1234", zombie: false,
  });
});

it("a process whose first thread has ended lives as long as others run", () => {
  expect([parseStat(stat(7, "x", "Z", 1))?.zombie, parseStat(stat(7, "x", "Z", 3))?.zombie]).toEqual([true, false]);
});

it("what is no line of stat is no process", () => {
  expect([parseStat(""), parseStat("7 (x) R 1 2"), parseStat("x (y) R 1 40 41".repeat(9))]).toEqual([null, null, null]);
  fc.assert(fc.property(fc.string(), (text) => void parseStat(text)));
});

it("a directory laid out like /proc is read, and what is gone or damaged in it is left out", async () => {
  mkdirSync(join(proc, "sys/kernel/random"), { recursive: true });
  writeFileSync(join(proc, "sys/kernel/random/boot_id"), "b00t\n");
  for (const pid of [7, 8]) mkdirSync(join(proc, String(pid), "fd"), { recursive: true });
  mkdirSync(join(proc, "9"));
  writeFileSync(join(proc, "7/stat"), stat(7, "x", "S", 1));
  writeFileSync(join(proc, "8/stat"), "damaged");
  writeFileSync(join(proc, "7/environ"), "A=1\0REA_PROCESS_RUN_ID=t\0");
  symlinkSync("socket:[5]", join(proc, "7/fd/1"));
  const table = createProcfsTable({ root: proc });
  expect([table.bootId, table.unreadable]).toEqual(["b00t", null]);
  expect((await table.list()).rows.map(({ pid }) => pid)).toEqual([7]);
  expect([await table.token(7, "t"), await table.token(7, "u"), await table.token(9, "t")]).toEqual(["carried", "absent", "gone"]);
  expect([...table.descriptors(7)]).toEqual([[1, "socket:[5]"]]);
});

it("a host whose /proc says nothing of itself proves nothing", () => {
  expect(createProcfsTable({ root: join(proc, "9") }).unreadable).toContain("boot id");
});

it("a token is a whole entry of the environment", () => {
  const environment = (text: string): Buffer => Buffer.from(text.replaceAll("|", "\0"));
  expect(carriesToken(environment("REA_PROCESS_RUN_ID=t|"), "t")).toBe(true);
  expect(carriesToken(environment("A=1|REA_PROCESS_RUN_ID=t|B=|"), "t")).toBe(true);
  for (const text of ["", "REA_PROCESS_RUN_ID=tt|", "XREA_PROCESS_RUN_ID=t|", "REA_PROCESS_RUN_ID=t"]) {
    expect(carriesToken(environment(text), "t"), text).toBe(false);
  }
});

it("lines of ps become processes with starts of one second", async () => {
  expect(parsePsLine("  71     1    71 Ss   Mon Nov 30 21:02:11 2026    ")).toEqual({
    pid: 71, parentPid: 1, groupId: 71, sessionId: null, startTime: "Mon Nov 30 21:02:11 2026", zombie: false,
  });
  expect([parsePsLine("72 1 71 Z+ Mon Nov 30 21:02:11 2026")?.zombie, parsePsLine("PID PPID")]).toEqual([true, null]);
  const table = createPsTable((args) => Promise.resolve(args.includes("-axo") ? " 9 1 9 S now 1\n 8 1 9 S now 1\n" : ""));
  expect([table.resolution, (await table.list()).rows.map(({ pid }) => pid), await table.read(8)]).toEqual(["second", [8, 9], null]);
});

it("the environment that ps shows tells of a token, and one that it hides tells nothing", async () => {
  const shown = (text: string) => createPsTable(() => Promise.resolve(text)).token(8, "t");
  expect(await Promise.all(["x A=1 REA_PROCESS_RUN_ID=t", "x A=1", "x", ""].map(shown))).toEqual(["carried", "absent", "unreadable", "gone"]);
});

it("a host without a process table says so", async () => {
  const table = hostTable("win32");
  expect(table.unreadable).toContain("win32");
  await expect(table.list()).rejects.toThrow("win32");
});
