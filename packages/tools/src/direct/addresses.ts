import { operations } from "@rea/core";
import { directTool } from "./direct-tool.js";

const address = "0x1000";

export const readBytes = directTool({
  name: "read_bytes",
  description:
    "Returns up to 4096 mapped bytes at an address as hex. A range that is only partly mapped gives the mapped beginning and `complete: false`. See list_segments for what is mapped.",
  operation: operations.read_bytes,
  examples: [{ title: "Sixteen bytes", target: "executable", input: { address, length: 16 } }],
  call: (ports, input, context) => ports.read_bytes(input, context),
});

export const addressToFileOffset = directTool({
  name: "address_to_file_offset",
  description:
    "Translates a virtual address to its offset in the file. Memory without file bytes (zero-fill, unmapped) gives null with the reason. Use it before patching or comparing bytes on disk.",
  operation: operations.address_to_file_offset,
  examples: [{ title: "Where an address is in the file", target: "executable", input: { address } }],
  call: (ports, input, context) => ports.address_to_file_offset(input, context),
});

export const resolveContainingProcedure = directTool({
  name: "resolve_containing_procedure",
  description:
    "Returns the procedure that contains an address, or why there is none (outside every segment, or not in a procedure). Use it on addresses from xrefs; continue with analyze_function.",
  operation: operations.resolve_containing_procedure,
  examples: [{ title: "Which procedure an address is in", target: "executable", input: { address } }],
  call: (ports, input, context) => ports.resolve_containing_procedure(input, context),
});

export const xrefs = directTool({
  name: "xrefs",
  description:
    "Pages the addresses that refer to an address (code or data). Use it on strings, imports, globals and procedures to find their users; resolve_containing_procedure names the procedure around each hit.",
  operation: operations.xrefs,
  cli: { command: "xrefs", target: "open", positionals: ["address"] },
  examples: [{ title: "Who refers to an address", target: "executable", input: { address } }],
  call: (ports, input, context) => ports.xrefs(input, context),
});

export const addressName = directTool({
  name: "address_name",
  description:
    "Returns the name at an exact address (or at the cursor), or null when it has none. For an address inside a procedure use resolve_containing_procedure.",
  operation: operations.address_name,
  examples: [{ title: "The name at an address", target: "executable", input: { address } }],
  call: (ports, input, context) => ports.address_name(input, context),
});

export const comment = directTool({
  name: "comment",
  description:
    "Returns the comment an analyst has set above an address (or the cursor), or null. inspect_address_context shows comment, inline comment, name and bookmarks together.",
  operation: operations.comment,
  examples: [{ title: "The comment at an address", target: "executable", input: { address } }],
  call: (ports, input, context) => ports.comment(input, context),
});

export const inlineComment = directTool({
  name: "inline_comment",
  description:
    "Returns the comment an analyst has set beside the instruction at an address (or the cursor), or null. Set one with set_inline_comment.",
  operation: operations.inline_comment,
  examples: [{ title: "The inline comment at an address", target: "executable", input: { address } }],
  call: (ports, input, context) => ports.inline_comment(input, context),
});

export const inspectNativeInstruction = directTool({
  name: "inspect_native_instruction",
  description:
    "Explains one address: the instruction with operands, their access, references and control flow, or that it is data, in the middle of an instruction, undecodable or outside. Continue with resolve_native_call_targets on a call.",
  operation: operations.inspect_native_instruction,
  examples: [{ title: "One instruction", target: "executable", input: { address } }],
  call: (ports, input, context) => ports.inspect_native_instruction(input, context),
});

export const resolveNativeCallTargets = directTool({
  name: "resolve_native_call_targets",
  description:
    "Returns where the call at an address can go, each target with the basis of the claim, or says that it is ambiguous, unresolved or not a call. Give the address of the call instruction itself.",
  operation: operations.resolve_native_call_targets,
  examples: [{ title: "Targets of a call", target: "executable", input: { address } }],
  call: (ports, input, context) => ports.resolve_native_call_targets(input, context),
});
