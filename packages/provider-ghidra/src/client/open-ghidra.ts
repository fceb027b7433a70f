import { isReaError, ReaError, z, type OperationContext } from "@rea/core";
import { openEngine, type Engine, type EngineSpec, type ProcessLauncher } from "@rea/lineage";
import { ghidraCapabilities, isBridgeMethod } from "../ghidra-capabilities.js";
import { analysisTimeoutSeconds } from "../ghidra-profile.js";
import { prepareSession, type SessionRequest } from "../launch/prepare-session.js";
import { safeParents } from "../launch/shell-safe.js";
import { ghidraProtocol } from "./ghidra-protocol.js";

export interface GhidraStart extends SessionRequest {
  readonly launcher: ProcessLauncher;
  /** Where private directories are made; default: the host's temporary directories. */
  readonly parents?: readonly string[] | undefined;
}

const operation = "start_engine";
const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** What the bridge says of itself and of what it holds. */
const greeting = z.strictObject({
  bridge_version: z.literal(1),
  ghidra_version: z.string().max(64),
  java_version: z.string().max(64),
  target_sha256: digest,
  /** Of the file that the program says it was made from; null when it does not say. */
  program_sha256: digest.nullable(),
  analysis_timed_out: z.boolean(),
  operations: z.array(z.string().max(64)).max(64),
});
type Greeting = z.output<typeof greeting>;

/** Starts Ghidra on a copy of the target and waits until it holds the analysed program. Throws what `openEngine` throws. */
export async function openGhidra(start: GhidraStart, context: OperationContext): Promise<Engine> {
  try {
    return await open(start, context);
  } catch (error) {
    throw tooSlow(error, start);
  }
}

function open(start: GhidraStart, context: OperationContext): Promise<Engine> {
  const spec: EngineSpec = {
    providerId: "ghidra",
    protocol: ghidraProtocol,
    startupMs: start.usable.startupMs,
    prepare: (session) => prepareSession(start, session),
    ...parentsOf(start),
  };
  return openEngine(start.launcher, spec, context, async (engine) => {
    // The start-up deadline ends it earlier.
    const told = await engine.call({ operation, method: "ping", params: {}, timeoutMs: spec.startupMs }, context);
    const read = greeting.safeParse(told);
    if (!read.success) throw unreadable("greeting_malformed");
    refuseUnfit(read.data, start);
  });
}

function parentsOf({ parents, host }: GhidraStart): Pick<EngineSpec, "parents"> {
  if (parents !== undefined) return { parents };
  return host.platform === "win32" ? {} : { parents: safeParents() };
}

function refuseUnfit(told: Greeting, { usable, sha256 }: GhidraStart): void {
  if (told.analysis_timed_out) {
    throw new ReaError("provider_timeout", {
      message: `Ghidra did not finish its analysis within ${String(analysisTimeoutSeconds)} s, and a half-analysed program is not served. Use the embedded provider for this target.`,
      details: { operation, timeout_ms: analysisTimeoutSeconds * 1_000, phase: "engine_analysis" },
    });
  }
  if (told.ghidra_version !== usable.installation.version) throw unfit("version_mismatch", "Ghidra says that it is of another version than its installation says.");
  if (told.target_sha256 !== sha256 || told.program_sha256 !== sha256) throw unfit("target_mismatch", "The program that Ghidra holds is not the target.");
  const missing = ghidraCapabilities().some(({ operation: name }) => isBridgeMethod(name) && !told.operations.includes(name));
  if (missing) throw unreadable("operations_missing");
}

/** Of a start that took too long, the setting is told that gives it longer. */
function tooSlow(error: unknown, { usable }: GhidraStart): unknown {
  if (!isReaError(error) || error.code !== "provider_timeout") return error;
  const read = z.object({ timeout_ms: z.literal(usable.startupMs), phase: z.string() }).safeParse(error.details);
  if (!read.success) return error;
  return new ReaError("provider_timeout", {
    message: `Ghidra had not imported, analysed and connected within ${String(usable.startupMs)} ms. Give it longer with REA_GHIDRA_STARTUP_TIMEOUT_MS, or use the embedded provider.`,
    details: { operation, ...read.data },
    action: "Raise REA_GHIDRA_STARTUP_TIMEOUT_MS (milliseconds), or call with the provider rea-native.",
    cause: error,
  });
}

function unfit(reason: string, what: string): ReaError {
  return new ReaError("provider_unavailable", {
    message: `${what} It was ended. Open the target again; if it happens again, report the provider.`,
    details: { provider_id: "ghidra", operation, reason },
  });
}

function unreadable(reason: string): ReaError {
  return new ReaError("unreadable_output", {
    message: "Ghidra's bridge did not say what it has to when it started. Report the provider and operation.",
    details: { provider_id: "ghidra", operation, reason },
  });
}
