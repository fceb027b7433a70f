import { isJsonObject, z, type JsonObject } from "@rea/core";
import { createLauncher } from "@rea/lineage";
import { catalogueViolations, type CatalogueEntry } from "@rea/tool";
import { isSameData } from "../documents/same-data.js";
import { modelRules } from "../models/model-rules.js";
import { modelViolations } from "../models/model-violations.js";
import type { Installation } from "../registration/installation.js";
import type { ClientHost } from "../table/client-host.js";
import { finding, healthy, type Check } from "./check.js";
import { textsOf } from "./probe.js";
import { serverSession, type ServerSession } from "./server-session.js";

export interface McpDoctorRequest {
  readonly installation: Installation;
  readonly env: ClientHost["env"];
  /** Absolute. */
  readonly workingDirectory: string;
  /** The catalogue that the build wrote. */
  readonly catalogue: readonly JsonObject[];
  readonly signal: AbortSignal;
}

export type McpDoctorReport = Awaited<ReturnType<typeof mcpDoctor>>;

const initializeLimitMs = 30_000;

/** Starts the real server as a client would, has one bounded session with it, and judges what was seen. */
export async function mcpDoctor({ installation, env, workingDirectory, catalogue, signal }: McpDoctorRequest) {
  const launcher = createLauncher();
  try {
    const session = await serverSession(launcher, {
      executable: installation.runtime,
      arguments: [installation.cli_path, "mcp"],
      environment: textsOf(env),
      workingDirectory,
      limitMs: initializeLimitMs,
      signal,
      expectations: { expected_package_version: installation.package_version, expected_server_path: installation.cli_path },
    });
    const checks = judge(session, catalogue);
    return {
      healthy: checks.every(({ ok }) => ok),
      checks,
      command: [installation.runtime, installation.cli_path, "mcp"],
      initialize_ms: session.initialize_ms,
      server: session.server,
      server_identity: isJsonObject(session.session?.["server_identity"]) ? session.session["server_identity"] : null,
      tool_count: session.tools?.length ?? null,
      stderr: session.stderr,
    };
  } finally {
    await launcher.close();
  }
}

const again = "rea mcp doctor --json";

function judge(session: ServerSession, catalogue: readonly JsonObject[]): Check[] {
  const { failure, initialize_ms, stray_output, clean_exit } = session;
  return [
    failure === null ? healthy("session", `It answered initialize in ${String(initialize_ms ?? 0)} ms.`) : finding("session", "config_drift", failure, again),
    stray_output === null
      ? healthy("stdout", "Standard output holds messages of the protocol only.")
      : finding("stdout", "config_drift", `A line on standard output is no message of the protocol: ${stray_output}`, again),
    clean_exit ? healthy("exit", "It ended by itself when its input ended.") : finding("exit", "config_drift", "It did not end by itself, or not with status 0, when its input ended.", again),
    inventory(session.tools, catalogue),
    schemas(session.tools ?? []),
    alignment(session.session),
  ];
}

function inventory(tools: ServerSession["tools"], catalogue: readonly JsonObject[]): Check {
  if (tools === null) return finding("inventory", "config_drift", "It did not list its tools.", again);
  if (isSameData(tools, catalogue)) return healthy("inventory", `It lists the ${String(tools.length)} tools of the built catalogue.`);
  return finding("inventory", "config_drift", `It lists ${String(tools.length)} tools that are not the ${String(catalogue.length)} of the built catalogue.`, "npm start -- --version");
}

/** What the server lists, as the discipline reads it; it looks at everything itself. */
const entries = z.array(z.custom<CatalogueEntry>((value) => typeof value === "object" && value !== null && "inputSchema" in value && "outputSchema" in value));

function schemas(tools: readonly JsonObject[]): Check {
  const parsed = entries.safeParse(tools);
  const own = parsed.success ? catalogueViolations(parsed.data) : ["a tool has no schema"];
  const [first] = [...own, ...modelRules.flatMap((rules) => modelViolations(rules, tools).map((text) => `${rules.label}: ${text}`))];
  return first === undefined ? healthy("schemas", "All schemas keep the limits of every maker of models.") : finding("schemas", "config_drift", first, again);
}

function alignment(session: JsonObject | null): Check {
  const found = session?.["alignment"];
  const state = isJsonObject(found) ? found["state"] : undefined;
  if (state === "aligned") return healthy("identity", "It is this version, at this path.");
  return finding("identity", "config_drift", session === null ? "It did not answer binary_session." : "It is another version, or at another path, than this command.", again);
}
