import { operations } from "@rea/core";
import { effectClasses } from "@rea/tool";
import { directTool } from "./direct-tool.js";

export const listDocuments = directTool({
  name: "list_documents",
  description:
    "Pages the names of the documents of the bound analysis provider. Most providers have one, the open target. Use it before passing `document` to another tool.",
  operation: operations.list_documents,
  examples: [{ title: "Documents of an executable", target: "executable", input: {} }],
  call: (ports, input, context) => ports.list_documents(input, context),
});

export const currentDocument = directTool({
  name: "current_document",
  description:
    "Returns the name of the selected document. Use get_navigation_context when the current address and procedure are wanted too.",
  operation: operations.current_document,
  examples: [{ title: "The selected document", target: "executable", input: {} }],
  call: (ports, input, context) => ports.current_document(input, context),
});

export const setCurrentDocument = directTool({
  name: "set_current_document",
  description:
    "Selects one of the documents of the bound analysis provider and returns its name; later calls without `document` are about it. Only Hopper has several. Read the names with list_documents.",
  operation: operations.set_current_document,
  effects: effectClasses.navigation,
  examples: [{ title: "Choose a document", target: "executable", input: { document: "program" } }],
  call: (ports, input, context) => ports.set_current_document(input, context),
});

export const currentAddress = directTool({
  name: "current_address",
  description:
    "Returns the address of the analysis cursor, which starts at the entry point and is moved by goto_address. Continue with inspect_address_context or inspect_native_instruction there.",
  operation: operations.current_address,
  examples: [{ title: "Where the cursor is", target: "executable", input: {} }],
  call: (ports, input, context) => ports.current_address(input, context),
});

export const currentProcedure = directTool({
  name: "current_procedure",
  description:
    "Returns the name of the procedure at the analysis cursor, or null when the cursor lies in none. Continue with analyze_function on that name.",
  operation: operations.current_procedure,
  examples: [{ title: "The procedure at the cursor", target: "executable", input: {} }],
  call: (ports, input, context) => ports.current_procedure(input, context),
});

export const gotoAddress = directTool({
  name: "goto_address",
  description:
    "Moves the analysis cursor and returns the address it is at now. Tools whose `address` may be left out use the cursor; next_address and prev_address walk from it.",
  operation: operations.goto_address,
  effects: effectClasses.navigation,
  examples: [{ title: "Move the cursor", target: "executable", input: { address: "0x1000" } }],
  call: (ports, input, context) => ports.goto_address(input, context),
});

export const nextAddress = directTool({
  name: "next_address",
  description:
    "Returns the start of the analysed item (instruction or data) after an address or after the cursor; null at the end. Use it to walk code item by item; read_function_instructions reads many at once.",
  operation: operations.next_address,
  examples: [{ title: "The item after an address", target: "executable", input: { address: "0x1000" } }],
  call: (ports, input, context) => ports.next_address(input, context),
});

export const prevAddress = directTool({
  name: "prev_address",
  description:
    "Returns the start of the analysed item (instruction or data) before an address or before the cursor; null at the start. Use it to find where an instruction in the middle of a listing begins.",
  operation: operations.prev_address,
  examples: [{ title: "The item before an address", target: "executable", input: { address: "0x1010" } }],
  call: (ports, input, context) => ports.prev_address(input, context),
});
