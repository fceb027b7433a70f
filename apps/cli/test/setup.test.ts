import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "@rea/core";
import { afterAll, expect, test } from "vitest";
import { cliMain, runCli } from "./run-cli.js";

const place = mkdtempSync(join(tmpdir(), "rea-setup-"));
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

const result = z.looseObject({
  status: z.string(),
  planned_actions: z.array(z.looseObject({ id: z.string(), operation: z.string(), diff: z.string().nullable() })),
  applied_actions: z.array(z.looseObject({ id: z.string() })),
  clients: z.record(z.string(), z.looseObject({ state: z.string() })),
  remediation: z.string().nullable(),
});
const report = z.looseObject({
  healthy: z.boolean(),
  checks: z.array(z.looseObject({ name: z.string(), ok: z.boolean(), remediation: z.string().nullable(), detail: z.string() })),
  identity: z.looseObject({ registrations: z.array(z.looseObject({ client: z.string(), state: z.string() })), skill: z.looseObject({ state: z.string() }) }),
});

function home(name: string, markers: readonly string[] = [".codex", ".cursor"]) {
  const path = join(place, name);
  for (const marker of markers) mkdirSync(join(path, marker), { recursive: true });
  mkdirSync(path, { recursive: true });
  const { XDG_CONFIG_HOME: _config, CODEX_HOME: _codex, CLAUDE_CONFIG_DIR: _claude, JAVA_HOME: _java, ...others } = process.env;
  const env: NodeJS.ProcessEnv = { ...others, HOME: path };
  const rea = (...args: string[]) => runCli(args, { env });
  return { path, env, rea };
}

const json = <T>(schema: z.ZodType<T>, { stdout }: { readonly stdout: string }): T => schema.parse(JSON.parse(stdout));

test("several clients and nobody to ask: the plan, exit 1 and nothing changed", async () => {
  const { path, rea } = home("ask");
  const ended = await rea("setup", "--json");
  expect(ended.status).toBe(1);
  expect(json(result, ended)).toMatchObject({ status: "needs_confirmation", clients: { codex: { state: "planned" }, cursor: { state: "planned" } }, remediation: expect.stringContaining("rea setup --all-detected --yes") });
  expect(existsSync(join(path, ".codex", "config.toml"))).toBe(false);
  const dry = await rea("setup", "--dry-run", "--json", "--client", "codex");
  expect(dry.status).toBe(0);
  expect(json(result, dry).planned_actions.map(({ id }) => id)).toEqual(["configure_client:codex", "install_skill"]);
  expect(existsSync(join(path, ".agents"))).toBe(false);
});

test("set up, unchanged, healthy, drifted, repaired, uninstalled to the byte", async () => {
  const { path, rea } = home("cycle");
  const file = join(path, ".codex", "config.toml");
  writeFileSync(file, 'model = "o9" # mine\n');
  const first = await rea("setup", "--all-detected", "--yes", "--json");
  expect(first.status).toBe(0);
  expect(json(result, first)).toMatchObject({ status: "ready", clients: { codex: { state: "configured" }, cursor: { state: "configured" } } });
  expect(json(result, first).applied_actions.map(({ id }) => id)).toEqual(["configure_client:codex", "configure_client:cursor", "install_skill"]);
  expect(json(result, await rea("setup", "--all-detected", "--yes", "--json"))).toMatchObject({ planned_actions: [], clients: { codex: { state: "unchanged" }, cursor: { state: "unchanged" } } });
  const healthy = await rea("doctor", "--client", "codex", "--skill", "--json");
  expect(healthy.status).toBe(0);
  expect(json(report, healthy)).toMatchObject({ healthy: true, identity: { skill: { state: "aligned" }, registrations: [{ client: "codex", state: "aligned" }, { client: "cursor", state: "aligned" }] } });

  writeFileSync(file, readFileSync(file, "utf8").replace(cliMain, "/elsewhere/cli/dist/main.js").concat('[mcp_servers.rea.env]\nTOKEN = "secret-value-9"\n'));
  const drifted = await rea("doctor", "--json");
  expect(drifted.status).toBe(1);
  expect(drifted.stdout).not.toContain("secret-value-9");
  const finding = json(report, drifted).checks.find(({ name }) => name === "registration:codex");
  expect(finding).toMatchObject({ ok: false, detail: expect.stringContaining("position 1"), remediation: "rea setup --client codex" });
  expect(json(result, await rea("setup", "--client", "codex", "--yes", "--json")).status).toBe("ready");
  expect(readFileSync(file, "utf8")).toContain("secret-value-9");

  const gone = await rea("uninstall", "--yes", "--json");
  expect(gone.status).toBe(0);
  expect(json(result, gone)).toMatchObject({ status: "ready", clients: { codex: { state: "removed" }, cursor: { state: "removed" } } });
  expect(readFileSync(file, "utf8")).toBe('model = "o9" # mine\n');
  expect(existsSync(join(path, ".cursor", "mcp.json"))).toBe(false);
  expect(existsSync(join(path, ".agents", "skills", "rea"))).toBe(false);
});

test("one malformed file stops everything, with its line and column", async () => {
  const { path, rea } = home("malformed");
  writeFileSync(join(path, ".cursor", "mcp.json"), '{\n  "mcpServers": {,\n}\n');
  const ended = await rea("setup", "--all-detected", "--yes", "--json");
  expect(ended.status).toBe(1);
  expect(json(result, ended)).toMatchObject({ status: "failed", applied_actions: [], clients: { cursor: { state: "failed", line: 2, column: 18 }, codex: { state: "planned" } }, remediation: expect.stringContaining("mcp.json:2:18") });
  expect(existsSync(join(path, ".codex", "config.toml"))).toBe(false);
  const doctor = await rea("doctor", "--json");
  expect(json(report, doctor).checks.find(({ name }) => name === "registration:cursor")).toMatchObject({ ok: false, remediation: expect.stringContaining("Correct line 2") });
});

test("Hopper is never installed: the rest is done and a person is told what to do", async () => {
  const { rea } = home("hopper");
  const ended = await rea("setup", "--client", "codex", "--install-hopper", "--yes", "--json");
  expect(ended.status).toBe(1);
  expect(json(result, ended)).toMatchObject({ status: "needs_human", clients: { codex: { state: "configured" } }, remediation: expect.stringContaining("HOPPER_LAUNCHER_PATH") });
  expect(json(result, ended).applied_actions.map(({ id }) => id)).not.toContain("install_hopper");
});

test("every failed check of doctor has a remedy, and a wrong setting is named without its value", async () => {
  const { env, path } = home("settings", []);
  const ended = await runCli(["doctor", "--json", "--target", join(path, "missing"), "--provider", "nothing"], { env: { ...env, JAVA_HOME: "./evil", REA_LOG_LEVEL: "silent" } });
  expect(ended.status).toBe(1);
  const { checks } = json(report, ended);
  for (const { ok, remediation } of checks) expect(ok || (remediation !== null && remediation !== "")).toBe(true);
  expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(expect.arrayContaining(["setting:JAVA_HOME", "target", "engine:named"]));
  expect(ended.stdout).not.toContain("./evil");
});

test("no home directory is a typed error with the variable in it", async () => {
  const { HOME: _home, ...env } = process.env;
  const ended = await runCli(["setup", "--json"], { env: { ...env, HOME: "relative" } });
  expect(ended.status).toBe(1);
  expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: "configuration_invalid", details: { setting: "HOME" } } });
});

test("an unknown client is a usage error that names the known ones", async () => {
  const ended = await home("usage").rea("setup", "--client", "emacs");
  expect(ended.status).toBe(2);
  expect(ended.stderr).toContain("claude_code, claude_desktop, codex");
});

test("purging data removes two directories and follows no link", async () => {
  const { path, rea } = home("purge", []);
  mkdirSync(join(path, ".rea", "cache", "analysis"), { recursive: true });
  mkdirSync(join(path, "precious"));
  writeFileSync(join(path, "precious", "file"), "x");
  symlinkSync(join(path, "precious"), join(path, ".rea", "state"));
  symlinkSync(join(path, "precious"), join(path, ".rea", "cache", "link"));
  expect((await rea("uninstall", "--purge-data", "--json")).status).toBe(1);
  expect(existsSync(join(path, ".rea", "cache"))).toBe(true);
  const ended = await rea("uninstall", "--purge-data", "--yes", "--json");
  expect(json(result, ended).applied_actions).toMatchObject([{ id: `purge_data:${join(path, ".rea", "cache")}` }]);
  expect(existsSync(join(path, ".rea", "cache"))).toBe(false);
  expect(readFileSync(join(path, "precious", "file"), "utf8")).toBe("x");
});

test("rea mcp doctor has a session with the real server and finds nothing wrong", async () => {
  const { rea } = home("mcp", []);
  const ended = await rea("mcp", "doctor", "--json");
  const found = z.looseObject({ healthy: z.boolean(), checks: z.array(z.looseObject({ name: z.string(), ok: z.boolean() })) }).parse(JSON.parse(ended.stdout));
  expect(found.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(found.checks.map(({ name }) => name)).toEqual(["session", "stdout", "exit", "inventory", "schemas", "identity"]);
  expect(ended.status).toBe(0);
});

test("a probe starts what is registered, and says when that is not there", async () => {
  const { path, rea } = home("probe", [".cursor"]);
  await rea("setup", "--client", "cursor", "--yes", "--json");
  const good = json(report, await rea("doctor", "--probe", "--json")).checks.find(({ name }) => name === "probe:cursor");
  expect(good).toMatchObject({ ok: true, detail: expect.stringMatching(/initialize in \d+ ms .* lists \d+ tools/) });
  const file = join(path, ".cursor", "mcp.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(process.execPath, "/no/such/node"));
  const bad = await rea("doctor", "--probe", "--json");
  expect(bad.status).toBe(1);
  expect(json(report, bad).checks.find(({ name }) => name === "probe:cursor")).toMatchObject({ ok: false });
});

/** The CLI as npm puts it into a global prefix, and an npm that answers from a file. */
function globalInstallation(name: string, latest: string) {
  const prefix = join(place, name);
  const holder = join(prefix, "lib", "node_modules", "@rea", "cli");
  mkdirSync(join(holder, ".."), { recursive: true });
  mkdirSync(join(prefix, "bin"), { recursive: true });
  const copied = spawnSync("cp", ["-r", join(cliMain, "..", ".."), holder]);
  if (copied.status !== 0) throw new Error("cannot copy");
  symlinkSync(join(holder, "dist", "main.js"), join(prefix, "bin", "rea"));
  const node = join(prefix, "bin", "node");
  spawnSync("cp", [process.execPath, node]);
  const log = join(prefix, "npm.log");
  const npm = join(prefix, "bin", "npm");
  writeFileSync(npm, `#!/bin/sh\necho "$@" >> "${log}"\ncase "$1" in view) printf '%s' '${latest}';; install) exit 0;; esac\n`);
  chmodSync(npm, 0o755);
  const { env } = home(`${name}-home`, []);
  const upgrade = () => spawnSync(node, [join(prefix, "bin", "rea"), "upgrade", "--json"], { env, encoding: "utf8" });
  return { prefix, upgrade, asked: () => (existsSync(log) ? readFileSync(log, "utf8") : "") };
}

test("upgrade installs a newer version into its own prefix, and nothing that is older or no version", () => {
  const newer = globalInstallation("newer", '"99.0.0"');
  expect(JSON.parse(newer.upgrade().stdout)).toMatchObject({ status: "upgraded", to: "99.0.0", integration_sync: "deferred" });
  expect(newer.asked()).toContain(`install --global --prefix ${newer.prefix} @rea/cli@99.0.0`);
  const older = globalInstallation("older", '"0.0.1-rc.1"');
  expect(JSON.parse(older.upgrade().stdout)).toMatchObject({ status: "current", latest: "0.0.1-rc.1" });
  expect(older.asked()).not.toContain("install");
  const strange = globalInstallation("strange", '{"dist-tags":{"latest":"x"}}');
  const ended = strange.upgrade();
  expect(ended.status).toBe(1);
  expect(JSON.parse(ended.stdout)).toMatchObject({ status: "failed", reason: "version_check" });
});

test("a checkout is not upgraded, and says how it is", async () => {
  const ended = await home("checkout", []).rea("upgrade", "--json");
  expect(ended.status).toBe(1);
  expect(JSON.parse(ended.stdout)).toMatchObject({ status: "failed", reason: "unknown_install_method" });
});
