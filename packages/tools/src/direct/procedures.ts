import { operations } from "@rea/core";
import { directTool } from "./direct-tool.js";

export const procedureAddress = directTool({
  name: "procedure_address",
  description:
    "Returns the entry address of the procedure with an exact name (or checks an address). A name that stands for several is an error listing the candidates. Find names with search_procedures.",
  operation: operations.procedure_address,
  examples: [{ title: "Where main starts", target: "executable", input: { procedure: "main" } }],
  call: (ports, input, context) => ports.procedure_address(input, context),
});

export const procedureInfo = directTool({
  name: "procedure_info",
  description:
    "Returns name, entry, length in bytes, number of basic blocks, signature, locals and classification of one procedure. Null means the provider does not know. Use analyze_function for the whole dossier.",
  operation: operations.procedure_info,
  examples: [{ title: "Facts about main", target: "executable", input: { procedure: "main" } }],
  call: (ports, input, context) => ports.procedure_info(input, context),
});

export const procedureAssembly = directTool({
  name: "procedure_assembly",
  description:
    "Returns the complete listing of one procedure as text. A very long one is refused as truncated: read it in pages with read_function_instructions.",
  operation: operations.procedure_assembly,
  examples: [{ title: "Listing of main", target: "executable", input: { procedure: "main" } }],
  call: (ports, input, context) => ports.procedure_assembly(input, context),
});

export const procedureCallers = directTool({
  name: "procedure_callers",
  description:
    "Pages the addresses of procedures that call this one directly. Indirect calls that nothing resolves are not among them. Use get_call_graph with direction backward for several levels.",
  operation: operations.procedure_callers,
  examples: [{ title: "Who calls main", target: "executable", input: { procedure: "main" } }],
  call: (ports, input, context) => ports.procedure_callers(input, context),
});

export const procedureCallees = directTool({
  name: "procedure_callees",
  description:
    "Pages the addresses of procedures that this one calls directly. Indirect calls that nothing resolves are not among them. Use get_call_graph for several levels.",
  operation: operations.procedure_callees,
  examples: [{ title: "What main calls", target: "executable", input: { procedure: "main" } }],
  call: (ports, input, context) => ports.procedure_callees(input, context),
});

export const procedureReferences = directTool({
  name: "procedure_references",
  description:
    "Pages the references that leave a procedure's instructions, or that arrive at it, with kind (call, jump, read, write, address). `instruction_scan_truncated` says that max_instructions was too small.",
  operation: operations.procedure_references,
  examples: [{ title: "What main refers to", target: "executable", input: { procedure: "main" } }],
  call: (ports, input, context) => ports.procedure_references(input, context),
});

export const readFunctionInstructions = directTool({
  name: "read_function_instructions",
  description:
    "Pages the instructions of one procedure with address, bytes and text. Use it to read code closely; continue with offset = next_offset. inspect_native_instruction explains one instruction.",
  operation: operations.read_function_instructions,
  cli: { command: "instructions", target: "open", positionals: ["procedure"] },
  examples: [{ title: "The first instructions of main", target: "executable", input: { procedure: "main", limit: 16 } }],
  call: (ports, input, context) => ports.read_function_instructions(input, context),
});
