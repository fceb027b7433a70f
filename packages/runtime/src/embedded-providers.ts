import { createNativeProvider, createStaticPort } from "@rea/engine";
import type { AnalysisProvider } from "@rea/provider";
import type { AuxiliaryProvider } from "./static-calls.js";

/** The embedded deep provider; annotations carry the name of whoever is connected when its client starts. */
export function nativeProvider(
  directory: string,
  author: () => { readonly name: string; readonly version: string },
): AnalysisProvider {
  return createNativeProvider({
    stateDirectory: directory,
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
