import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.js";

/** Programs that people run, as they would run them, and what the page says of each. */

const place = realpathSync(mkdtempSync(join(tmpdir(), "rea-cli-walk-")));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const env = { ...process.env, REA_LOG_LEVEL: "silent", NO_COLOR: "1" };
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const captured = (...words: string[]) => runCli(["capture-process", ...words], { env, cwd: place });

/** Live processes that were started with these arguments. */
function alive(argument: string): string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/u.test(name) && commandOf(name).includes(argument));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0").join(" ");
  } catch {
    return "";
  }
}

function scenario(name: string, value: object): string {
  const file = join(place, `${name}.json`);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

describe.skipIf(process.platform !== "linux")("rea capture-process", () => {
  it.skipIf(!has("git"))("tells what git clone made (skipped: no git on this host)", async () => {
    const git = (...words: string[]) => spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: join(place, "source") }).status;
    spawnSync("git", ["init", "-q", "source"], { cwd: place });
    writeFileSync(join(place, "source", "a"), "a");
    expect([git("add", "a"), git("commit", "-qm", "a")]).toEqual([0, 0]);
    const { status, stdout } = await captured("--", "git", "clone", "source", "x");
    expect([status, stdout.split("\n")[0]]).toEqual([0, expect.stringContaining("git exited with 0")]);
    expect(stdout).toMatch(/Processes \(\d+\)\n {2}\S*git clone source x/u);
    expect(stdout).toMatch(/\+ x\/ and \d+ inside/u);
    expect(stdout).toContain("│ Cloning into 'x'...");
  });

  it.skipIf(!has("npm"))("shows what npm says (skipped: no npm on this host)", async () => {
    const version = spawnSync("npm", ["--version"], { encoding: "utf8" }).stdout.trim();
    const { stdout } = await captured("--", "npm", "--version");
    expect(stdout).toContain("exited with 0");
    expect(stdout).toContain(`│ ${version}`);
  });

  it.skipIf(!has("vim"))("drives vim to :q by what is typed (skipped: no vim on this host)", async () => {
    const events = [{ kind: "input", at_ms: 2500, data: ":q\r" }];
    const { stdout } = await captured(scenario("vim", { executable: "vim", arguments: ["-u", "NONE", "-N"], events, timeout_ms: 60_000 }));
    expect(stdout).toContain("exited with 0");
    expect(stdout).toMatch(/cleanup {4}proven/u);
  });

  it("ends a program that ignores TERM at its time limit, and says what proves that it is gone", async () => {
    const { stdout } = await captured(scenario("deaf", { executable: "sh", arguments: ["-c", "trap '' TERM; while :; do sleep 0.0971; done"], timeout_ms: 1500 }));
    expect(stdout).toContain("was ended at its time limit");
    expect(stdout).toMatch(/cleanup {4}proven by (cgroup|group_and_token)/u);
    expect(alive("sleep 0.0971")).toEqual([]);
  });

  it.each([
    ["with the token", "(setsid sleep 6161 & exit 0) </dev/null >/dev/null 2>&1; sleep 0.3", "sleep 6161", "none"],
    ["with an emptied environment", "(setsid env -i sleep 6262 & exit 0) </dev/null >/dev/null 2>&1; sleep 0.3", "sleep 6262", "none"],
    ["in a namespace of its own", "(setsid env -i sleep 6363 & exit 0) </dev/null >/dev/null 2>&1; sleep 0.3", "sleep 6363", "pid_namespace"],
  ])("mentions what forked twice into a new session %s, and leaves none of it", async (_how, script, argument, isolation) => {
    const { stdout } = await captured(scenario("fork", { executable: "sh", arguments: ["-c", script], isolation }));
    expect(stdout).toContain("exited with 0");
    expect(stdout).toContain("processes were still alive when the capture ended");
    expect(stdout).toContain(`\n  ${argument}`);
    expect(stdout).toMatch(isolation === "none" ? /cleanup {4}proven by (cgroup|group_and_token)/u : /cleanup {4}proven by pid_namespace/u);
    expect(alive(argument).filter((pid) => !commandOf(pid).includes("setsid"))).toEqual([]);
  });
});
