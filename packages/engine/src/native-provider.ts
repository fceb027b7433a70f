import { createAnalysisProfile, throwIfAborted, type AnalysisProfile, type JsonObject, type ProviderIdentity } from "@rea/core";
import type { AnalysisProvider, Target } from "@rea/provider";
import { standardLimits } from "./analysis/work-bounds.js";
import type { AnnotationStore } from "./annotations/annotation-store.js";
import { annotationsOf } from "./annotations/annotations-of-target.js";
import { sharedPool, type EnginePool } from "./engine-pool.js";
import { nativeCapabilities } from "./native-capabilities.js";
import { NativeClient } from "./native-client.js";
import { stringScan } from "./native-settings.js";
import { nativeTargetSupport } from "./native-target-support.js";

export interface NativeProviderOptions {
  /** Absolute; holds `annotations/<sha256>.ndjson`. Made when the first annotation is written. */
  readonly stateDirectory: string;
  /** Who writes annotations. */
  readonly clientName: string;
  readonly clientVersion: string;
  /** Workers to share; by default those of the process. */
  readonly pool?: EnginePool;
}

const identity: ProviderIdentity = { id: "rea-native", name: "REA native analysis", version: "1" };

/** The embedded deep provider `rea-native`: needs no other program, works on every host. */
export function createNativeProvider(options: NativeProviderOptions): AnalysisProvider {
  const pool = options.pool ?? sharedPool;
  const annotations = new WeakMap<Target, AnnotationStore>();
  return {
    embedded: true,
    identity: () => identity,
    capabilities: nativeCapabilities,
    inspectAvailability: () => ({ status: "available", diagnostics: {} }),
    inspectTargetSupport: nativeTargetSupport,
    standingParameters: (target) => annotationParameters(annotations, target, options.stateDirectory),
    async resolveAnalysisProfile(target, { signal }) {
      throwIfAborted(signal, "resolve_analysis_profile");
      return Promise.resolve(nativeProfile(target));
    },
    createClient(target) {
      const author = { name: options.clientName, version: options.clientVersion };
      const client = new NativeClient({ lease: pool.acquire(target), author, stateDirectory: options.stateDirectory });
      return Promise.resolve(client);
    },
  };
}

/** What the log holds now; another process may have appended since the last call, and only that part is read. */
function annotationParameters(stores: WeakMap<Target, AnnotationStore>, target: Target, stateDirectory: string): JsonObject {
  const store = stores.get(target) ?? annotationsOf(target, stateDirectory);
  stores.set(target, store);
  store.refresh();
  const digest = store.digest();
  return digest === undefined ? {} : { annotations_sha256: digest };
}

/** Everything that changes answers, every default explicit. */
function nativeProfile({ architecture, raw }: Target): AnalysisProfile {
  return createAnalysisProfile({
    provider: identity,
    provider_profile_schema_version: 1,
    parameters: {
      slice: architecture,
      raw_architecture: raw?.architecture ?? null,
      raw_base: raw?.base ?? null,
      raw_endian: raw?.endian ?? null,
      max_instructions: standardLimits.instructions,
      max_functions: standardLimits.functions,
      max_function_instructions: standardLimits.functionInstructions,
      string_minimum_length: stringScan.minimumLength,
      string_encodings: stringScan.encodings,
      max_strings: stringScan.maximumCount,
    },
  });
}
