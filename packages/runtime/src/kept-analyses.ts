import { escapeUntrusted, ReaError, type JsonObject } from "@rea/core";
import { clearCache, reportCache, standardCacheBytes } from "@rea/engine";
import { analysisCacheDirectory } from "./analysis-cache.js";
import { homeOf } from "./home.js";
import { factCacheSettings } from "./javascript-provider.js";
import type { RuntimeOptions } from "./runtime-options.js";

type CacheOptions = Pick<RuntimeOptions, "env" | "home" | "cacheDirectory" | "engineBuild">;

/** The caches of finished analyses, of programs and of applications, as `rea cache` shows it. */
export interface KeptAnalyses {
  /** Each analysis: the target's digest, its size, when it was last used, and whether this build uses it. */
  list(): Promise<JsonObject>;
  measure(): Promise<JsonObject>;
  /** Removes our files. Throws `access_denied` when some of them, or the directory, cannot be touched. */
  clear(): Promise<JsonObject>;
}

/** Throws `configuration_invalid` where there is no home directory to keep anything in. */
export function keptAnalyses(options: CacheOptions): KeptAnalyses {
  const directory = analysisCacheDirectory({ directory: options.cacheDirectory, home: options.home ?? homeOf(options.env) });
  if (directory === undefined) throw noHome();
  const shown = escapeUntrusted(directory);
  const applications = keptApplications(options);
  const report = () => reportCache(directory, options.engineBuild);
  return {
    list: async () => {
      const { refusal, analyses, bytes } = report();
      const entries = analyses.map(({ targetSha256, bytes: size, usedAt, current }) => {
        return { target_sha256: targetSha256, bytes: size, used_at: usedAt.toISOString(), current_build: current };
      });
      return { directory: shown, state: refusal ?? "ready", total_bytes: bytes, entries, ...(await applications.list()) };
    },
    measure: async () => {
      const { refusal, analyses, bytes } = report();
      const current = analyses.filter((analysis) => analysis.current).length;
      return { directory: shown, state: refusal ?? "ready", analyses: analyses.length, of_current_build: current, total_bytes: bytes, maximum_bytes: standardCacheBytes, ...(await applications.measure()) };
    },
    clear: async () => {
      const { refusal, removed, freedBytes, left } = clearCache(directory);
      if (left > 0 || (refusal !== undefined && refusal !== "missing")) throw untouchable(shown, refusal ?? "not_writable");
      return { directory: shown, removed_files: removed, freed_bytes: freedBytes, ...(await applications.clear()) };
    },
  };
}

/** What is kept of applications, as a part of each answer; nothing where there is no home directory. */
function keptApplications(options: CacheOptions): { readonly [A in "list" | "measure" | "clear"]: () => Promise<JsonObject> } {
  const home = options.home ?? homeOf(options.env);
  const settings = factCacheSettings(home, options.engineBuild ?? "unknown");
  if (settings === undefined) return { list: nothing, measure: nothing, clear: nothing };
  const { directory } = settings;
  const shown = escapeUntrusted(directory);
  const report = async () => (await import("@rea/javascript")).reportApplicationCache(directory, options.engineBuild);
  return {
    list: async () => {
      const { refusal, packs, bytes } = await report();
      const entries = packs.map(({ bytes: size, usedAt, current }) => ({ bytes: size, used_at: usedAt.toISOString(), current_build: current }));
      return { applications: { directory: shown, state: refusal ?? "ready", total_bytes: bytes, entries } };
    },
    measure: async () => {
      const { refusal, packs, bytes } = await report();
      const { standardApplicationCacheBytes: maximum } = await import("@rea/javascript");
      return { applications: { directory: shown, state: refusal ?? "ready", packs: packs.length, of_current_build: packs.filter(({ current }) => current).length, total_bytes: bytes, maximum_bytes: maximum } };
    },
    clear: async () => {
      const { refusal, removed, freedBytes, left } = (await import("@rea/javascript")).clearApplicationCache(directory);
      if (left > 0 || (refusal !== undefined && refusal !== "missing")) throw untouchable(shown, refusal ?? "not_writable");
      return { applications: { directory: shown, removed_files: removed, freed_bytes: freedBytes } };
    },
  };
}

function nothing(): Promise<JsonObject> {
  return Promise.resolve({});
}

function noHome(): ReaError {
  return new ReaError("configuration_invalid", {
    message: "There is no home directory, so no analysis is kept. Set HOME to an absolute path.",
    details: { setting: "HOME", constraint: "an absolute path" },
  });
}

function untouchable(directory: string, why: string): ReaError {
  return new ReaError("access_denied", {
    message: `${directory} was not cleared: it is ${why.replaceAll("_", " ")}. Look at it and remove it by hand.`,
    details: { resource: directory },
  });
}
