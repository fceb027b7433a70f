import { z } from "@rea/core";

const start = z.union([z.number(), z.looseObject({ start: z.number() }).transform((item) => item.start)]);
const range = z.tuple([z.number(), z.number()]);

/**
 * What is certain of a stripped program, taken from the same program before stripping. Addresses are virtual addresses of
 * the file, ranges half-open. A folder of programs holds `stripped/<name>` and `truth/<name>.json`; the first four
 * members are all it needs.
 */
export const truthSchema = z.looseObject({
  /** The section that is judged. */
  text: range,
  /** Function symbols inside it. A size of zero is unknown. */
  functions: z.array(z.looseObject({ start: z.number(), size: z.number().default(0), names: z.array(z.string()).optional() })),
  /** Split-off parts of functions, start-up code and code without function symbols: neither for nor against. */
  cold_parts: z.array(start),
  crt: z.array(start),
  /** Fill inside functions: `nop` and its kind, which flow may never reach. */
  fill: z.array(range).optional(),
  /** What relocations inside functions refer to: offset of the relocated field, address referred to, whether it is code. */
  relocations: z.array(z.object({ at: z.number(), to: z.number(), code: z.boolean() })).optional(),
  /** Words of data that hold an address, and the sections of which all such words are told. */
  pointers: z.object({ sections: z.array(range), cells: z.array(z.object({ at: z.number(), to: z.number() })) }).optional(),
  /** Calls that DWARF describes: the address after the call, and where the called function may begin. */
  call_sites: z.array(z.object({ after: z.number(), to: z.array(z.number()) })).optional(),
  /** Tables of jump targets in the compiler's assembly output. */
  switch_tables: z.number().optional(),
});

export type Truth = z.output<typeof truthSchema>;
