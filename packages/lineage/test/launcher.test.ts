import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createLauncher } from "../src/index.js";
import { countReaches, processesWith } from "./live-processes.js";
import { launcher, mark, program, shell } from "./run-program.js";

const directory = mkdtempSync(join(tmpdir(), "rea-lineage-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, content: string, mode = 0o755): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe.skipIf(process.platform !== "linux")("a program", () => {
  it("gets its arguments as they are, exactly its environment, and a session of its own", async () => {
    const args = ["$(id)", "a b", "'\";&|\n", "", "-x", "ü"];
    const tell = `console.log(JSON.stringify([process.argv.slice(1), Object.keys(process.env).sort(), process.cwd()]))`;
    const run = await launcher().start(
      program(process.execPath, ["-e", tell, "--", ...args], { environment: { GIVEN: "1" }, workingDirectory: directory }),
    );
    expect(await run.observe()).toMatchObject({ launcher_pid: run.pid, process_group_id: run.pid });
    const { reason, exit, stdout, cleanup } = await run.ended;
    expect(JSON.parse(stdout.bytes.toString())).toEqual([args, ["GIVEN", "REA_PROCESS_RUN_ID"], directory]);
    expect([reason, exit, cleanup.state]).toEqual(["exited", { code: 0, signal: null }, "proven"]);
  });

  it("is named by boot, pid and start, with the digest of its file", async () => {
    const run = await launcher().start(program("/bin/sleep", ["60"]));
    expect(run.identity).toMatchObject({ pid: run.pid, resolution: "tick" });
    expect(run.identity?.bootId).toMatch(/^[0-9a-f-]{36}$/);
    expect(run.executable.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(run.ownership).toMatchObject({ proof: "group_and_token" });
    expect(run.ownership.stronger.map(({ proof }) => proof)).toEqual(["pid_namespace", "cgroup", "job_object"]);
    const observed = await run.observe();
    expect(observed).toMatchObject({ status: "verified", launcher_parent_pid: process.pid, descendants: [] });
    await run.close();
    expect(await run.observe()).toMatchObject({ status: "unavailable", reason: "launcher_not_live" });
  });

  it("that became another program than declared is not verified, unless it was said", async () => {
    const become = shell("exec sleep 60", mark());
    for (const [request, status] of [[become, "unavailable"], [{ ...become, becomes: ["/usr/bin/sleep"] }, "verified"]] as const) {
      const run = await launcher().start(request);
      await countReaches(request.environment["MARK"] ?? "", 1);
      await expect.poll(async () => (await run.observe()).status).toBe(status);
      await run.close();
    }
  });

  it("that floods its output is kept to the bound at the wanted end, with exact totals, and never blocks", async () => {
    const flood = "head -c 3000000 /dev/zero; echo; echo the end";
    const [head, tail] = await Promise.all(
      (["head", "tail"] as const).map(async (keep) => (await launcher().start(shell(flood, mark(), { keep, outputBytes: 100 }))).ended),
    );
    expect(head?.stdout).toMatchObject({ totalBytes: 3_000_009, truncated: true });
    expect(head?.stdout.bytes).toEqual(Buffer.alloc(100));
    expect(tail?.stdout.bytes.length).toBe(100);
    expect(tail?.stdout.bytes.toString().endsWith("\0\nthe end\n")).toBe(true);
  });

  it("that ends at once, while it is still being looked at, has its output all the same", async () => {
    const runs = Array.from({ length: 20 }, () => launcher({ cgroups: false }).start(program("/bin/echo", ["short"])).then(({ ended }) => ended));
    expect((await Promise.all(runs)).map(({ stdout }) => stdout.bytes.toString())).toEqual(Array.from({ length: 20 }, () => "short\n"));
  });

  it("that writes without end is ended at the bound when that was asked", async () => {
    const run = await launcher().start(program("/usr/bin/yes", [], { outputBytes: 10, endWhenOutputPassed: true }));
    expect(await run.ended).toMatchObject({ reason: "output_limit", cleanup: { state: "proven" }, stdout: { truncated: true } });
  });

  it("reads what it is sent, and may end without reading it", async () => {
    const bytes = Buffer.alloc(300_000, "ab\n");
    const read = await launcher().start(program("/bin/cat", [], { stdin: bytes, outputBytes: 1_000_000 }));
    expect((await read.ended).stdout.bytes.equals(bytes)).toBe(true);
    const unread = await launcher().start(program("/bin/true", [], { stdin: bytes }));
    expect(await unread.ended).toMatchObject({ reason: "exited", exit: { code: 0 } });
  });

  it("says goodbye on TERM before it is killed, and is killed when it will not go", async () => {
    const polite = await launcher().start(shell("trap 'echo bye; exit 4' TERM; echo up; while :; do sleep 0.02; done", mark(), { settleMs: 20_000 }));
    await expect.poll(() => polite.output().stdout.bytes.toString()).toBe("up\n");
    expect(await polite.close()).toMatchObject({ reason: "closed", exit: { code: 4 }, cleanup: { state: "proven" } });
    expect(polite.output().stdout.bytes.toString()).toBe("up\nbye\n");
    const deaf = await launcher().start(shell("trap '' TERM; echo up; while :; do sleep 0.02; done", mark(), { deadlineMs: 700 }));
    expect(await deaf.ended).toMatchObject({ reason: "timeout", exit: { signal: "SIGKILL" }, cleanup: { state: "proven" } });
  });

  it("gets signals for itself and for its group", async () => {
    const run = await launcher().start(shell("trap 'exit 9' USR1; while :; do sleep 0.02; done", mark()));
    await run.snapshot();
    await expect.poll(async () => run.signal("SIGUSR1")).toBe("gone");
    expect((await run.ended).reason).toBe("exited");
    expect(await run.signal("SIGTERM", "group")).toBe("gone");
  });

  it("leaves unrelated processes of the same program alone", async () => {
    const [one, two] = await Promise.all([launcher(), launcher()].map((each) => each.start(program("/bin/sleep", ["60"]))));
    await one?.close();
    expect(await two?.observe()).toMatchObject({ status: "verified" });
  });
});

describe.skipIf(process.platform !== "linux")("a launcher", () => {
  it("ends everything when it is closed, and starts nothing more", async () => {
    const marked = mark();
    const own = createLauncher({ cgroups: false });
    for (let each = 0; each < 3; each += 1) await own.start(shell("sleep 60 & sleep 61", marked));
    await countReaches(marked, 6);
    expect(await own.close()).toEqual({ remaining: [] });
    expect(processesWith(marked)).toEqual([]);
    expect(await own.close()).toEqual({ remaining: [] });
    await expect(own.start(shell("true", marked))).rejects.toMatchObject({ code: "provider_unavailable", details: { reason: "closing" } });
  });

  it.each([
    ["a relative path", () => ({ executable: "sh" }), "invalid_request"],
    ["a reserved variable", () => ({ environment: { REA_PROCESS_RUN_ID: "x" } }), "invalid_request"],
    ["a NUL in an argument", () => ({ arguments: ["a\0b"] }), "invalid_request"],
    ["a working directory that is not there", () => ({ workingDirectory: "/does/not/exist" }), "invalid_request"],
    ["no deadline", () => ({ deadlineMs: Number.POSITIVE_INFINITY }), "invalid_request"],
    ["a missing program", () => ({ executable: "/does/not/exist" }), "target_unavailable"],
    ["a directory", () => ({ executable: directory }), "target_unavailable"],
    ["text that names no interpreter", () => ({ executable: file("text", "echo hello\n") }), "target_unavailable"],
    ["a script whose interpreter is missing", () => ({ executable: file("script", "#!/does/not/exist\n") }), "target_unavailable"],
    ["a program nobody may execute", () => ({ executable: file("plain", "#!/bin/sh\n", 0o644) }), "target_unavailable"],
    ["a header that the system cannot run", () => ({ executable: file("broken", "\x7fELF\0\0\0\0") }), "target_unavailable"],
    ["arguments beyond what the system takes", () => ({ arguments: ["x".repeat(4_000_000)] }), "provider_unavailable"],
  ])("refuses %s with a typed error and starts nothing", async (_what, change, code) => {
    const own = launcher();
    await expect(own.start(program("/bin/true", [], change()))).rejects.toMatchObject({ code });
    expect(await own.close()).toEqual({ remaining: [] });
  });

  it("runs scripts by their interpreter and starts nothing once cancelled", async () => {
    const script = file("hello", "#!/bin/sh\necho hello $1\n");
    const { ended } = await launcher().start(program(script, ["you"]));
    expect((await ended).stdout.bytes.toString()).toBe("hello you\n");
    const signal = AbortSignal.abort();
    await expect(launcher().start(program(script, [], { signal }))).rejects.toMatchObject({ code: "cancelled" });
  });
});
