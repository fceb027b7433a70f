import { operations } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";
import { anyFile } from "../targets.js";

export const inspectAssetCatalog = defineTool({
  name: "inspect_asset_catalog",
  family: "artifact",
  description:
    "Pages the renditions of a compiled asset catalog (Assets.car): asset name, scale, idiom, appearance, pixel size, encoding, bytes and SHA-256 of the stored data, colors; with the header, platform and tool that wrote it. Of a file, or at `relative_path` in a bundle, directory or archive; default its only catalog.",
  input: operations.inspect_asset_catalog.params,
  output: operations.inspect_asset_catalog.result,
  effects: effectClasses.evidence,
  evidence: true,
  requires: ["inspect_asset_catalog"],
  target: anyFile,
  paths: ["path"],
  cli: { command: "inspect-asset-catalog", target: "input", positionals: [] },
  examples: [{ title: "The catalog of the open bundle", target: "executable", input: { limit: 20 } }],
  run: async (input, ports, context) => answer(await ports.inspect_asset_catalog(input, context)),
});
