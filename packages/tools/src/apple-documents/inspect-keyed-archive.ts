import { operations } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";
import { anyFile } from "../targets.js";

export const inspectKeyedArchive = defineTool({
  name: "inspect_keyed_archive",
  family: "artifact",
  description:
    "Pages the objects of an archive of NSKeyedArchiver (saved state, preferences, some nibs): index, class, fields; references stay numbers and no class is made. Of a file, or at `relative_path` in a bundle, directory or archive. Give `root` for what one object leads to; `top` names where to begin.",
  input: operations.inspect_keyed_archive.params,
  output: operations.inspect_keyed_archive.result,
  effects: effectClasses.evidence,
  evidence: true,
  requires: ["inspect_keyed_archive"],
  target: anyFile,
  paths: ["path"],
  cli: { command: "inspect-keyed-archive", target: "input", positionals: [] },
  examples: [{ title: "The objects that the second one leads to", target: "executable", input: { root: 1 } }],
  run: async (input, ports, context) => answer(await ports.inspect_keyed_archive(input, context)),
});
