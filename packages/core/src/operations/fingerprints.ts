import { coverageSchema } from "../coverage.js";
import { z } from "../z.js";
import { defineOperation } from "./define.js";
import { addressValue, count, documentInput } from "./values.js";

const text = z.string();

const fingerprint = z.strictObject({
  address: addressValue,
  /** Null for a name that an engine made from the address. */
  name: text.nullable(),
  /** Readable form of a mangled name. */
  demangled: text.optional(),
  external: z.boolean(),
  thunk: z.boolean(),
  size: count,
  instructions: count,
  blocks: count,
  edges: count,
  /** Hash of the instructions without the addresses in them; equal for copies at other places. */
  code: text,
  /** Hash of what the instructions do, without registers and constants. */
  operations: text,
  /** Hash of the shape of the control flow, without order in memory. */
  flow: text,
  /** 24 minima of hashes of three operations in a row, 8 hex digits each: the share of equal ones estimates likeness. */
  sketch: text,
  /** Hashes of the strings used, of names of imports called, and of telling constants: 8 hex digits each, ascending. */
  strings: text,
  imports: text,
  constants: text,
  /** Positions (in the whole list) of what it calls, in the order of the calls, comma between. */
  calls: text,
  /** Hash of what every reference out of the function says: strings, names of imports. */
  meanings: text,
});
export type NativeFingerprint = z.output<typeof fingerprint>;

/** What functions are like, for telling which function of another program is the same one. Not a tool of its own. */
export const fingerprintFunctionsOperation = defineOperation(
  z.strictObject({
    offset: z.number().int().min(0).default(0).describe("First function to return"),
    limit: z.number().int().min(1).max(5000).default(2000).describe("Functions to return"),
    document: documentInput,
  }),
  z.strictObject({ functions: z.array(fingerprint), total: count, next_offset: count.nullable(), coverage: coverageSchema, limitations: z.array(text) }),
);
