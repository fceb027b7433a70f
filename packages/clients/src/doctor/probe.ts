import { isJsonObject, type JsonObject } from "@rea/core";
import { createLauncher } from "@rea/lineage";
import type { PlanHost } from "../setup/plan-client.js";
import { finding, healthy, type Check } from "./check.js";
import { resolveCommand } from "./find-program.js";
import type { Registration } from "./registrations.js";
import { serverSession, type ServerSession } from "./server-session.js";

/** What a client would see of its registered server. */
export interface Probe {
  readonly client: Registration["client"];
  readonly started: boolean;
  readonly initialize_ms: number | null;
  readonly limit_ms: number;
  readonly stdout_pure: boolean | null;
  readonly clean_exit: boolean | null;
  readonly tool_count: number | null;
  /** As `binary_session` told it: which Node the server runs on, and whether it is this version. */
  readonly runtime: JsonObject | null;
  readonly alignment: JsonObject | null;
  readonly failure: string | null;
}

export interface ProbeOptions {
  readonly signal: AbortSignal;
  readonly expectations: JsonObject;
}

/** Starts what one registration names, as its client would, with its time limit. */
export async function probeRegistration(registration: Registration, at: PlanHost, options: ProbeOptions): Promise<Probe | null> {
  const { start, client } = registration;
  if (start === null) return null;
  const [command = "", ...args] = start.vector;
  const executable = resolveCommand(command, at.host.env["PATH"]);
  const unstarted = { client, started: false, initialize_ms: null, limit_ms: start.limitMs, stdout_pure: null, clean_exit: null, tool_count: null, runtime: null, alignment: null };
  if (executable === null) return { ...unstarted, failure: "The command is not an absolute path of a program, nor a name in PATH." };
  const launcher = createLauncher();
  try {
    const session = await serverSession(launcher, {
      executable,
      arguments: args,
      environment: { ...textsOf(at.host.env), ...start.environment },
      workingDirectory: at.host.home,
      limitMs: start.limitMs,
      ...options,
    });
    return { ...unstarted, started: true, ...seen(session) };
  } finally {
    await launcher.close();
  }
}

function seen({ failure, initialize_ms, stray_output, clean_exit, tools, session }: ServerSession) {
  const identity = session?.["server_identity"];
  const runtime = isJsonObject(identity) ? identity["runtime"] : undefined;
  const alignment = session?.["alignment"];
  return {
    failure,
    initialize_ms,
    stdout_pure: stray_output === null,
    clean_exit,
    tool_count: tools?.length ?? null,
    runtime: isJsonObject(runtime) ? runtime : null,
    alignment: isJsonObject(alignment) ? alignment : null,
  };
}

/** The environment without what is unset and without the mark of REA's own runs. */
export function textsOf(env: { readonly [name: string]: string | undefined }): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]): [string, string][] => (value === undefined || name === "REA_PROCESS_RUN_ID" ? [] : [[name, value]])),
  );
}

/** What a probe says, as a check. */
export function probeCheck(probe: Probe): Check {
  const name = `probe:${probe.client}`;
  const again = `rea setup --client ${probe.client} --yes`;
  if (probe.failure !== null) return finding(name, "config_drift", `The registered server did not work. ${probe.failure}`, again);
  if (probe.stdout_pure === false) return finding(name, "config_drift", "The registered command writes something else than the protocol to its standard output.", again);
  if (probe.clean_exit === false) return finding(name, "config_drift", "The registered server did not end by itself when its input ended.", again);
  if (probe.alignment?.["state"] === "mismatched") return finding(name, "config_drift", "The registered server is another version than this one.", again);
  return healthy(name, `It answered initialize in ${String(probe.initialize_ms ?? 0)} ms (the client waits ${String(probe.limit_ms)} ms) and lists ${String(probe.tool_count ?? 0)} tools.`);
}
