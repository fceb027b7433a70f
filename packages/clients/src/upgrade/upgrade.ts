import { existsSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { createLauncher, runHostProgram, type ProcessLauncher } from "@rea/lineage";
import { isProgram, programsInPath } from "../doctor/find-program.js";
import { textsOf } from "../doctor/probe.js";
import { registrationOf } from "../doctor/registrations.js";
import type { Installation } from "../registration/installation.js";
import type { PlanHost } from "../setup/plan-client.js";
import { clientIds } from "../table/clients.js";
import { compareVersions, isVersion } from "./semantic-version.js";

export type UpgradeResult =
  | { readonly status: "current"; readonly version: string; readonly latest: string }
  | { readonly status: "upgraded"; readonly from: string; readonly to: string; readonly integration_sync: "setup_invoked" | "deferred" | "failed"; readonly remediation: string | null }
  | { readonly status: "failed"; readonly reason: "unknown_install_method" | "version_check" | "install"; readonly detail: string; readonly remediation: string };

export interface UpgradeRequest extends PlanHost {
  /** Bring the registrations up to date without asking. */
  readonly yes: boolean;
  readonly signal: AbortSignal;
}

const versionCheckMs = 10_000;
const installMs = 300_000;
const setupMs = 60_000;

/**
 * Brings a globally installed REA to the registry's latest version, through the npm beside this Node, in the prefix that
 * owns the running package and no other. Never to an older version.
 */
export async function upgrade(request: UpgradeRequest): Promise<UpgradeResult> {
  const { installation, host } = request;
  const prefix = globalPrefix(installation, host.platform);
  const npm = findNpm(installation, host.env["PATH"]);
  if (prefix === null || npm === null) return unknownMethod(installation);
  const launcher = createLauncher();
  try {
    const run = npmRunner(launcher, npm, request);
    const latest = await latestVersion(run, installation);
    if (latest === null) return failedCheck;
    if (compareVersions(latest, installation.package_version) <= 0) return { status: "current", version: installation.package_version, latest };
    const installed = await run(["install", "--global", "--prefix", prefix, `${installation.package_name}@${latest}`], installMs);
    if (installed === null || installed.code !== 0) return failedInstall(installation, latest);
    const integration_sync = await synchronise(launcher, request);
    const remediation = integration_sync === "setup_invoked" ? null : "rea setup --all-detected";
    return { status: "upgraded", from: installation.package_version, to: latest, integration_sync, remediation };
  } finally {
    await launcher.close();
  }
}

const failedCheck: UpgradeResult = {
  status: "failed",
  reason: "version_check",
  detail: "The registry did not tell the latest version within 10 seconds.",
  remediation: "Check the network and npm's settings (npm config get registry), then run: rea upgrade",
};

function unknownMethod({ package_name, published, cli_path }: Installation): UpgradeResult {
  return {
    status: "failed",
    reason: "unknown_install_method",
    detail: published ? "This REA does not stand in a global prefix of npm." : `This REA runs from a checkout (${cli_path}).`,
    remediation: published ? `Upgrade it with the tool that installed it, for example: pnpm add --global ${package_name}@latest` : "git pull && npm start -- --version",
  };
}

function failedInstall({ package_name }: Installation, latest: string): UpgradeResult {
  return {
    status: "failed",
    reason: "install",
    detail: `npm could not install version ${latest}; the old version is still there.`,
    remediation: `npm install --global ${package_name}@${latest}`,
  };
}

/** The prefix of npm whose global packages the running one is among; null for any other place. */
function globalPrefix({ published, cli_path, package_name }: Installation, platform: NodeJS.Platform): string | null {
  const modules = `${sep}node_modules${sep}`;
  const at = cli_path.indexOf(`${modules}${package_name.replaceAll("/", sep)}${sep}`);
  if (!published || at === -1 || cli_path.slice(0, at).includes(modules)) return null;
  const holder = cli_path.slice(0, at);
  if (platform === "win32") return existsSync(join(holder, "rea.cmd")) ? holder : null;
  const prefix = dirname(holder);
  // npm keeps global packages in lib/node_modules and links their commands into bin.
  if (!holder.endsWith(`${sep}lib`)) return null;
  return isLinkTo(join(prefix, "bin", "rea"), cli_path) ? prefix : null;
}

function isLinkTo(link: string, target: string): boolean {
  try {
    return realpathSync(link) === realpathSync(target);
  } catch {
    return false;
  }
}

/** The npm that belongs to this Node, else the first in PATH; by absolute path, links kept. */
function findNpm({ runtime }: Installation, path: string | undefined): string | null {
  const beside = join(dirname(runtime), process.platform === "win32" ? "npm.cmd" : "npm");
  return isProgram(beside) ? beside : (programsInPath("npm", path)[0] ?? null);
}

type Run = (args: readonly string[], timeoutMs: number) => Promise<{ readonly code: number | null; readonly stdout: string } | null>;

function npmRunner(launcher: ProcessLauncher, npm: string, { host, installation, signal }: UpgradeRequest): Run {
  return async (args, timeoutMs) => {
    try {
      // npm is a script of Node; so it runs on this Node whatever is first in PATH.
      const script = realpathSync(npm);
      const isScript = /\.[cm]?js$/.test(script);
      const answer = await runHostProgram(launcher, {
        tool: "npm",
        executable: isScript ? installation.runtime : npm,
        arguments: isScript ? [script, ...args] : args,
        environment: { ...textsOf(host.env), npm_config_update_notifier: "false", npm_config_fund: "false", npm_config_audit: "false" },
        operation: "upgrade",
        signal,
        timeoutMs,
      });
      return { code: answer.provenance.exit.code, stdout: answer.stdout.toString("utf8") };
    } catch (error) {
      if (signal.aborted) throw error;
      return null;
    }
  };
}

/** What the registry calls latest, whatever else it answers; null when that is no version. */
async function latestVersion(run: Run, { package_name }: Installation): Promise<string | null> {
  const answer = await run(["view", `${package_name}@latest`, "version", "--json"], versionCheckMs);
  if (answer === null || answer.code !== 0) return null;
  try {
    const value: unknown = JSON.parse(answer.stdout);
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === "string" && isVersion(last) ? last : null;
  } catch {
    return null;
  }
}

/** Registrations name their version; the new one brings those that exist up to date. */
async function synchronise(launcher: ProcessLauncher, request: UpgradeRequest): Promise<"setup_invoked" | "deferred" | "failed"> {
  const { host, installation, yes, signal } = request;
  const registered = clientIds.filter((id) => registrationOf(id, request).start !== null);
  if (!yes || registered.length === 0) return "deferred";
  try {
    const answer = await runHostProgram(launcher, {
      tool: "rea",
      executable: installation.runtime,
      arguments: [installation.cli_path, "setup", ...registered.flatMap((id) => ["--client", id]), "--yes", "--json"],
      environment: textsOf(host.env),
      operation: "upgrade",
      signal,
      timeoutMs: setupMs,
    });
    return answer.provenance.exit.code === 0 ? "setup_invoked" : "failed";
  } catch (error) {
    if (signal.aborted) throw error;
    return "failed";
  }
}
