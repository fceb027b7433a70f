import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { throwIfAborted, type AnalysisProfile } from "@rea/core";
import type { EngineLaunch, EngineSession } from "@rea/lineage";
import type { Target } from "@rea/provider";
import type { UsableGhidra } from "../availability/inspect-ghidra.js";
import type { GhidraHost } from "../ghidra-host.js";
import { bridgeFiles } from "./bridge-files.js";
import { copyTarget, rethrowUnwritable } from "./copy-target.js";
import { headlessArguments } from "./launch-line.js";
import { refuseUnsafe } from "./shell-safe.js";
import { programDirectories, sessionEnvironment } from "./session-environment.js";
import { windowsCommand } from "./windows-command.js";

export interface SessionRequest {
  readonly host: GhidraHost;
  readonly usable: UsableGhidra;
  readonly target: Target;
  /** Of the target. */
  readonly sha256: string;
  readonly profile: AnalysisProfile;
  readonly runId: string;
}

/** Fills the private directory of one Ghidra and says how it is started. */
export async function prepareSession(request: SessionRequest, session: EngineSession): Promise<EngineLaunch> {
  const { host, usable, target, sha256 } = request;
  const { directory, signal } = session;
  if (host.platform !== "win32") refuseUnsafe(directory.path);
  const made = { project: "", home: "", tmp: "", cache: "", config: "", data: "", scripts: "", input: "", logs: "" };
  for (const name of ["project", "home", "tmp", "cache", "config", "data", "scripts", "input", "logs"] as const) {
    made[name] = await directory.makeDirectory(name).catch(rethrowUnwritable);
  }
  await writeBridge(made.scripts);
  const copy = join(made.input, "target");
  await copyTarget({ from: target.path, to: copy, sha256, signal });
  const descriptor = await directory.writeFile("session.json", descriptorOf(request, session)).catch(rethrowUnwritable);
  throwIfAborted(signal, "start_engine");
  const { launcher } = usable.installation;
  const args = headlessArguments({
    project: made.project,
    target: copy,
    log: join(made.logs, "engine.log"),
    scriptLog: join(made.logs, "script.log"),
    scripts: made.scripts,
    descriptor,
  });
  const environment = sessionEnvironment(host, usable.java.home, made);
  const common = { environment, workingDirectory: directory.path };
  if (host.platform === "win32") return { ...common, ...windowsCommand(host.env, launcher, args) };
  return { ...common, executable: launcher, arguments: args, becomes: await successors(environment["PATH"]) };
}

/** What the bridge learns of its session; the token is in no other place. */
function descriptorOf({ sha256, usable, profile, runId }: SessionRequest, { endpoint, token }: EngineSession): string {
  return JSON.stringify({
    schema_version: 1,
    transport: endpoint.transport,
    endpoint_path: endpoint.path,
    token,
    run_id: runId,
    target_sha256: sha256,
    provider_version: usable.installation.version,
    profile_digest: profile.digest,
  });
}

/** A copy: the path of the package may hold what Ghidra does not take, such as elements that start with a dot. */
async function writeBridge(scripts: string): Promise<void> {
  for (const { path, content } of bridgeFiles()) {
    const file = join(scripts, ...path.split("/"));
    await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch(rethrowUnwritable);
    await writeFile(file, content, { mode: 0o600, flag: "wx" }).catch(rethrowUnwritable);
  }
}

/** The launcher is a script for bash that `env` finds: the process becomes that, and may end as Java. */
async function successors(path: string | undefined): Promise<readonly string[]> {
  const found = await Promise.all(
    programDirectories(path).flatMap((directory) => ["bash", "sh", "java"].map((name) => realpath(join(directory, name)).catch(() => null))),
  );
  return [...new Set(found.flatMap((program) => program ?? []))];
}
