import { operations } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";
import { anyFile } from "../targets.js";

export const inspectPlist = defineTool({
  name: "inspect_plist",
  family: "binary-format",
  description:
    "Reads a property list (binary, XML or OpenStep, .strings too) as JSON: of a file, or at `relative_path` in a bundle, directory or archive, by default its Info.plist, or that in a Mach-O program. Dates, data, UIDs and big numbers are told by key path with offsets; damage is named. Give `root` for a part of a large one; find the places with inspect_artifact.",
  input: operations.inspect_plist.params,
  output: operations.inspect_plist.result,
  effects: effectClasses.evidence,
  evidence: true,
  requires: ["inspect_plist"],
  target: anyFile,
  paths: ["path"],
  cli: { command: "inspect-plist", target: "input", positionals: [] },
  examples: [{ title: "The Info.plist of the open bundle", target: "executable", input: {} }],
  run: async (input, ports, context) => answer(await ports.inspect_plist(input, context)),
});
