import { z } from "../z.js";
import { addressValue, count } from "./values.js";

const text = z.string();
const integer = z.number().int();

/** Case numbers in decimal, ascending; a run of three or more is written `first..last`. */
export const caseNumbers = z.array(text);

/** Whether case numbers are values of what is switched on, or positions in a table whose lowest value is not known. */
export const caseNumbering = z.enum(["value", "index"]);

const jumpTable = z.strictObject({
  jump: addressValue,
  address: addressValue.nullable(),
  entry_bytes: count.nullable(),
  entries: count,
  /** `decompiler`: an external engine's decompiler says how many there are, not why. */
  bound_basis: z.enum(["comparison", "mask", "plausible_targets", "decompiler"]),
  numbering: caseNumbering,
  lowest: text.nullable(),
  index_table: addressValue.nullable(),
  default: addressValue.nullable(),
  targets: z.array(z.strictObject({ address: addressValue, cases: caseNumbers })),
});
export type NativeJumpTable = z.output<typeof jumpTable>;

/** Offsets count in bytes from the stack pointer at entry, so they are mostly negative. */
const frame = z.strictObject({
  size: count.nullable(),
  fixed_size: count,
  deepest: count,
  consistent: z.boolean(),
  dynamic_at: z.array(addressValue),
  below_stack_pointer: count,
  frame_pointer: z.strictObject({ register: text, set_at: addressValue }).nullable(),
  saved_registers: z.array(z.strictObject({ register: text, offset: integer, address: addressValue })),
});

const loop = z.strictObject({
  header: addressValue,
  kind: z.enum(["natural", "irreducible"]),
  depth: count,
  parent: addressValue.nullable(),
  block_count: count,
  latches: z.array(addressValue),
  other_entries: z.array(addressValue),
});

/** What a function's code shows of how it is called and how control runs in it. */
export const nativeApiResult = z.strictObject({
  available: z.boolean(),
  calling_convention: z.strictObject({ name: text.nullable(), basis: z.array(text) }).nullable(),
  parameters: z.array(z.strictObject({ position: count, location: text, kind: z.enum(["integer", "float", "unknown"]), basis: text, name: text.nullable().optional(), type: text.nullable().optional() })),
  variadic: z.strictObject({ named_registers: count, basis: text }).nullable(),
  return_type: text.nullable(),
  return_value: z
    .strictObject({ kind: z.enum(["integer", "float", "integer_and_float", "none_seen", "unknown", "does_not_return"]), basis: text })
    .nullable(),
  signature_source: text.nullable(),
  jump_tables: z.array(jumpTable),
  artifacts: z.array(z.strictObject({ kind: text, address: addressValue, detail: text })),
  frame: frame.nullable(),
  loops: z.array(loop),
  /** Lists that were cut to the asked number of items, with their whole length. */
  truncated: z.array(z.strictObject({ part: text, total: count })),
  unknowns: z.array(text),
});
export type NativeApi = z.output<typeof nativeApiResult>;
