import { operations } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";
import { anyFile } from "../targets.js";

export const decodeInterfaceBuilder = defineTool({
  name: "decode_interface_builder",
  family: "artifact",
  description:
    "Decodes the compiled nibs and storyboards of a bundle, directory, archive or file: objects with class and custom class, outlets, actions with selector and target, segues, scenes, and archives that could not be read. Shows which method a button or menu item calls; continue with inspect_native_dispatch_metadata for its code.",
  input: operations.decode_interface_builder.params,
  output: operations.decode_interface_builder.result,
  effects: effectClasses.evidence,
  evidence: true,
  requires: ["decode_interface_builder"],
  target: anyFile,
  paths: ["path"],
  cli: { command: "decode-interface-builder", target: "input", positionals: [] },
  examples: [{ title: "Interface documents of the open bundle", target: "executable", input: {} }],
  run: async (input, ports, context) => answer(await ports.decode_interface_builder(input, context)),
});
