import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "@rea/core";
import { beforeAll, describe, expect, it } from "vitest";
import { createOwnCgroup } from "../src/own-cgroup.js";
import { createLauncher, type EndedRun, type StartRequest } from "../src/index.js";
import { countReaches, countSettlesAt, processesWith } from "./live-processes.js";
import { launcher, mark, program, shell } from "./run-program.js";

const isLinux = process.platform === "linux";
const library = join(import.meta.dirname, "..", "dist", "index.js");
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
const nothing = "</dev/null >/dev/null 2>&1";
const hidden = (marked: string, redirect: string): string => `(setsid env -i MARK=${marked} sleep 62 ${redirect} &)`;

/** As above with another limit instead of the mark. */
const lowered = (marked: string, redirect: string): string => hidden(`${marked} /usr/bin/prlimit --rttime=1000:1000`, redirect);

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
    const run = await launcher().start(shell(`setsid env -i MARK=${marked} sleep 62.125 & sleep 63`, marked));
    await countReaches("sleep\u000062.125", 1);
    expect((await run.snapshot()).processes.map(({ confirmed_by }) => confirmed_by)).toContain("ancestry");
    expect((await run.close()).cleanup).toMatchObject({ state: "proven", ownership_proof: "group_and_token" });
    expect(processesWith(marked)).toEqual([]);
  });

  it("a process that nothing proves to be ours is named by the output it holds, and not signalled", async () => {
    const marked = mark();
    const run = await launcher({ marks: false }).start(shell(`${hidden(marked, "")}; sleep 0.3`, marked));
    const { cleanup } = await run.ended;
    const survivors = processesWith(marked);
    expect(survivors.length).toBeGreaterThan(0);
    expect(cleanup.state).toBe("incomplete");
    expect(cleanup.resources.map(({ detail }) => detail.pid)).toEqual(expect.arrayContaining(survivors));
    for (const pid of cleanup.resources.map(({ detail }) => detail.pid)) process.kill(pid, "SIGKILL");
    await countSettlesAt(marked, 0);
    expect((await run.close()).cleanup.state).not.toBe("incomplete");
  });

  it("what left the session with an emptied environment unseen is found by its mark and ended", async () => {
    const marked = mark();
    const run = await launcher().start(shell(`${hidden(marked, nothing)}; ${hidden(marked, nothing)}; sleep 0.3; exit 4`, marked));
    const { exit, cleanup, confirmed } = await run.ended;
    expect([exit.code, cleanup]).toEqual([4, { state: "proven", ownership_proof: "group_and_token", resources: [] }]);
    expect(confirmed.mark).toBeGreaterThanOrEqual(2);
    expect(processesWith(marked)).toEqual([]);
  });

  /** In a namespace of its own, where no test beside this one sees what is left. */
  it.each([
    ["where there are no marks, a process that lost its parent", "marks: false", "is not found", hidden],
    ["one that lowers its limits too", "", "found by the mark", lowered],
  ] as const)("%s makes the end unproven, is named and not signalled", (_what, options, told, leaves) => {
    if (!namespaces) return;
    const marked = mark();
    const script = `
      import { createLauncher } from ${JSON.stringify(library)};
      import { readFileSync } from "node:fs";
      const own = createLauncher({ cgroups: false, ${options} });
      const run = await own.start({ ...${JSON.stringify(shell(`${leaves(marked, nothing)}; sleep 0.3`, marked))}, signal: new AbortController().signal });
      const { cleanup } = await run.ended;
      const left = cleanup.resources.map(({ detail }) => [detail.reason, readFileSync("/proc/" + detail.pid + "/cmdline", "utf8")]);
      await own.close();
      console.log(JSON.stringify([cleanup.state, cleanup.ownership_reason, left, run.ownership.limitations.join(" ")]));
    `;
    const inside = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child", "/bin/sh", "-c", '"$@"; exit', "sh"];
    const { stdout, stderr } = spawnSync("unshare", [...inside, process.execPath, "--input-type=module", "-e", script], { encoding: "utf8" });
    expect(stderr).toBe("");
    const [state, reason, left, limitations]: unknown[] = z.array(z.unknown()).parse(JSON.parse(stdout));
    expect([state, left]).toEqual(["unproven", [["token_mismatch", "sleep\u000062\u0000"]]]);
    expect([reason, limitations]).toEqual([expect.stringContaining("lost their parents"), expect.stringContaining(told)]);
  });

  it("a stranger that loses its parent meanwhile is neither named nor signalled", async () => {
    const [marked, strange] = [mark(), mark()];
    const run = await launcher().start(shell("exec sleep 63", marked));
    spawnSync("/bin/sh", ["-c", hidden(strange, nothing)]);
    await countReaches(strange, 1);
    expect((await run.close()).cleanup).toEqual({ state: "proven", ownership_proof: "group_and_token", resources: [] });
    const strangers = processesWith(strange);
    for (const pid of strangers) process.kill(pid, "SIGKILL");
    expect(strangers.length).toBe(1);
  });

  it("a marked program has the exit, the output and the arguments it has without", async () => {
    const script = 'printf "%s|" "$0" "$@"; echo out; echo err >&2; exit 127';
    const made = { ...shell("", mark()), arguments: ["-c", script, "-name", "--", "a b", "--rttime=1"] };
    const outcomes = await Promise.all([true, false].map(async (marks) => (await launcher({ marks }).start(made)).ended));
    const seen = outcomes.map(({ exit, stdout, stderr }) => [exit.code, stdout.bytes.toString(), stderr.bytes.toString()]);
    expect(seen[0]).toEqual([127, "-name|--|a b|--rttime=1|out\n", "err\n"]);
    expect(seen[1]).toEqual(seen[0]);
  });

  it("a run inside a run is marked too", async () => {
    const marked = mark();
    const script = `
      import { createLauncher } from ${JSON.stringify(library)};
      const own = createLauncher({ cgroups: false });
      const run = await own.start({ ...${JSON.stringify(shell(`${hidden(marked, nothing)}; sleep 0.3`, marked))}, signal: new AbortController().signal });
      const { confirmed, cleanup } = await run.ended;
      await own.close();
      console.log(JSON.stringify([confirmed.mark > 0, cleanup.state]));
    `;
    const run = await launcher().start(program(process.execPath, ["--input-type=module", "-e", script]));
    const { stdout, stderr } = await run.ended;
    expect([stdout.bytes.toString(), stderr.bytes.toString()]).toEqual(['[true,"proven"]\n', ""]);
    expect(processesWith(marked)).toEqual([]);
  });

  it("a user without privileges has the same proof", (context) => {
    if (process.getuid?.() !== 0 || !existsSync("/usr/bin/setpriv")) return context.skip("only root can become such a user, and with setpriv only");
    const marked = mark();
    const script = `
      import { createLauncher } from ${JSON.stringify(library)};
      const own = createLauncher();
      const run = await own.start({ ...${JSON.stringify(shell(`${hidden(marked, nothing)}; sleep 0.3`, marked))}, signal: new AbortController().signal });
      const { confirmed, cleanup } = await run.ended;
      await own.close();
      console.log(JSON.stringify([confirmed.mark > 0, cleanup]));
    `;
    const user = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];
    const { stdout, stderr } = spawnSync("/usr/bin/setpriv", [...user, process.execPath, "--input-type=module", "-e", script], { encoding: "utf8", cwd: "/" });
    if (/EACCES|Permission denied/.test(stderr)) return context.skip("such a user may not read the built library");
    expect([stdout, stderr]).toEqual(['[true,{"state":"proven","ownership_proof":"group_and_token","resources":[]}]\n', ""]);
    expect(processesWith(marked)).toEqual([]);
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
    const escape = hidden(marked, nothing);
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
    const run = await launcher({ cgroups: true }).start(shell(`${hidden(marked, nothing)}; sleep 0.3; exit 2`, marked));
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
    ["group_and_token", "none survive, those without the token found by their mark", 0],
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
