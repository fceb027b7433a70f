import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLauncher, type ProcessLauncher } from "@rea/lineage";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser, type LaunchRequest } from "../../src/browsers/launch-browser.js";
import { ProfileDirectory } from "../../src/browsers/profile-directory.js";
import { processesUsing } from "./processes-using.js";
import { installedBrowser, sandbox } from "./installed-browser.js";

let launcher: ProcessLauncher;
let parent = "";
beforeAll(() => {
  launcher = createLauncher();
});
afterAll(async () => {
  expect(await launcher.close()).toEqual({ remaining: [] });
});
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "rea-test-launch-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function request(more: Partial<LaunchRequest> = {}): LaunchRequest {
  return { executable: installedBrowser ?? "/missing", signal: new AbortController().signal, lifetimeMs: 120_000, sandbox, parent, ...more };
}

/** A stand-in that behaves like a browser in the one respect that is tested. */
function script(text: string): string {
  const path = join(parent, "browser.sh");
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const profiles = (): string[] => readdirSync(parent).filter((name) => name.startsWith("rea-browser-"));

describe.skipIf(installedBrowser === undefined)("a launched browser (skipped without a browser)", () => {
  it("can be debugged at its endpoint, uses a private profile, and is gone with it when closed", async () => {
    const browser = await launchBrowser(launcher, request());
    const version: unknown = await (await fetch(`${browser.endpoint}/json/version`)).json();
    expect(version).toMatchObject({ "Protocol-Version": expect.any(String) });
    const [profile = ""] = profiles();
    expect(lstatSync(join(parent, profile)).mode & 0o777).toBe(0o700);
    expect(processesUsing(profile).length).toBeGreaterThan(1);
    expect(browser.exit()).toBeNull();
    const cleanup = await browser.close();
    expect(cleanup).toMatchObject({ state: "proven", resources: [] });
    expect(await browser.ended).toEqual(cleanup);
    expect(await browser.close()).toEqual(cleanup);
    expect(profiles()).toEqual([]);
    expect(processesUsing(profile)).toEqual([]);
    if (sandbox === "disabled") expect(browser.limitations.join(" ")).toContain("without its sandbox");
  });

  it("that is killed is told as over, and its other processes and its profile go", async () => {
    const browser = await launchBrowser(launcher, request());
    const [profile = ""] = profiles();
    const [main] = processesUsing(profile).filter(({ arguments: args }) => !args.some((argument) => argument.startsWith("--type=")));
    process.kill(main?.pid ?? -1, "SIGKILL");
    expect(await browser.ended).toMatchObject({ state: "proven", resources: [] });
    expect(browser.exit()).toMatchObject({ reason: "exited", signal: "SIGKILL" });
    expect([profiles(), processesUsing(profile)]).toEqual([[], []]);
  });

  it("ends when its caller aborts", async () => {
    const controller = new AbortController();
    const browser = await launchBrowser(launcher, request({ signal: controller.signal }));
    controller.abort();
    expect(await browser.ended).toMatchObject({ state: "proven" });
    expect(browser.exit()).toMatchObject({ reason: "cancelled" });
    expect(profiles()).toEqual([]);
  });

  it.skipIf(process.geteuid?.() !== 0)("is refused with its sandbox as root, before anything is made (skipped unless root)", async () => {
    await expect(launchBrowser(launcher, request({ sandbox: "enabled" }))).rejects.toMatchObject({ code: "unsupported_host", details: { actual: "root" } });
    expect(profiles()).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("a browser that does not come up", () => {
  it("and ends is told with what it wrote, escaped", async () => {
    const failing = launchBrowser(launcher, request({ executable: script("printf 'no \\342\\200\\256display\\n' >&2; exit 7") }));
    await expect(failing).rejects.toMatchObject({
      code: "provider_unavailable",
      details: { reason: "browser_exited", exit: { code: 7, signal: null }, diagnostics: "no \\u{202e}display\n" },
    });
    expect(profiles()).toEqual([]);
  });

  it("and stays silent meets the deadline of its start", async () => {
    const silent = launchBrowser(launcher, request({ executable: script("sleep 600"), startupMs: 300 }));
    await expect(silent).rejects.toMatchObject({ code: "provider_timeout", details: { phase: "browser_start", timeout_ms: 300 } });
    expect(profiles()).toEqual([]);
  });

  it("and tells half of a port is waited for", async () => {
    const half = script('for a; do case $a in --user-data-dir=*) printf 4711 > "${a#--user-data-dir=}/DevToolsActivePort";; esac; done; sleep 600');
    await expect(launchBrowser(launcher, request({ executable: half, startupMs: 300 }))).rejects.toMatchObject({ code: "provider_timeout" });
  });

  it("is ended when its lifetime is over", async () => {
    const stub = script('for a; do case $a in --user-data-dir=*) printf "4711\\n/devtools/browser/x" > "${a#--user-data-dir=}/DevToolsActivePort";; esac; done; sleep 600');
    const browser = await launchBrowser(launcher, request({ executable: stub, lifetimeMs: 5_000 }));
    expect(browser.endpoint).toBe("http://127.0.0.1:4711");
    expect(await browser.ended).toMatchObject({ state: "proven" });
    expect(browser.exit()).toMatchObject({ reason: "timeout" });
  });

  it("and is cancelled leaves nothing", async () => {
    const controller = new AbortController();
    const starting = launchBrowser(launcher, request({ executable: script("sleep 600"), signal: controller.signal }));
    setTimeout(() => controller.abort(), 150);
    await expect(starting).rejects.toMatchObject({ code: "cancelled" });
    expect(profiles()).toEqual([]);
  });

  it("because it does not exist is a missing target", async () => {
    await expect(launchBrowser(launcher, request({ executable: join(parent, "none") }))).rejects.toMatchObject({ code: "target_unavailable" });
    expect(profiles()).toEqual([]);
  });

  it("gets nothing of the environment that it does not need", async () => {
    process.env["REA_TEST_SECRET"] = "hunter2-hunter2";
    try {
      await expect(launchBrowser(launcher, request({ executable: script("env >&2; exit 1") }))).rejects.toMatchObject({
        details: { diagnostics: expect.not.stringContaining("hunter2") },
      });
    } finally {
      delete process.env["REA_TEST_SECRET"];
    }
  });
});

describe.skipIf(process.platform !== "linux")("a profile whose owner was killed (skipped unless Linux)", () => {
  it("is removed by the next launch; those of living ones and of others are not", async () => {
    const module = new URL("../../dist/browsers/profile-directory.js", import.meta.url).href;
    const make = `const { ProfileDirectory } = await import(${JSON.stringify(module)}); await ProfileDirectory.create(${JSON.stringify(parent)}); process.kill(process.pid, "SIGKILL");`;
    spawnSync(process.execPath, ["--input-type=module", "-e", make]);
    const [dead = ""] = profiles();
    const own = await ProfileDirectory.create(mkdtempSync(join(parent, "living-")));
    mkdirSync(join(parent, "rea-browser-abcdef"), { mode: 0o700 });
    await expect(launchBrowser(launcher, request({ executable: script("exit 1") }))).rejects.toMatchObject({ code: "provider_unavailable" });
    expect(dead).not.toBe("");
    expect(profiles()).toEqual(["rea-browser-abcdef"]);
    expect(existsSync(own.root)).toBe(true);
    expect(await own.remove()).toEqual([]);
    expect(existsSync(own.root)).toBe(false);
  });
});
