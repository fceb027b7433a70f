import { operations } from "@rea/core";
import { directTool } from "./direct-tool.js";

export const procedurePseudoCode = directTool({
  name: "procedure_pseudo_code",
  description:
    "Returns one procedure as C that compiles with rea.h, or null where its body is in another file. Names and types are inferred, so read it with the limitations beside it. analyze_function pages it and maps lines to addresses; batch_decompile takes several.",
  operation: operations.procedure_pseudo_code,
  examples: [{ title: "main as C", target: "executable", input: { procedure: "main" } }],
  call: (ports, input, context) => ports.procedure_pseudo_code(input, context),
});
