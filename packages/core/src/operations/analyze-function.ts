import { z } from "../z.js";
import { collectionSchema, coverageSchema, facetSchema } from "../coverage.js";
import { defineOperation } from "./define.js";
import { addressValue, count, documentInput, procedureInput } from "./values.js";
import { procedureInfoResult, referenceItem } from "./direct.js";
import { caseNumbering, caseNumbers, nativeApiResult } from "./native-api.js";

const text = z.string();
const start = (what: string) => z.number().int().min(0).default(0).describe(`First ${what} to return`);
const listFacet = <T extends z.ZodType>(item: T) => facetSchema(collectionSchema(item));
const textPart = z.strictObject({
  text,
  offset: count,
  returned_chars: count,
  total_chars: count,
  truncated: z.boolean(),
  next_offset: count.nullable(),
});
const textFacet = facetSchema(textPart);
const addressRange = z.strictObject({ start: addressValue, end: addressValue });
const pseudocodeFacet = facetSchema(
  textPart.extend({
    /** Lines of the shown part that stand for instructions, numbered from 1 over the whole text; `source` by debug information. */
    lines: z.array(z.strictObject({ line: count, addresses: z.array(addressRange), source: z.strictObject({ file: text, line: count }).optional() })).optional(),
  }),
);
const namedAddress = z.strictObject({ address: addressValue, name: text.nullable() });

export const functionCollections = [
  "basic_blocks",
  "callees",
  "callers",
  "comments",
  "incoming_references",
  "outgoing_references",
  "referenced_names",
  "referenced_strings",
] as const;
export type FunctionCollection = (typeof functionCollections)[number];

const offsets = z.strictObject({
  basic_blocks: start("block").optional(),
  callees: start("item").optional(),
  callers: start("item").optional(),
  comments: start("item").optional(),
  incoming_references: start("item").optional(),
  outgoing_references: start("item").optional(),
  referenced_names: start("item").optional(),
  referenced_strings: start("item").optional(),
});

const basicBlockItem = z.strictObject({
  start: addressValue,
  end: addressValue,
  instruction_count: count,
  successors: z.array(
    z.strictObject({
      address: addressValue,
      kind: text,
      /** On edges of a switch: the cases that lead there. */
      cases: caseNumbers.optional(),
      numbering: caseNumbering.optional(),
      /** True where values that no case names go: on the guard's edge, and on the table's edges to the same place. */
      default: z.boolean().optional(),
    }),
  ),
  /** Start of the nearest block that every path from the entry passes before; null for the entry and what no path reaches. */
  immediate_dominator: addressValue.nullable().optional(),
  /** Header of the innermost loop around the block. */
  loop: addressValue.nullable().optional(),
});

/** The function dossier of contract 04 §2.1. */
export const analyzeFunctionOperation = defineOperation(
  z.strictObject({
    procedure: procedureInput,
    include_assembly: z.boolean().default(false).describe("Add the listing"),
    limit: z.number().int().min(1).max(500).default(25).describe("Items shown of each collection"),
    max_pseudocode_chars: z.number().int().min(1).max(100_000).default(8000).describe("Pseudocode characters shown"),
    max_instructions: z.number().int().min(1).max(5000).default(200).describe("Instructions shown"),
    pseudocode_offset: start("pseudocode character"),
    assembly_offset: start("instruction"),
    collection_offset: offsets.optional().describe("First item to show, by collection"),
    document: documentInput,
  }),
  z.strictObject({
    procedure: z.strictObject({
      address: addressValue,
      name: text,
      demangled: procedureInfoResult.shape.demangled,
      signature: text.nullable(),
      locals: procedureInfoResult.shape.locals,
      classification: procedureInfoResult.shape.classification,
    }),
    pseudocode: pseudocodeFacet,
    assembly: textFacet,
    comments: listFacet(z.strictObject({ address: addressValue, kind: z.enum(["comment", "inline"]), text })),
    callers: listFacet(namedAddress),
    callees: listFacet(namedAddress),
    incoming_references: listFacet(referenceItem),
    outgoing_references: listFacet(referenceItem),
    referenced_strings: listFacet(z.strictObject({ address: addressValue, value: text, value_truncated: z.boolean() })),
    referenced_names: listFacet(namedAddress),
    basic_blocks: listFacet(basicBlockItem),
    native_api: facetSchema(nativeApiResult),
    instruction_scan: z.strictObject({ scanned: count, truncated: z.boolean() }),
    limitations: z.array(text),
  }),
);

/** Whole-program figures behind the detailed overview: what covers the code, which functions stand out. */
export const summarizeProgramOperation = defineOperation(
  z.strictObject({
    limit: z.number().int().min(1).max(50).default(10).describe("Items shown of each ranking"),
    document: documentInput,
  }),
  z.strictObject({
    procedure_count: count,
    string_count: count,
    name_count: count,
    segment_count: count,
    entry_points: z.array(z.strictObject({ address: addressValue, name: text.nullable(), kind: text })),
    largest_procedures: z.array(z.strictObject({ address: addressValue, name: text, demangled: text.optional(), size: count })),
    most_called_procedures: z.array(z.strictObject({ address: addressValue, name: text, demangled: text.optional(), callers: count })),
    notable_strings: z.array(z.strictObject({ address: addressValue, value: text, references: count })),
    /** Imports that have a stub or a slot, one entry a name, at most 5,000. */
    imported_names: z.array(z.strictObject({ address: addressValue, name: text, library: text.nullable() })),
    code_bytes: count,
    examined_code_bytes: count,
    unresolved_indirect_jumps: count,
    coverage: coverageSchema,
    limitations: z.array(text),
  }),
);

