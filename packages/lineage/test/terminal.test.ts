import { readdirSync, readlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { OwnedProcess, StartRequest } from "../src/index.js";
import { countReaches, countSettlesAt, processesWith } from "./live-processes.js";
import { launcher, mark, program, shell } from "./run-program.js";

const terminal = { columns: 91, rows: 33 };
const isLinux = process.platform === "linux";

function text(run: OwnedProcess): string {
  return run.output().stdout.bytes.toString();
}

function onTerminal(script: string, marked: string, more: Partial<StartRequest> = {}): StartRequest {
  return shell(script, marked, { terminal, ...more });
}

const tell = `
const { readFileSync } = require("node:fs");
const stat = readFileSync("/proc/self/stat", "latin1").replace(/^.*\\) /, "").split(" ");
console.log(JSON.stringify({ pid: process.pid, group: +stat[2], session: +stat[3], tty: +stat[4] > 0, foreground: +stat[5], size: [process.stdout.columns, process.stdout.rows], args: process.argv.slice(1), env: Object.keys(process.env).sort() }));
`;

describe.skipIf(!isLinux).each(["none", "pid_namespace"] as const)("a program on a terminal, isolation %s", (isolation) => {
  it("leads its session and the foreground group of its controlling terminal, with its arguments and environment as given", async () => {
    const args = ["a b", "", "--", "-c", "$(id)"];
    const request = program(process.execPath, ["-e", tell, "--", ...args], { environment: { GIVEN: "1" }, terminal, isolation });
    const run = await launcher().start(request);
    const { exit, cleanup, stderr } = await run.ended;
    const told: unknown = JSON.parse(text(run));
    expect(told).toMatchObject({ tty: true, size: [91, 33], args, env: ["GIVEN", "REA_PROCESS_RUN_ID"] });
    const [pid, group, session, foreground] = ["pid", "group", "session", "foreground"].map((name) => /\d+/.exec(text(run).split(`"${name}":`)[1] ?? "")?.[0]);
    expect([group, session, foreground]).toEqual([pid, pid, pid]);
    expect([exit, cleanup.state, stderr.totalBytes]).toEqual([{ code: 0, signal: null }, "proven", 0]);
  });

  it("inherits no terminal of another run", async () => {
    const own = launcher();
    const others = await Promise.all([1, 2, 3].map(() => own.start(program("/bin/sleep", ["60"], { terminal, isolation }))));
    const list = `const { readdirSync, readlinkSync } = require("node:fs"); for (const fd of readdirSync("/proc/self/fd")) { try { console.log(readlinkSync("/proc/self/fd/" + fd)); } catch {} }`;
    for (const more of [{ terminal }, {}]) {
      const run = await own.start(program(process.execPath, ["-e", list], { isolation, ...more }));
      await run.ended;
      expect(text(run)).not.toContain("ptmx");
      expect(new Set(text(run).match(/\/dev\/pts\/\d+/g) ?? []).size).toBe("terminal" in more ? 1 : 0);
    }
    await Promise.all(others.map((run) => run.close()));
  });

  it("gets what is typed, its new size, and the signals of control characters; what it says is told as it comes", async () => {
    const pieces: Buffer[] = [];
    const script = `trap 'stty size' WINCH; trap 'echo interrupted; exit 7' INT; echo ready; read -r line; echo "got $line"; while :; do sleep 0.02; done`;
    const run = await launcher().start(onTerminal(script, mark(), { isolation, terminal: { ...terminal, onOutput: (bytes) => pieces.push(bytes) } }));
    await expect.poll(() => text(run)).toContain("ready");
    expect(await run.terminal?.write(Buffer.from("hëllo\n"))).toBe(true);
    await expect.poll(() => text(run)).toContain("got hëllo");
    expect(run.terminal?.resize({ columns: 40, rows: 10 })).toBe(true);
    await expect.poll(() => text(run)).toContain("10 40");
    expect(await run.terminal?.write(Buffer.from("\x03"))).toBe(true);
    expect(await run.ended).toMatchObject({ reason: "exited", exit: { code: 7 } });
    expect(Buffer.concat(pieces).toString()).toBe(text(run));
    expect(await run.terminal?.write(Buffer.from("late"))).toBe(false);
    expect(run.terminal?.resize({ columns: 1, rows: 1 })).toBe(false);
  });

  it("is described with its arguments and the pid that it sees itself", async () => {
    const run = await launcher().start(onTerminal('echo "I am $$."; sleep 60 & wait', mark(), { isolation, byGivenName: true }));
    await expect.poll(() => text(run)).toMatch(/I am \d+\./);
    const { processes } = await run.snapshot();
    const root = processes.find(({ parent_pid }) => processes.every(({ pid }) => pid !== parent_pid));
    const described = root === undefined ? null : await run.describe(root);
    expect(described?.arguments?.slice(0, 2)).toEqual(["/bin/sh", "-c"]);
    expect(text(run)).toBe(`I am ${String(described?.innerPid)}.\r\n`);
    expect(described?.innerPid === root?.pid).toBe(isolation === "none");
    expect(await run.describe({ pid: run.pid, start_time: "1" })).toBeNull();
    await run.close();
  });

  it("that is killed, or exits with a status, is told truly", async () => {
    const killed = await launcher().start(onTerminal("kill -SEGV $$", mark(), { isolation }));
    expect((await killed.ended).exit).toEqual({ code: null, signal: "SIGSEGV" });
    const failed = await launcher().start(onTerminal("exit 3", mark(), { isolation }));
    expect((await failed.ended).exit).toEqual({ code: 3, signal: null });
  });

  it("that ignores every polite signal is gone after the deadline, with its children", async () => {
    const marked = mark();
    const deaf = "trap '' HUP TERM INT; (trap '' HUP TERM; sleep 60) & echo up; while :; do sleep 0.02; done";
    const run = await launcher().start(onTerminal(deaf, marked, { isolation, deadlineMs: 700 }));
    expect(await run.ended).toMatchObject({ reason: "timeout", cleanup: { state: "proven", resources: [] } });
    expect(processesWith(marked)).toEqual([]);
  });

  it("whose output nobody limits is drained to the bound, to the last byte", async () => {
    const run = await launcher().start(onTerminal("seq 1 200000; echo the end", mark(), { isolation, outputBytes: 50, keep: "tail" }));
    const { stdout } = await run.ended;
    expect(stdout.truncated).toBe(true);
    expect(stdout.bytes.toString().endsWith("the end\r\n")).toBe(true);
  });

  it("may close its terminal and go on, and open it again", async () => {
    const script = "exec </dev/null >/dev/null 2>&1; sleep 0.2; echo again >/dev/tty; exit 5";
    const run = await launcher().start(onTerminal(script, mark(), { isolation }));
    expect((await run.ended).exit.code).toBe(5);
    expect(text(run)).toBe("again\r\n");
  });

  it("that never reads what is typed does not stop us", async () => {
    const run = await launcher().start(onTerminal("stty raw -echo; echo up; exec sleep 60", mark(), { isolation }));
    await expect.poll(() => text(run)).toContain("up");
    const typed = run.terminal?.write(Buffer.alloc(3_000_000, "x"));
    const { cleanup } = await run.close();
    expect([await typed, cleanup.state]).toEqual([false, "proven"]);
  });

  it("leaves what it started alone while the time after its exit lasts", async () => {
    const marked = mark();
    let live = 0;
    const afterExit = async (): Promise<void> => {
      await countReaches(marked, 1);
      live = processesWith(marked).length;
    };
    const run = await launcher().start(onTerminal("trap '' HUP; sleep 60 & exit 0", marked, { isolation, afterExit }));
    expect(await run.ended).toMatchObject({ reason: "exited", exit: { code: 0 }, cleanup: { state: "proven" } });
    expect(live).toBeGreaterThan(0);
    expect(processesWith(marked)).toEqual([]);
  });
});

describe.skipIf(!isLinux)("terminals", () => {
  const held = (): number => readdirSync("/proc/self/fd").filter((fd) => /ptmx|pts/.test(linkOf(fd))).length;

  it("leave no descriptors behind, whether runs end or fail to start", async () => {
    const own = launcher();
    const before = held();
    for (let each = 0; each < 5; each += 1) {
      await (await own.start(program("/bin/true", [], { terminal }))).ended;
      await expect(own.start(program("/bin/true", ["x".repeat(4_000_000)], { terminal }))).rejects.toMatchObject({ code: "provider_unavailable" });
      await expect(own.start(program("/bin/true", [], { terminal, signal: AbortSignal.abort() }))).rejects.toMatchObject({ code: "cancelled" });
      await expect(own.start(program("/does/not/exist", [], { terminal }))).rejects.toMatchObject({ code: "target_unavailable" });
    }
    await expect.poll(held).toBe(before);
  });

  it("held by a process that nothing proves to be ours are named, and it is not signalled", async () => {
    const marked = mark();
    const run = await launcher({ marks: false }).start(onTerminal(`(setsid env -i MARK=${marked} sleep 62 &); sleep 0.3`, marked));
    const { cleanup } = await run.ended;
    const survivors = processesWith(marked);
    expect(survivors.length).toBeGreaterThan(0);
    expect(cleanup.state).toBe("incomplete");
    expect(cleanup.resources.map(({ detail }) => detail.pid)).toEqual(expect.arrayContaining(survivors));
    for (const pid of survivors) process.kill(pid, "SIGKILL");
    await countSettlesAt(marked, 0);
    expect((await run.close()).cleanup.state).not.toBe("incomplete");
  });

  it.each([[{ columns: 0, rows: 1 }], [{ columns: 1, rows: 70_000 }], [{ columns: 1.5, rows: 2 }]])("of size %j are refused", async (size) => {
    await expect(launcher().start(program("/bin/true", [], { terminal: size }))).rejects.toMatchObject({ code: "invalid_request" });
  });
});

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}
