import { z } from "../z.js";
import { pageSchema } from "../coverage.js";
import { defineOperation } from "./define.js";
import {
  addressInput,
  addressValue,
  count,
  describedAddress,
  documentInput,
  optionalAddress,
  pageInput,
  procedureInput,
} from "./values.js";

const document = documentInput;
const named = { address: addressValue, value: z.string(), value_truncated: z.boolean() };
const boolean = z.boolean();
const text = z.string();

/** Readable form of a mangled C++ or Rust name; absent when the name is not mangled or not understood. */
const demangled = z.string().optional();

export const procedureSources = [
  "symbol",
  "entry",
  "export",
  "unwind",
  "function-starts",
  "init-array",
  "call-target",
  "pointer",
  "tail-call",
  "jump-table",
  "prologue",
  "annotation",
] as const;
export type ProcedureSource = (typeof procedureSources)[number];

const procedureItem = z.strictObject({
  ...named,
  procedure: z.strictObject({
    size: count.nullable(),
    sources: z.array(z.enum(procedureSources)),
    name_source: z.enum(["symbol", "export", "import", "annotation", "generated"]),
    external: z.boolean(),
    thunk: z.boolean(),
    thunk_target: z.string().nullable(),
    demangled,
  }),
});

const nameItem = z.strictObject({
  ...named,
  symbol: z.strictObject({
    kind: z.string().nullable(),
    binding: z.string().nullable(),
    source: z.string(),
    library: z.string().nullable(),
    demangled,
  }),
});

export const stringEncodings = ["ascii", "utf-8", "utf-16le", "utf-16be"] as const;
const stringItem = z.strictObject({
  ...named,
  string: z.strictObject({ encoding: z.enum(stringEncodings), byte_length: count, terminated: z.boolean() }),
});

const segmentItem = z.strictObject({
  name: text,
  start: addressValue,
  end: addressValue,
  readable: boolean.nullable(),
  writable: boolean.nullable(),
  executable: boolean.nullable(),
  permissions: text.nullable(),
  sections: z.array(z.strictObject({ name: text, start: addressValue, end: addressValue })),
  address_space: text.optional(),
  image_base: addressValue.optional(),
  initialized: boolean.optional(),
  overlay: boolean.optional(),
  file_offset: count.nullable().optional(),
  file_size: count.optional(),
  provenance: text,
});

export const referenceKinds = ["call", "jump", "read", "write", "address"] as const;
export type ReferenceKind = (typeof referenceKinds)[number];
export const referenceItem = z.strictObject({
  from: addressValue,
  to: addressValue,
  kind: z.enum(referenceKinds).nullable(),
  operand_index: count.nullable(),
});

const instructionItem = z.strictObject({ address: addressValue, bytes_hex: text, text, length: count });

const classification = z.strictObject({
  external: boolean,
  thunk: boolean,
  thunk_target: text.nullable(),
  provenance: text,
});

export const procedureInfoResult = z.strictObject({
  name: text,
  demangled,
  entrypoint: addressValue,
  length: count.nullable(),
  basicblock_count: count.nullable(),
  signature: text.nullable(),
  locals: z.array(z.strictObject({ description: text, provenance: text })),
  classification: classification.nullable(),
});

const search = {
  pattern: z.string().min(1).max(256).describe("Text to find; RE2 syntax in mode regex"),
  mode: z.enum(["literal", "regex"]).default("literal").describe("How pattern is read"),
  case_sensitive: z.boolean().default(false).describe("Match letter case"),
  ...pageInput(100, 100),
  document,
};
const searchResult = pageSchema(z.strictObject(named));
const listInput = z.strictObject({ ...pageInput(500, 100), document });
const filteredList = z.strictObject({
  ...pageInput(500, 100),
  address: addressInput.optional().describe("Only items at this exact address"),
  document,
});
const none = z.strictObject({});
const onlyDocument = z.strictObject({ document });
const atAddress = z.strictObject({ address: describedAddress, document });
const atCursor = z.strictObject({ address: optionalAddress, document });
const ofProcedure = z.strictObject({ procedure: procedureInput, document });
const pagedProcedure = z.strictObject({ procedure: procedureInput, ...pageInput(500, 100), document });
const commentText = z.string().max(16_384).describe("Comment text");
const nameText = z.string().min(1).max(1024).describe("Name to give");

/** The direct family (contract 04 §1): one operation a tool, of the same name. */
export const directOperations = {
  list_documents: defineOperation(z.strictObject({ ...pageInput(500, 100) }), pageSchema(text)),
  current_document: defineOperation(none, text),
  set_current_document: defineOperation(
    z.strictObject({ document: z.string().min(1).max(1024).describe("A name of list_documents") }),
    text,
  ),
  current_address: defineOperation(onlyDocument, addressValue),
  current_procedure: defineOperation(onlyDocument, text.nullable()),
  goto_address: defineOperation(atAddress, addressValue),
  next_address: defineOperation(atCursor, addressValue.nullable()),
  prev_address: defineOperation(atCursor, addressValue.nullable()),
  list_segments: defineOperation(listInput, pageSchema(segmentItem)),
  list_procedures: defineOperation(listInput, pageSchema(procedureItem)),
  list_names: defineOperation(filteredList, pageSchema(nameItem)),
  list_strings: defineOperation(filteredList, pageSchema(stringItem)),
  search_procedures: defineOperation(z.strictObject(search), pageSchema(z.strictObject({ ...named, demangled }))),
  search_strings: defineOperation(z.strictObject(search), searchResult),
  search_bytes: defineOperation(
    z.strictObject({
      pattern: z.string().min(2).max(767).describe('Hex bytes, ?? for any: "48 8b ?? 05"'),
      ...pageInput(500, 100),
      document,
    }),
    pageSchema(z.strictObject({ address: addressValue, file_offset: count, section: text.nullable() })),
  ),
  procedure_address: defineOperation(ofProcedure, addressValue),
  procedure_info: defineOperation(ofProcedure, procedureInfoResult),
  procedure_assembly: defineOperation(ofProcedure, text),
  /** Null for a procedure without a body here. */
  procedure_pseudo_code: defineOperation(ofProcedure, text.nullable()),
  procedure_callers: defineOperation(pagedProcedure, pageSchema(addressValue)),
  procedure_callees: defineOperation(pagedProcedure, pageSchema(addressValue)),
  procedure_references: defineOperation(
    z.strictObject({
      procedure: procedureInput,
      direction: z.enum(["incoming", "outgoing"]).default("outgoing").describe("Which way"),
      ...pageInput(500, 100),
      max_instructions: z.number().int().min(1).max(5000).default(500).describe("Instructions scanned at most"),
      document,
    }),
    z.strictObject({
      procedure: addressValue,
      direction: z.enum(["incoming", "outgoing"]),
      references: pageSchema(referenceItem),
      instructions_scanned: count,
      instruction_scan_truncated: boolean,
    }),
  ),
  read_function_instructions: defineOperation(
    z.strictObject({
      procedure: procedureInput,
      offset: z.number().int().min(0).max(100_000).default(0).describe("First instruction of the page"),
      limit: z.number().int().min(1).max(500).default(64).describe("Instructions in the page"),
      document,
    }),
    z.strictObject({
      procedure: addressValue,
      instructions: pageSchema(instructionItem),
      instructions_scanned: count,
      instruction_scan_truncated: boolean,
      limitations: z.array(text),
    }),
  ),
  read_bytes: defineOperation(
    z.strictObject({
      address: describedAddress,
      length: z.number().int().min(1).max(4096).default(256).describe("Bytes to read"),
      document,
    }),
    z.strictObject({
      address: addressValue,
      bytes_hex: text,
      requested_bytes: count,
      returned_bytes: count,
      complete: boolean,
    }),
  ),
  address_to_file_offset: defineOperation(
    atAddress,
    z.strictObject({ address: addressValue, file_offset: count.nullable(), reason: text.nullable() }),
  ),
  resolve_containing_procedure: defineOperation(
    atAddress,
    z.discriminatedUnion("found", [
      z.strictObject({
        found: z.literal(true),
        query_address: addressValue,
        procedure: z.strictObject({ address: addressValue, name: text }),
      }),
      z.strictObject({
        found: z.literal(false),
        query_address: addressValue,
        reason: z.enum(["outside_segments", "not_in_procedure"]),
        procedure: z.null(),
      }),
    ]),
  ),
  xrefs: defineOperation(z.strictObject({ address: describedAddress, ...pageInput(500, 100), document }), pageSchema(addressValue)),
  address_name: defineOperation(atCursor, text.nullable()),
  comment: defineOperation(atCursor, text.nullable()),
  inline_comment: defineOperation(atCursor, text.nullable()),
  list_bookmarks: defineOperation(
    listInput,
    pageSchema(z.strictObject({ address: addressValue, name: text.nullable() })),
  ),
  set_address_name: defineOperation(z.strictObject({ address: describedAddress, name: nameText, document }), boolean),
  set_addresses_names: defineOperation(
    z.strictObject({
      names: z
        .array(z.strictObject({ address: describedAddress, name: nameText }))
        .min(1)
        .max(500)
        .describe("Names to set"),
      document,
    }),
    pageSchema(z.strictObject({ address: addressValue, ok: boolean, reason: text.nullable() })),
  ),
  set_comment: defineOperation(z.strictObject({ address: describedAddress, comment: commentText, document }), boolean),
  set_inline_comment: defineOperation(
    z.strictObject({ address: describedAddress, comment: commentText, document }),
    boolean,
  ),
  set_bookmark: defineOperation(
    z.strictObject({
      address: describedAddress,
      name: z.string().min(1).max(1024).optional().describe("Bookmark name"),
      document,
    }),
    boolean,
  ),
  unset_bookmark: defineOperation(atAddress, boolean),
  inspect_native_instruction: defineOperation(
    z.strictObject({ address: describedAddress }),
    z.strictObject({
      outcome: z.enum(["instruction", "mid_instruction", "data", "outside", "undecodable"]),
      address: addressValue,
      instruction_start: addressValue.nullable(),
      bytes_hex: text.nullable(),
      length: count.nullable(),
      text: text.nullable(),
      mnemonic: text.nullable(),
      operands: z.array(z.strictObject({ text, kind: text, access: text.nullable() })),
      references: z.array(referenceItem),
      flow: text.nullable(),
    }),
  ),
  resolve_native_call_targets: defineOperation(
    z.strictObject({ address: describedAddress }),
    z.strictObject({
      outcome: z.enum(["direct", "resolved_indirect", "ambiguous", "unresolved", "not_a_call"]),
      targets: z.array(z.strictObject({ address: addressValue, name: text.nullable(), basis: text })),
      limitations: z.array(text),
    }),
  ),
} as const;
