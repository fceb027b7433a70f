import { operations } from "@rea/core";
import { directTool } from "./direct-tool.js";

export const listSegments = directTool({
  name: "list_segments",
  description:
    "Pages the mapped segments with address range, permissions, file range and the sections inside. Ends are exclusive. Use it to see which addresses are code or data before read_bytes or xrefs.",
  operation: operations.list_segments,
  examples: [{ title: "All segments", target: "executable", input: {} }],
  call: (ports, input, context) => ports.list_segments(input, context),
});

export const listProcedures = directTool({
  name: "list_procedures",
  description:
    "Pages every known procedure by address: name, size, and in `sources` why it is believed to be one. `external` and `thunk` mark imports and stubs. Use search_procedures to find one by name, analyze_function to read one.",
  operation: operations.list_procedures,
  examples: [{ title: "The first procedures", target: "executable", input: { limit: 10 } }],
  call: (ports, input, context) => ports.list_procedures(input, context),
});

export const listNames = directTool({
  name: "list_names",
  description:
    "Pages every named address (symbols, imports, exports, given names), or the names at one exact address. Use find_xrefs_to_name to see who uses a name.",
  operation: operations.list_names,
  examples: [{ title: "The first names", target: "executable", input: { limit: 10 } }],
  call: (ports, input, context) => ports.list_names(input, context),
});

export const listStrings = directTool({
  name: "list_strings",
  description:
    "Pages the strings found in the target with address, encoding and byte length, or the one at an exact address. Use search_strings to filter by text and find_code_for_string to get from text to code.",
  operation: operations.list_strings,
  examples: [{ title: "The first strings", target: "executable", input: { limit: 10 } }],
  call: (ports, input, context) => ports.list_strings(input, context),
});

export const listBookmarks = directTool({
  name: "list_bookmarks",
  description:
    "Pages the bookmarks an analyst has set in this target, with their names. Bookmarks of earlier sessions on the same bytes are shown too. Set one with set_bookmark.",
  operation: operations.list_bookmarks,
  examples: [{ title: "All bookmarks", target: "executable", input: {} }],
  call: (ports, input, context) => ports.list_bookmarks(input, context),
});

// The `search` command asks both searches, so neither has a command of its own.
export const searchProcedures = directTool({
  name: "search_procedures",
  description:
    "Finds procedures whose name contains a text or matches a regular expression (RE2 syntax). Ignores case unless told otherwise. Continue with analyze_function or procedure_callers on a hit.",
  operation: operations.search_procedures,
  examples: [
    { title: "Names that contain a text", target: "executable", input: { pattern: "main" } },
    { title: "Names that match", target: "executable", input: { pattern: "^_?(init|fini)", mode: "regex" } },
  ],
  call: (ports, input, context) => ports.search_procedures(input, context),
});

export const searchStrings = directTool({
  name: "search_strings",
  description:
    "Finds strings of the target that contain a text or match a regular expression (RE2 syntax). Ignores case unless told otherwise. Continue with xrefs on a hit, or ask find_code_for_string at once.",
  operation: operations.search_strings,
  examples: [
    { title: "Strings that contain a text", target: "executable", input: { pattern: "error" } },
    { title: "URLs", target: "executable", input: { pattern: "https?://", mode: "regex" } },
  ],
  call: (ports, input, context) => ports.search_strings(input, context),
});

export const searchBytes = directTool({
  name: "search_bytes",
  description:
    "Finds a byte pattern in the mapped bytes of the target, `??` for any byte: address, file offset and section of each hit, in order. Use it for constants, opcodes and magic numbers; continue with read_bytes or resolve_containing_procedure.",
  operation: operations.search_bytes,
  cli: { command: "search-bytes", target: "open", positionals: ["pattern"] },
  examples: [{ title: "A pattern with a free byte", target: "executable", input: { pattern: "00 ?? 00", limit: 5 } }],
  call: (ports, input, context) => ports.search_bytes(input, context),
});
