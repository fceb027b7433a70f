import { isAbsolute, join } from "node:path";
import type { AnalysisCacheSettings } from "@rea/engine";

interface CachePlace {
  /** Absolute; undefined for the home directory's. */
  readonly directory: string | undefined;
  readonly home: string | undefined;
}

/** `~/.rea/cache/analysis`, or the given directory; undefined without a home directory. Nothing is created. */
export function analysisCacheDirectory({ directory, home }: CachePlace): string | undefined {
  if (directory !== undefined) return isAbsolute(directory) ? directory : undefined;
  return home !== undefined && isAbsolute(home) ? join(home, ".rea", "cache", "analysis") : undefined;
}

/** Analyses are kept only under the name of the engine's code: without one, an old engine's could be taken for this one's. */
export function analysisCacheSettings(place: CachePlace, engineBuild: string | undefined): AnalysisCacheSettings | undefined {
  const directory = analysisCacheDirectory(place);
  return directory === undefined || engineBuild === undefined || engineBuild === "" ? undefined : { directory, version: engineBuild };
}
