import type { AuxiliaryProvider } from "../static-calls.js";
import { inspectPlist } from "./inspect-plist.js";

/** Readers of the documents of Apple's platforms, wherever in an artifact they stand; loaded with the first call. */
export function appleDocumentProviders(): readonly AuxiliaryProvider[] {
  return [
    {
      identity: { id: "rea-binary-static", name: "REA binary formats", version: "1" },
      answers: { inspect_plist: inspectPlist },
      establishes: ["inspect_plist"],
      close: () => Promise.resolve(),
    },
  ];
}
