import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { capture, shell } from "./capture-support.js";

const packages = join(import.meta.dirname, "..", "..");
const built = (name: string): string => join(packages, name, "dist", "index.js");
/** How often each mode is killed; the soak run asks for more. */
const rounds = Number(process.env["REA_KILL_ROUNDS"] ?? "2");

/** Live processes that carry a text of the test in their environment or arguments. */
function carrying(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && !isZombie(pid) && ["environ", "cmdline"].some((file) => read(`/proc/${String(pid)}/${file}`).includes(mark)));
}

function isZombie(pid: number): boolean {
  return /^\d+ \(.*\) [ZX] /s.test(read(`/proc/${String(pid)}/stat`));
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

async function until(holds: () => boolean, timeMs = 240_000): Promise<boolean> {
  for (const end = Date.now() + timeMs; Date.now() < end && !holds(); ) await sleep(20);
  return holds();
}

/** A deaf program, children that left the session with and without the token, and a plain one. */
const tree = (mark: string): string =>
  `trap '' TERM HUP; (setsid sleep 71 </dev/null >/dev/null 2>&1 &); (setsid env -i MARK=${mark} sleep 72 </dev/null >/dev/null 2>&1 &); sleep 73`;

interface Mode {
  readonly isolation: string;
  readonly cgroups: boolean;
}

async function survivors(mark: string, { isolation, cgroups }: Mode, promised: number, temporary: string): Promise<number> {
  const scenario = { executable: "/bin/sh", arguments: ["-c", tree(mark)], environment: [{ name: "MARK", value: mark }], isolation };
  const script = `
    import { createLauncher } from ${JSON.stringify(built("lineage"))};
    import { captureProcess, parseScenario } from ${JSON.stringify(built("capture"))};
    const host = { launcher: createLauncher({ cgroups: ${String(cgroups)} }), environment: process.env, version: "test" };
    await captureProcess({ scenario: parseScenario(${JSON.stringify(scenario)}), host, signal: new AbortController().signal, progress: { report: () => undefined } });
  `;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit", env: { PATH: "/usr/bin:/bin", TMPDIR: temporary } });
  const isOwner = (pid: number): boolean => pid === owner.pid;
  if (!(await until(() => carrying(mark).filter((pid) => !isOwner(pid)).length >= 4))) throw new Error("the program did not come up");
  owner.kill("SIGKILL");
  await sleep(1_000);
  await until(() => carrying(mark).length <= promised);
  return carrying(mark).length;
}

describe.skipIf(process.platform !== "linux")("when the one who captures is killed in the middle", () => {
  it.each([
    ["in a namespace", { isolation: "pid_namespace", cgroups: false }, 0],
    ["by token and mark", { isolation: "none", cgroups: false }, 0],
    ["in a control group", { isolation: "none", cgroups: true }, 0],
  ] as const)("what it ran %s does not survive", async (_how, mode, promised) => {
    if (!existsSync(built("capture"))) throw new Error("build the package first: tsc -b packages/capture");
    const temporary = mkdtempSync(join(tmpdir(), "rea-killed-test-"));
    for (let round = 0; round < rounds; round += 1) {
      const mark = `rea-test-${randomUUID()}`;
      const left = await survivors(mark, mode, promised, temporary);
      for (const pid of carrying(mark)) process.kill(pid, "SIGKILL");
      expect(left).toBe(promised);
    }
    // Each owner but the first has removed what the one before it left; the next capture removes the last.
    expect(readdirSync(temporary).length).toBe(1);
    vi.stubEnv("TMPDIR", temporary);
    await capture(shell("true"));
    vi.unstubAllEnvs();
    expect(readdirSync(temporary)).toEqual([]);
    rmSync(temporary, { recursive: true });
  }, 86_400_000);
});

describe.skipIf(process.platform !== "linux")("a program that forks twice into a session of its own", () => {
  it.each([
    ["with the token", "none", (mark: string) => `(setsid sleep 61 & exit 0) </dev/null >/dev/null 2>&1; sleep 0.2; : ${mark}`],
    ["with an emptied environment", "none", (mark: string) => `(setsid env -i MARK=${mark} sleep 61 & exit 0) </dev/null >/dev/null 2>&1; sleep 0.2`],
    ["with an emptied environment, in a namespace", "pid_namespace", (mark: string) => `(setsid env -i MARK=${mark} sleep 62 & exit 0) </dev/null >/dev/null 2>&1; sleep 0.2`],
  ])("%s leaves nothing", async (_how, isolation, script) => {
    const mark = `rea-test-${randomUUID()}`;
    const captured = await capture(shell(script(mark), { isolation, environment: [{ name: "MARK", value: mark }] }));
    expect(captured.cleanup).toMatchObject({ state: "proven", resources: [] });
    expect(carrying(mark)).toEqual([]);
  });

  it("with an emptied environment, holding the terminal, leaves nothing", async () => {
    const mark = `rea-test-${randomUUID()}`;
    const captured = await capture(shell(`(setsid env -i MARK=${mark} sleep 63 & exit 0); sleep 0.05`, { settle_ms: 0 }));
    expect(captured.cleanup).toMatchObject({ state: "proven", resources: [] });
    expect(carrying(mark)).toEqual([]);
  });
});
