import { createNativeProvider, createStaticPort, type AnalysisCacheSettings } from "@rea/engine";
import type { AnalysisProvider } from "@rea/provider";
import type { Logger } from "./logger.js";
import type { AuxiliaryProvider } from "./static-calls.js";

interface NativeSettings {
  readonly stateDirectory: string;
  readonly cache: AnalysisCacheSettings | undefined;
  readonly log: Logger;
  readonly author: () => { readonly name: string; readonly version: string };
}

/** The embedded deep provider; annotations carry the name of whoever is connected when its client starts. */
export function nativeProvider({ stateDirectory, cache, log, author }: NativeSettings): AnalysisProvider {
  return createNativeProvider({
    stateDirectory,
    ...(cache === undefined ? {} : { cache }),
    onCacheNote: (note) => log.event("info", "analysis_cache", { note }),
    get clientName() {
      return author().name;
    },
    get clientVersion() {
      return author().version;
    },
  });
}

/** The file parsers as an auxiliary provider. */
export function staticProvider(): AuxiliaryProvider {
  const { close, ...answers } = createStaticPort();
  return { identity: { id: "rea-binary-static", name: "REA binary formats", version: "1" }, answers, close };
}
