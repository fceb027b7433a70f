import { operations } from "@rea/core";
import { directTool } from "./direct-tool.js";

export const inspectNativeDataType = directTool({
  name: "inspect_native_data_type",
  description:
    "Returns the layout of one type as the program's debug information (DWARF) has it: kind, size, alignment, fields with offsets and bit fields, enumerators, types it refers to. Pass a type name, or the address of a variable or function whose type is meant. Without debug information the kind is unknown, with the reason.",
  operation: operations.inspect_native_data_type,
  cli: { command: "inspect-native-data-type", target: "open", positionals: [] },
  examples: [{ title: "The layout of a structure", target: "executable", input: { type: "node" } }],
  call: (ports, input, context) => ports.inspect_native_data_type(input, context),
});

export const traceNativeValues = {
  ...directTool({
    name: "trace_native_values",
    description:
      "Follows definitions and uses of one procedure's values as a graph, over calls where the callee is known. backward: what results, stores, arguments and conditions are made of; forward: where parameters and results of calls go. The frontier names each place where following ended and why. Read code with procedure_pseudo_code.",
    operation: operations.trace_native_values,
    cli: { command: "trace-native-values", target: "open", positionals: ["procedure"] },
    examples: [{ title: "What main returns and passes on", target: "executable", input: { procedure: "main", max_nodes: 50 } }],
    call: (ports, input, context) => ports.trace_native_values(input, context),
  }),
  family: "enhanced" as const,
};
