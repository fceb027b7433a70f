import { createAnalysisProfile, isDeepOperation, throwIfAborted, z, type DeepOperationName, type JsonObject } from "@rea/core";
import { OnDemandEngine, type EngineFrame, type EngineProtocol, type EngineSession, type ProcessLauncher } from "@rea/lineage";
import type { AnalysisProvider, CapabilityDescriptor } from "@rea/provider";
import { writeRogueEngine, type EngineRoom, type RogueFault } from "@rea/testkit";

/** A provider over the engine kit, as an adapter would write one; its engine is a program of its own. */
export interface EngineProviderOptions {
  readonly room: EngineRoom;
  readonly launcher: ProcessLauncher;
  readonly id?: string;
  /** How it misbehaves; left out: it does not. */
  readonly fault?: RogueFault;
  readonly startupMs?: number;
  readonly requestMs?: number;
}

const id = z.int().min(0);
const frames: z.ZodType<EngineFrame> = z.union([
  z.strictObject({ id, result: z.json() }).transform((frame) => ({ kind: "answer" as const, ...frame })),
  z.strictObject({ id, error: z.strictObject({ code: z.string(), message: z.string() }) }).transform(({ id: of, error }) => ({ kind: "failure" as const, id: of, failure: error })),
]);
const protocol: EngineProtocol = {
  maximumLineBytes: 1024 * 1024,
  maximumRequestLength: 262_144,
  frames,
  request: ({ id: number, method, params }) => ({ id: number, method, params }),
  cancel: ({ id: number }) => ({ cancel: number }),
};

const page = { items: [], coverage: { state: "complete", omissions: [] }, offset: 0, limit: 100, total: 0, next_offset: null, has_more: false };
const answers = { list_documents: page, list_segments: page, list_procedures: page, procedure_address: "0x1000" };

/** Answers what it knows; leaves `read_bytes`, and what is left to a fault, without an answer. */
const wellBehaved = `({ id, method }) => id === undefined ? undefined : ({ ...${JSON.stringify({ ready: true, ...answers })} })[method] === undefined ? undefined : ({ id, result: ${JSON.stringify({ ready: true, ...answers })}[method] })`;
const onlyReady = `({ id, method }) => (method === "ready" ? { id, result: true } : undefined)`;
const endpoint = `([descriptor], require) => JSON.parse(require("node:fs").readFileSync(descriptor, "utf8"))`;

/** Starts as asked and then answers nothing. */
const startFaults: ReadonlySet<RogueFault> = new Set(["never_connects", "no_hello", "wrong_token", "garbage_hello", "exit_at_once", "child_then_exit"]);

export function createEngineProvider({ room, launcher, id: name = "stub-engine", fault, startupMs = 30_000, requestMs = 30_000 }: EngineProviderOptions): AnalysisProvider {
  const behaved = fault === undefined || startFaults.has(fault);
  const program = writeRogueEngine(room.makePlace("installation"), "engine", { fault: fault ?? "silent", endpoint, answer: behaved ? wellBehaved : onlyReady });
  const identity = { id: name, name: "Stub engine", version: "1" };
  const operations = [...Object.keys(answers), "read_bytes"].filter(isDeepOperation);
  const prepare = async ({ directory, endpoint: place, token }: EngineSession) => {
    const descriptor = { transport: place.transport, path: place.path, token };
    const path = await directory.writeFile("session.json", JSON.stringify(descriptor));
    return { executable: process.execPath, arguments: [program, path], environment: { PATH: "/usr/bin:/bin", ...room.environment }, workingDirectory: directory.path };
  };
  return {
    embedded: false,
    identity: () => ({ ...identity, version: null }),
    capabilities: () => operations.map(descriptorOf),
    inspectAvailability: () => ({ status: "available", diagnostics: {} }),
    inspectTargetSupport: () => ({ status: "supported", diagnostics: {} }),
    resolveAnalysisProfile: () => Promise.resolve(createAnalysisProfile({ provider: identity, provider_profile_schema_version: 1, parameters: {} })),
    createClient: () => {
      const spec = { providerId: name, protocol, startupMs, parents: [room.parent], prepare };
      const engine = new OnDemandEngine(launcher, spec, async (started, leftMs, context) => {
        await started.call({ operation: "start_engine", method: "ready", params: {}, timeoutMs: leftMs }, context);
      });
      return Promise.resolve({
        execute: async (operation, params, context) => {
          throwIfAborted(context.signal, operation);
          const result = await engine.call({ operation, method: operation, params: plain(params), timeoutMs: requestMs }, context);
          return { result, confidence: "observed" as const, limitations: [], locations: [], raw_result: null, resolved_parameters: {} };
        },
        runtimeLineage: () => plainOrNull(engine.lineage()),
        activity: () => engine.activity(),
        alive: () => engine.alive,
        close: async () => ({ remaining: (await engine.close()).resources.map(({ kind, detail }) => ({ kind, detail: JSON.stringify(detail) })) }),
      });
    },
  };
}

const jsonOf = z.record(z.string(), z.json());

function plain(value: unknown): JsonObject {
  return jsonOf.parse(value);
}

function plainOrNull(value: unknown): JsonObject | null {
  return value === null ? null : plain(value);
}

function descriptorOf(operation: DeepOperationName): CapabilityDescriptor {
  return {
    operation,
    input_contract_version: 1,
    output_contract_version: 1,
    pagination: "none",
    exhaustive: true,
    effects: { mutates_artifact: false, launches_process: true, may_show_ui: false, may_access_network: false, may_write_filesystem: true },
    limits: { max_results: null, max_payload_bytes: null, timeout_ms: null },
    limitations: [],
    available: true,
    reason: null,
    availability_code: null,
  };
}

