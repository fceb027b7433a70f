import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { createOwnCgroup } from "../src/own-cgroup.js";
import { createLauncher, type EndedRun, type StartRequest } from "../src/index.js";
import { countReaches, countSettlesAt, processesWith } from "./live-processes.js";
import { launcher, mark, shell } from "./run-program.js";

const isLinux = process.platform === "linux";
let namespaces = false;
let cgroups = false;

beforeAll(async () => {
  if (!isLinux) return;
  const tried = await launcher().start(shell("true", mark(), { isolation: "pid_namespace" })).catch(() => null);
  namespaces = (await tried?.ended)?.cleanup.state === "proven";
  const made = createOwnCgroup();
  if (!("refused" in made)) cgroups = made.remove();
});

/** Leaves the session, loses its parent, keeps the token. */
const daemon = "(setsid sh -c 'sleep 61 & wait' </dev/null >/dev/null 2>&1 &)";
/** As above without the token in its environment: only the test can tell it. */
const hidden = (marked: string, redirect: string): string => `(setsid env -i MARK=${marked} sleep 62 ${redirect} &)`;

describe.skipIf(!isLinux)("with group and token as the proof", () => {
  it("double-forked processes in sessions of their own are found by their token and ended", async () => {
    const marked = mark();
    const run = await launcher().start(shell(`${daemon}; ${daemon}; sleep 0.2; exit 3`, marked));
    const { exit, cleanup, confirmed } = await run.ended;
    expect([exit.code, cleanup.state, cleanup.resources]).toEqual([3, "proven", []]);
    expect(confirmed.token).toBeGreaterThanOrEqual(2);
    expect(processesWith(marked)).toEqual([]);
  });

  it("a process that left with an emptied environment is ended when it was seen below its parent", async () => {
    const marked = mark();
    const run = await launcher().start(shell(`setsid env -i MARK=${marked} sleep 62 & sleep 63`, marked));
    await countReaches(marked, 3);
    expect((await run.snapshot()).processes.map(({ confirmed_by }) => confirmed_by)).toContain("ancestry");
    expect((await run.close()).cleanup).toMatchObject({ state: "proven", ownership_proof: "group_and_token" });
    expect(processesWith(marked)).toEqual([]);
  });

  it("a process that nothing proves to be ours is named by the output it holds, and not signalled", async () => {
    const marked = mark();
    const run = await launcher().start(shell(`${hidden(marked, "")}; sleep 0.3`, marked));
    const { cleanup } = await run.ended;
    const survivors = processesWith(marked);
    expect(survivors.length).toBeGreaterThan(0);
    expect(cleanup.state).toBe("incomplete");
    expect(cleanup.resources.map(({ detail }) => detail.pid)).toEqual(expect.arrayContaining(survivors));
    for (const pid of cleanup.resources.map(({ detail }) => detail.pid)) process.kill(pid, "SIGKILL");
    await countSettlesAt(marked, 0);
    expect((await run.close()).cleanup).toMatchObject({ state: "proven", resources: [] });
  });

  it("says in words that what emptied its environment unseen is not found", async () => {
    const marked = mark();
    const run = await launcher().start(shell(`${hidden(marked, "</dev/null >/dev/null 2>&1")}; sleep 0.3`, marked));
    expect((await run.ended).cleanup.state).toBe("proven");
    expect(run.ownership.limitations.join(" ")).toContain("emptied its environment");
    for (const pid of processesWith(marked)) process.kill(pid, "SIGKILL");
  });

  it("a small fork bomb, half of it in sessions of its own, ends", async () => {
    const marked = mark();
    const bomb = "bomb() { if [ $1 -gt 0 ]; then bomb $(($1-1)) & bomb $(($1-1)) & setsid sleep 64 & fi; sleep 65; }; trap '' TERM; bomb 4";
    const run = await launcher().start(shell(bomb, marked));
    await countReaches(marked, 40);
    expect((await run.close()).cleanup).toMatchObject({ state: "proven", resources: [] });
    expect(processesWith(marked)).toEqual([]);
  });

  it("cancelled at fifty random moments, a tree of deaf and daemonised processes leaves nothing", async () => {
    const marked = mark();
    const own = launcher();
    const tree = `trap '' TERM; ${daemon}; sleep 66 & setsid sleep 67 & while :; do sleep 0.05; done`;
    const cancelled = async (): Promise<string> => {
      const controller = new AbortController();
      const timer = sleep(Math.random() * 150).then(() => controller.abort());
      const run = await own.start(shell(tree, marked, { signal: controller.signal, settleMs: 20 })).catch((error: unknown) => error);
      await timer;
      if (run instanceof Error) return "code" in run ? String(run.code) : String(run);
      const { reason, cleanup } = await endedOf(run);
      return [reason, cleanup.state, cleanup.ownership_reason ?? "", ...cleanup.resources.map(({ detail }) => detail.reason)].join(" ");
    };
    const outcomes = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      for (const outcome of await Promise.all(Array.from({ length: 10 }, cancelled))) outcomes.add(outcome);
    }
    expect([...outcomes].filter((outcome) => !["cancelled", "cancelled proven "].includes(outcome))).toEqual([]);
    expect(processesWith(marked)).toEqual([]);
  });
});

describe.skipIf(!isLinux)("in a pid namespace", () => {
  it("nothing survives, whatever it did to its session and environment, and the exit is the program's", async (context) => {
    if (!namespaces) return context.skip("this host gives no unprivileged pid namespace");
    const marked = mark();
    const escape = hidden(marked, "</dev/null >/dev/null 2>&1");
    const run = await launcher().start(shell(`${escape}; ${daemon}; sleep 0.3; kill -9 $$`, marked, { isolation: "pid_namespace" }));
    expect(run.ownership.proof).toBe("pid_namespace");
    await countReaches(marked, 2);
    expect(await run.ended).toMatchObject({
      reason: "exited",
      exit: { code: null, signal: "SIGKILL" },
      cleanup: { state: "proven", ownership_proof: "pid_namespace", resources: [] },
    });
    expect(processesWith(marked)).toEqual([]);
  });

  it("the program is no init: it takes TERM, writes its last words and sees only its own processes", async (context) => {
    if (!namespaces) return context.skip("this host gives no unprivileged pid namespace");
    const script = "trap 'echo bye; exit 5' TERM; echo $(ls /proc | grep -c '^[0-9]'); while :; do sleep 0.02; done";
    const run = await launcher().start(shell(script, mark(), { isolation: "pid_namespace", settleMs: 20_000 }));
    await expect.poll(() => run.output().stdout.bytes.toString()).toMatch(/^\d{1,2}\n$/);
    expect(await run.signal("SIGTERM")).toBe("sent");
    const { exit, stdout, stderr } = await run.ended;
    expect([exit.code, stdout.bytes.toString().endsWith("\nbye\n")]).toEqual([5, true]);
    expect(stderr.bytes.toString()).not.toContain("unshare");
  });

  it("a program that cannot be started there is a typed error", async (context) => {
    if (!namespaces) return context.skip("this host gives no unprivileged pid namespace");
    const request: StartRequest = { ...shell("true", mark(), { isolation: "pid_namespace" }), arguments: ["x".repeat(4_000_000)] };
    await expect(launcher().start(request)).rejects.toMatchObject({ code: "provider_unavailable", details: { reason: "start_failed" } });
  });
});

describe.skipIf(!isLinux)("in a cgroup", () => {
  it("what left its session with an emptied environment ends too, and the group is removed", async (context) => {
    if (!cgroups) return context.skip("this host gives no cgroup of version 2 below our own");
    const marked = mark();
    const run = await launcher({ cgroups: true }).start(shell(`${hidden(marked, "</dev/null >/dev/null 2>&1")}; sleep 0.3; exit 2`, marked));
    expect(run.ownership.proof).toBe("cgroup");
    expect(await run.ended).toMatchObject({ exit: { code: 2 }, cleanup: { state: "proven", ownership_proof: "cgroup", resources: [] } });
    expect(processesWith(marked)).toEqual([]);
  });
});

describe.skipIf(!isLinux)("what watches over runs", () => {
  const ours = (pid: number): boolean => readFileSync(`/proc/${String(pid)}/stat`, "latin1").includes(` ${String(process.pid)} `);
  const guardians = (): number[] => processesWith("REA_PROCESS_RUN_ID=%s").filter(ours);

  it("is one process for all runs of a launcher, and goes with it", async () => {
    const before = guardians().length;
    const own = createLauncher({ cgroups: false });
    const runs = await Promise.all(Array.from({ length: 5 }, () => own.start(shell("exec sleep 68", mark()))));
    expect([runs.length, guardians().length]).toEqual([5, before + 1]);
    await own.close();
    expect(guardians().length).toBe(before);
  });
});

describe.skipIf(!isLinux)("when we are killed", () => {
  const library = join(import.meta.dirname, "..", "dist", "index.js");
  const tree = (marked: string): string =>
    `trap '' TERM; (setsid sleep 71 </dev/null >/dev/null 2>&1 &); setsid env -i MARK=${marked} sleep 72 & env -i MARK=${marked} sleep 73 & sleep 74`;

  /** Starts a program in another process, kills that process, and counts what is left of the program. */
  async function survivors(marked: string, mode: string, expected: number): Promise<number> {
    const isolation = mode === "pid_namespace" ? mode : "none";
    const request = { ...shell(tree(marked), marked, { isolation }), signal: undefined };
    const script = `
      import { createLauncher } from ${JSON.stringify(library)};
      const signal = new AbortController().signal;
      await createLauncher({ cgroups: ${String(mode === "cgroup")} }).start({ ...${JSON.stringify(request)}, signal });
    `;
    const owner = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
    await countReaches(marked, 5);
    owner.kill("SIGKILL");
    return countSettlesAt(marked, expected);
  }

  it.each([
    ["pid_namespace", "none survive", 0],
    ["cgroup", "none survive", 0],
    ["group_and_token", "only what left the session with an emptied environment survives", 1],
  ] as const)("with %s, %s", async (mode, _what, expected) => {
    // A host without a mode has nothing to promise in it.
    if ((mode === "pid_namespace" && !namespaces) || (mode === "cgroup" && !cgroups)) return;
    if (!existsSync(library)) throw new Error("build the package first: tsc -b packages/lineage");
    const marked = mark();
    const left = await survivors(marked, mode, expected);
    const pids = processesWith(marked);
    for (const pid of pids) process.kill(pid, "SIGKILL");
    expect(left).toBe(expected);
  });
});

function endedOf(run: unknown): Promise<EndedRun> {
  if (typeof run === "object" && run !== null && "ended" in run && run.ended instanceof Promise) return run.ended;
  throw new Error("no run");
}
