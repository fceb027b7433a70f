import { throwIfAborted, type JsonObject } from "@rea/core";
import type { AnalysisProvider, Target } from "@rea/provider";
import type { AnnotationStore } from "./annotations/annotation-store.js";
import { annotationsOf } from "./annotations/annotations-of-target.js";
import type { AnalysisCacheSettings } from "./cache/cache-settings.js";
import { sharedPool, type EnginePool } from "./engine-pool.js";
import { nativeCapabilities } from "./native-capabilities.js";
import { NativeClient } from "./native-client.js";
import { nativeIdentity, nativeProfile } from "./native-profile.js";
import { nativeTargetSupport } from "./native-target-support.js";

export interface NativeProviderOptions {
  /** Absolute; holds `annotations/<sha256>.ndjson`. Made when the first annotation is written. */
  readonly stateDirectory: string;
  /** Who writes annotations. */
  readonly clientName: string;
  readonly clientVersion: string;
  /** Keeps finished analyses on disk; without it every process analyses anew. Answers are the same with and without. */
  readonly cache?: AnalysisCacheSettings;
  /** Told in a sentence when an analysis could not be kept, or a kept one not be used. */
  readonly onCacheNote?: (text: string) => void;
  /** Workers to share; by default those of the process. */
  readonly pool?: EnginePool;
}

/** The embedded deep provider `rea-native`: needs no other program, works on every host. */
export function createNativeProvider(options: NativeProviderOptions): AnalysisProvider {
  const pool = options.pool ?? sharedPool;
  const annotations = new WeakMap<Target, AnnotationStore>();
  return {
    embedded: true,
    identity: () => nativeIdentity,
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
      const { stateDirectory, cache, onCacheNote } = options;
      return Promise.resolve(new NativeClient({ lease: pool.acquire(target), author, stateDirectory, cache, onCacheNote }));
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
