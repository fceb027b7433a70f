import type { AuxiliaryProvider } from "../static-calls.js";
import { decodeInterfaceBuilder } from "./decode-interface-builder.js";
import { inspectAssetCatalog } from "./inspect-asset-catalog.js";
import { inspectKeyedArchive } from "./inspect-keyed-archive.js";
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
    {
      identity: { id: "rea-artifact-graph", name: "REA artifact graph", version: "1" },
      answers: {
        decode_interface_builder: decodeInterfaceBuilder,
        inspect_asset_catalog: inspectAssetCatalog,
        inspect_keyed_archive: inspectKeyedArchive,
      },
      establishes: ["decode_interface_builder", "inspect_asset_catalog", "inspect_keyed_archive"],
      close: () => Promise.resolve(),
    },
  ];
}
