import { operations } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { answer } from "../answer.js";
import { deepTarget } from "../targets.js";

export const analyzeFunction = defineTool({
  name: "analyze_function",
  family: "enhanced",
  description:
    "Returns the dossier of one procedure: signature, pseudocode or why there is none, callers, callees, references, strings and names it uses, basic blocks, and on request the listing. Collections are cut to `limit`; go on with collection_offset. Use it on any interesting procedure; pass its Evidence to comparison tools.",
  input: operations.analyze_function.params,
  output: operations.analyze_function.result,
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["analyze_function"],
  target: deepTarget,
  cli: { command: "function", target: "open", positionals: ["procedure"] },
  examples: [
    { title: "The dossier of main", target: "executable", input: { procedure: "main" } },
    {
      title: "More callees, with the listing",
      target: "executable",
      input: { procedure: "main", include_assembly: true, collection_offset: { callees: 25 } },
    },
  ],
  run: async (input, ports, context) => answer(await ports.analyze_function(input, context)),
});
