import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { commitmentsOf } from "../src/commitments.js";
import { summarize, wholeOf } from "../src/index.js";
import { capture, everything, lastScreen, output, shell } from "./capture-support.js";

const isLinux = process.platform === "linux";
const directory = mkdtempSync(join(tmpdir(), "rea-capture-test-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const has = (program: string): boolean => existsSync(`/usr/bin/${program}`);

function fresh(name: string): string {
  const path = join(directory, name);
  mkdirSync(path);
  return path;
}

describe.skipIf(!isLinux)("a captured program", () => {
  it("has its exit, its output, its screen and its place in one journal whose commitments hold", async () => {
    const captured = await capture(shell("printf 'one\\ntwo'; exit 3"));
    expect(captured.exit).toMatchObject({ code: 3, signal: null, reason: "exited" });
    expect(output(captured).toString()).toBe("one\r\ntwo");
    expect(lastScreen(captured)).toEqual(["one", "two"]);
    expect(captured.settlement.state).toBe("quiesced");
    expect(captured.cleanup).toMatchObject({ state: "proven", resources: [] });
    expect(captured.event_journal.map(({ capture_order }) => capture_order)).toEqual(captured.event_journal.map((_, index) => index + 1));
    const { manifest, ...body } = captured;
    expect(commitmentsOf(manifest, body)).toEqual(manifest.commitments);
    expect(captured.process_samples[0]?.appeared[0]).toMatchObject({ process: 0, arguments: ["/bin/sh", "-c", "printf 'one\\ntwo'; exit 3"] });
  });

  it("gets the environment that was listed, and a home and a directory of its own that are gone afterwards", async () => {
    const environment = { PATH: "/usr/bin:/bin", SECRETIVE: "x", KEPT: "kept", HOME: "/nowhere" };
    const tell = "echo $KEPT-$SECRETIVE-$GIVEN-$TERM; echo $HOME; pwd; echo a > file";
    const captured = await capture(shell(tell, { inherit_names: ["KEPT"], environment: [{ name: "GIVEN", value: "g" }] }), { environment });
    const [first, home = "", work = ""] = output(captured).toString().split("\r\n");
    expect(first).toBe("kept--g-xterm-256color");
    expect([existsSync(home), existsSync(work)]).toEqual([false, false]);
    expect(captured.normalized_terminal.text).toContain("<home>\\u{d}\n<work>");
    expect(captured.filesystem_effects).toMatchObject([{ path: "file", effect: "created", after: { bytes: 2 } }]);
  });

  it("is typed to, resized, signalled and told of the end of its input, at the times that were set", async () => {
    const script = "trap 'echo got INT' INT; trap 'stty size' WINCH; read -r a; echo \"a=$a\"; sleep 2 & wait; wait; cat; echo end";
    const captured = await capture(
      shell(script, {
        terminal: { columns: 50, rows: 12 },
        events: [
          { kind: "input", at_ms: 50, data: "typed\n" },
          { kind: "resize", at_ms: 600, columns: 70, rows: 20 },
          { kind: "signal", at_ms: 1200, signal: "SIGINT" },
          { kind: "close_stdin", at_ms: 1800 },
          { kind: "input", at_ms: 200_000, data: "too late" },
        ],
      }),
    );
    expect(output(captured).toString()).toMatch(/a=typed[^]*20 70[^]*got INT[^]*end/);
    expect(captured.interaction_events.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ["input", "dispatched"],
      ["resize", "dispatched"],
      ["signal", "dispatched"],
      ["close_stdin", "dispatched"],
      ["input", "target_exited"],
    ]);
    expect(captured.rendered_frames.at(-1)).toMatchObject({ columns: 70, rows: 20 });
  });

  it("takes checkpoints at texts, at its exit and when all is quiet", async () => {
    const checkpoints = [
      { name: "second", trigger: { kind: "terminal_literal", value: "tick", occurrence: 2 } },
      { name: "gone", trigger: { kind: "root_exit" } },
      { name: "quiet", trigger: { kind: "settled" } },
      { name: "never", trigger: { kind: "terminal_literal", value: "tock" } },
    ];
    const captured = await capture(shell("echo tick; echo a > one; sleep 0.1; echo ti; printf 'ti'; printf 'ck'; sleep 1; rm one", { checkpoints, settle_ms: 500 }));
    expect(captured.rendered_frames.filter(({ trigger }) => trigger === "checkpoint").map(({ checkpoint }) => checkpoint)).toEqual(["second", "gone", "quiet"]);
    expect(captured.filesystem_checkpoints.map(({ name, roots }) => [name, roots[0]?.entries])).toEqual([
      ["before", 1],
      ["second", 2],
      ["gone", 1],
      ["quiet", 1],
      ["after", 1],
    ]);
    expect(captured.limitations).toContain("Checkpoint never was not reached.");
  });

  it.each(["none", "pid_namespace"])("that ignores TERM and starts a deaf child is ended at its time limit (%s)", async (isolation) => {
    const captured = await capture(shell("trap '' TERM HUP; (trap '' TERM HUP; sleep 60) & while :; do sleep 0.05; done", { timeout_ms: 600, isolation }));
    expect(captured.exit).toMatchObject({ reason: "timeout", signal: "SIGKILL" });
    expect(captured.settlement.state).toBe("alive_at_deadline");
    expect(captured.cleanup).toMatchObject({ state: "proven", resources: [] });
  });

  it("that says nothing any more is ended for it, and one that keeps on talking is not", async () => {
    const silent = await capture(shell("echo a; sleep 60", { idle_timeout_ms: 300 }));
    expect(silent.exit.reason).toBe("idle_timeout");
    const busy = await capture(shell("for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.1; done", { idle_timeout_ms: 700 }));
    expect(busy.exit).toMatchObject({ reason: "exited", code: 0 });
  });

  it("leaves in its settle time what it started, and that is ended and told", async () => {
    const captured = await capture(shell("trap '' HUP; (sleep 0.15; echo late > late) & sleep 60 & exit 0", { settle_ms: 400 }));
    expect(captured.settlement.state).toBe("alive_at_deadline");
    expect(captured.filesystem_effects.map(({ path }) => path)).toEqual(["late"]);
    expect(captured.cleanup.state).toBe("proven");
  });

  it("has its files compared: created, modified, deleted, links out of the root, and unknown where a bound was met", async () => {
    const root = fresh("files");
    for (const name of ["kept", "changed", "removed"]) writeFileSync(join(root, name), name);
    symlinkSync("/etc/hostname", join(root, "outside"));
    const change = "cd $1; printf CHANGED > changed; rm removed; mkdir sub; echo new > sub/new; chmod 600 kept; ln -s kept inside";
    const captured = await capture({ executable: "/bin/sh", arguments: ["-c", change, "sh", root], filesystem_observation_paths: [root], working_directory: "/" });
    expect(captured.filesystem_effects.map(({ path, effect, after }) => [path, effect, after?.kind ?? null])).toEqual([
      ["changed", "modified", "file"],
      ["inside", "created", "symlink"],
      ["kept", "modified", "file"],
      ["removed", "deleted", null],
      ["sub", "created", "directory"],
      ["sub/new", "created", "file"],
    ]);
    const bounded = await capture({ executable: "/bin/rm", arguments: [join(root, "changed")], filesystem_observation_paths: [root], working_directory: "/", limits: { files: 3 } });
    expect(bounded.filesystem_effects.map(({ effect }) => effect).filter((effect) => effect !== "unknown")).toEqual([]);
    expect(bounded.coverage.state).toBe("partial");
    expect(bounded.residual_unknowns).toMatchObject([{ dimension: "filesystem" }]);
  });

  it("that writes a million lines is read to its end, and kept to the bound", async () => {
    const captured = await capture(shell("seq 1 1000000; echo the end", { limits: { output_bytes: 5_000 }, timeout_ms: 300_000 }));
    expect(captured.exit.code).toBe(0);
    expect(output(captured).length).toBe(5_000);
    expect(lastScreen(captured).slice(-2)).toEqual(["1000000", "the end"]);
    expect(captured.coverage.omissions).toMatchObject([{ scope: "frames", reason: "limit_total_bytes", limit: 5_000 }]);
  }, 120_000);

  it("that writes garbage, asks its terminal questions, or closes it, is captured all the same", async () => {
    const garbage = await capture(shell("head -c 20000 /dev/urandom; printf '\\033c\\377\\303(\\n\\033[31mcafé\\n'; exec >/dev/null 2>&1 </dev/null; sleep 0.1"));
    expect(garbage.exit.reason).toBe("exited");
    const asks = await capture(shell("stty -icanon -echo; printf '\\033[6n'; head -c 6 | od -An -c"));
    expect(output(asks).toString()).toContain("033   [   1   ;   1   R");
  }, 180_000);

  it("answers for its commands by shims, in turn, and says 127 for what nobody answers", async () => {
    const command_shims = [
      { name: "deploy", arguments: ["a b"], outputs: [{ data: "first\n" }, { at_ms: 20, stream: "stderr", data: "second\n" }], exit_code: 5 },
      { name: "deploy", arguments: ["a b"], outputs: [{ data: "again\n" }] },
      { name: "crash", signal: "SIGKILL" },
    ];
    const script = "deploy 'a b'; echo $?; deploy 'a b' | cat; deploy 'a b'; echo $?; deploy x; echo $?; crash; echo $?";
    const captured = await capture(shell(script, { command_shims }));
    expect(output(captured).toString().replaceAll(/Killed\r\n/g, "")).toBe("first\r\nsecond\r\n5\r\nagain\r\n127\r\n127\r\n137\r\n");
    expect(captured.shim_events.map(({ name, outcome, route, call }) => [name, outcome, route, call])).toEqual([
      ["deploy", "matched", 0, 1],
      ["deploy", "matched", 1, 1],
      ["deploy", "exhausted", null, null],
      ["deploy", "unmatched", null, null],
      ["crash", "matched", 2, 1],
    ]);
  }, 60_000);

  it("follows a reactive scenario to its end, and says when its program was lost on the way", async () => {
    const reactive = (answer: string): object => ({
      version: 1,
      initial_state: "asked",
      deadline_ms: 20_000,
      states: [{ name: "asked" }, { name: "answered" }],
      transitions: [
        { from: "asked", predicates: [{ kind: "terminal_text", value: "name?" }], actions: [{ kind: "send_input", data: "ada\n" }, { kind: "checkpoint", name: "typed" }], goto: "answered" },
        { from: "answered", predicates: [{ kind: "terminal_text", value: answer }], finish: true },
      ],
    });
    const script = "printf 'name? '; read -r name; echo hello $name; sleep 0.2";
    const finished = await capture(shell(script, { reactive: reactive("hello ada") }));
    expect(finished.reactive_run).toMatchObject({ outcome: "finished" });
    expect(finished.interaction_events).toMatchObject([{ kind: "input", source: "reactive", outcome: "dispatched" }]);
    expect(finished.rendered_frames.map(({ checkpoint }) => checkpoint)).toContain("typed");
    const lost = await capture(shell(script, { reactive: reactive("goodbye") }));
    expect(lost.reactive_run?.outcome).toBe("target_lost");
  });

  it("talks to the loopback server it was given, and every exchange is recorded", async () => {
    const ask = `require("node:http").get(process.env.REA_REPLAY_HTTP_URL + "/hi", (answer) => { answer.on("data", (data) => process.stdout.write(data)); });`;
    const replay_http = { exchanges: [{ method: "GET", path: "/hi", response: { status: 200, body: { data: "served\n" } } }] };
    const captured = await capture({ executable: process.execPath, arguments: ["-e", ask], replay_http });
    expect(output(captured).toString()).toBe("served\r\n");
    expect(captured.protocol_events.map(({ kind, outcome, path, status }) => [kind, outcome, path, status])).toMatchObject([
      ["request", "matched", "/hi", null],
      ["response", null, null, 200],
    ]);
  });

  it("is summarised on a page that names the whole", async () => {
    const captured = await capture(shell("sh -c 'sleep 0.2; exit 0' & echo x > f; wait"));
    const whole = wholeOf(captured);
    const page = summarize(captured, whole);
    expect(page.capture.sha256).toBe(whole.sha256);
    expect(page.processes.items[0]).toMatchObject({ process: 0, depth: 0 });
    expect(page.processes.items.slice(1).every(({ depth }) => depth > 0)).toBe(true);
    expect(page.filesystem).toMatchObject({ created: 1, unchanged: 1 });
  });
});

describe.skipIf(!isLinux || !has("strace"))("a traced program", () => {
  it("has its short-lived children, files and connections told by the calls they made", async () => {
    const script = "(echo a >x; mv x y; rm y); /bin/true; exec 3<>/dev/null; exit 4";
    const captured = await capture(shell(script, { trace: "syscalls" }));
    if (captured.syscall_events.length === 0) return;
    expect(captured.exit.code).toBe(4);
    const told = captured.syscall_events.map(({ kind, path, result }) => `${kind} ${String(path?.split("/").at(-1))} ${String(result)}`);
    expect(told).toEqual(expect.arrayContaining(["exec sh ok", "open_write x ok", "rename x ok", "exec rm ok", "unlink y ok", "exec true ok"]));
    expect(summarize(captured, wholeOf(captured)).processes.items.map(({ program }) => program?.split("/").at(-1))).toEqual(expect.arrayContaining(["true", "mv"]));
  });
});

describe.skipIf(!isLinux || !has("vim"))("vim", () => {
  it("is opened, typed into and left by input events, with its own screen gone at the end", async () => {
    const captured = await capture({
      executable: "vim",
      arguments: ["-u", "NONE", "-N", "note.txt"],
      checkpoints: [{ name: "inside", trigger: { kind: "time", at_ms: 1500 } }],
      events: [
        { kind: "input", at_ms: 800, data: "ihello from the capture\u001b" },
        { kind: "input", at_ms: 2000, data: ":wq\r" },
      ],
    });
    expect(captured.exit).toMatchObject({ code: 0, reason: "exited" });
    const inside = captured.rendered_frames.find(({ checkpoint }) => checkpoint === "inside");
    expect(inside).toMatchObject({ buffer: "alternate" });
    expect(inside?.lines[0]).toBe("hello from the capture");
    expect(captured.rendered_frames.at(-1)?.buffer).toBe("normal");
    expect(captured.filesystem_effects.find(({ path }) => path === "note.txt")).toMatchObject({ effect: "created", after: { bytes: 23 } });
  });
});

describe.skipIf(!isLinux || !has("git"))("git", () => {
  it("clones a repository, and what it made is told", async () => {
    const source = fresh("repository");
    const git = (...args: string[]): number | null =>
      spawnSync("/usr/bin/git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: source }).status;
    writeFileSync(join(source, "a"), "a");
    expect([git("init", "-q"), git("add", "a"), git("commit", "-qm", "a")]).toEqual([0, 0, 0]);
    const captured = await capture({ executable: "git", arguments: ["clone", source, "copy"] });
    expect(captured.exit.code).toBe(0);
    expect(captured.filesystem_effects.filter(({ effect }) => effect === "created").map(({ path }) => path)).toEqual(expect.arrayContaining(["copy", "copy/a", "copy/.git/HEAD"]));
  });
});

describe.skipIf(!isLinux)("what is hidden", () => {
  const secret = "S3cretValue-0123456789";

  it.each([
    ["echoed by the terminal", "read -r line; sleep 0.1"],
    ["printed again in two halves", "read -r line; printf %s \"${line%0123456789}\"; sleep 0.2; echo 0123456789"],
    ["wrapped over the end of a line", "read -r line; printf '%s' 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'; echo \"$line\""],
    ["wrapped by the program", "read -r line; printf '\\033[H\\033[2J\\033[1;36H'; printf %s \"$line\" | cut -c1-5 | tr -d '\\n'; printf '\\033[2;1H'; printf %s \"$line\" | cut -c6-"],
    ["the name of a file and an argument of a program", "stty -echo; read -r line; touch \"$line\"; sh -c 'sleep 0.2' \"$line\""],
  ])("stays hidden when it is %s", async (_how, script) => {
    const captured = await capture(
      shell(script, {
        terminal: { columns: 40, rows: 10 },
        events: [{ kind: "input", at_ms: 100, data: `${secret}\n`, sensitive: true }],
        checkpoints: [{ name: "end", trigger: { kind: "root_exit" } }],
      }),
    );
    const all = everything(captured);
    expect(all).not.toContain(secret);
    const screen = captured.rendered_frames.map(({ lines }) => lines.join("")).join("\n");
    expect(screen).not.toContain(secret);
    expect(all.replaceAll(/\s/g, "")).not.toContain(secret);
    expect(captured.interaction_events).toMatchObject([{ sensitive: true, data_base64: null, bytes: secret.length + 1 }]);
  });

  it("is a secret of the host's environment as well, which must be there and long enough", async () => {
    const scenario = shell("echo token=$TOKEN; printf '%s' \"$TOKEN\" > f", { secrets: [{ name: "TOKEN", from_env: "HOST_TOKEN" }] });
    const captured = await capture(scenario, { environment: { PATH: "/usr/bin:/bin", HOST_TOKEN: secret } });
    expect(everything(captured)).not.toContain(secret);
    expect(output(captured).toString()).toBe("token=<secret:TOKEN>\r\n");
    await expect(capture(scenario, { environment: { PATH: "/usr/bin:/bin" } })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(capture(scenario, { environment: { PATH: "/usr/bin:/bin", HOST_TOKEN: "abc" } })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe.skipIf(!isLinux)("what cannot be captured", () => {
  const text = join(directory, "text");
  writeFileSync(text, "echo hello\n", { mode: 0o755 });
  const script = join(directory, "script");
  writeFileSync(script, "#!/does/not/exist\n", { mode: 0o755 });

  it.each([
    ["a missing executable", { executable: "/does/not/exist" }, "target_unavailable"],
    ["a name that is in no directory of PATH", { executable: "rea-no-such-program" }, "target_unavailable"],
    ["a relative path", { executable: "bin/sh" }, "invalid_request"],
    ["a directory", { executable: directory }, "target_unavailable"],
    ["text without an interpreter", { executable: text }, "target_unavailable"],
    ["a script whose interpreter is missing", { executable: script }, "target_unavailable"],
    ["a traced program that is missing", { executable: "/does/not/exist", trace: "syscalls" }, has("strace") ? "target_unavailable" : "unsupported_host"],
    ["a working directory that is not there", { executable: "/bin/true", working_directory: "/does/not/exist" }, "invalid_request"],
    ["a reserved variable", { executable: "/bin/true", environment: [{ name: "REA_PROCESS_RUN_ID", value: "x" }] }, "invalid_request"],
    ["a shim with a slash in its name", { executable: "/bin/true", command_shims: [{ name: "a/b" }] }, "invalid_request"],
    ["a shim that stands for its directory", { executable: "/bin/true", command_shims: [{ name: ".." }] }, "invalid_request"],
    ["sensitive input that is too short to be found", { executable: "/bin/true", events: [{ kind: "input", at_ms: 0, data: "abc\n", sensitive: true }] }, "invalid_request"],
    ["events out of order", { executable: "/bin/true", events: [{ kind: "close_stdin", at_ms: 2 }, { kind: "close_stdin", at_ms: 1 }] }, "invalid_request"],
    ["a pattern with look-ahead", { executable: "/bin/true", normalization: { patterns: [{ pattern: "(?=a)", replacement: "" }] } }, "invalid_request"],
    ["two checkpoints of one name", { executable: "/bin/true", checkpoints: [{ name: "a", trigger: { kind: "settled" } }, { name: "a", trigger: { kind: "settled" } }] }, "invalid_request"],
  ])("%s is refused in words, and nothing is left behind", async (_what, scenario, code) => {
    const own = mkdtempSync(join(directory, "tmp-"));
    vi.stubEnv("TMPDIR", own);
    await expect(capture(scenario)).rejects.toMatchObject({ code });
    vi.unstubAllEnvs();
    expect(readdirSync(own)).toEqual([]);
  });

  it("an unknown key is named with its place and what would be valid, at every depth", async () => {
    const scenario = { executable: "/bin/true", limits: { bytes: 1 } };
    await expect(capture(scenario)).rejects.toMatchObject({
      code: "invalid_request",
      details: { issues: [{ path: "scenario.limits.bytes", reason: "unknown_argument", valid_keys: expect.arrayContaining(["output_bytes"]) }] },
    });
  });

  it("a cancelled capture has cleaned up", async () => {
    const controller = new AbortController();
    const running = capture(shell("trap '' TERM; while :; do sleep 0.05; done"), { signal: controller.signal });
    setTimeout(() => controller.abort(), 300);
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
  });
});
