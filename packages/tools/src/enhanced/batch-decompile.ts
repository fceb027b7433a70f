import { addressInput, addressValue, pageOf, pageSchema, z, type ReaError } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { deepTarget } from "../targets.js";
import { compose } from "../composed/composition.js";

const most = 20;
const count = z.number().int().nonnegative();

const decompiled = z.strictObject({
  address: addressValue,
  ok: z.boolean(),
  /** Null for a procedure without a body in this file, and where it failed. */
  pseudocode: z.string().nullable(),
  error: z.strictObject({ code: z.string(), message: z.string(), next_step: z.string() }).nullable(),
});

export const batchDecompile = defineTool({
  name: "batch_decompile",
  family: "enhanced",
  description:
    "Returns pseudocode of up to 20 procedures by their entry addresses; a failure stays with its address and the others are answered. Needs a provider that decompiles: binary_session says whether the bound one does. Without one, read analyze_function with include_assembly.",
  input: z.strictObject({
    addresses: z.array(addressInput).min(1).max(most).describe("Entry addresses of procedures"),
  }),
  output: pageSchema(decompiled).extend({ succeeded: count, failed: count }),
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["procedure_pseudo_code"],
  target: deepTarget,
  cli: { command: "batch-decompile", target: "open", positionals: ["addresses"] },
  examples: [{ title: "Two procedures", target: "executable", input: { addresses: ["0x1000", "0x2000"] } }],
  run: async ({ addresses }, ports, context) => {
    const composition = compose("batch_decompile", context);
    const items: z.output<typeof decompiled>[] = [];
    for (const address of addresses) {
      const answer = await composition.attempt(() => ports.procedure_pseudo_code({ procedure: address }, context));
      items.push(answer.ok ? { address, ok: true, pseudocode: answer.value, error: null } : { address, ok: false, pseudocode: null, error: shownError(answer.error) });
    }
    const succeeded = items.filter(({ ok }) => ok).length;
    const page = pageOf(items, { offset: 0, limit: most }, (item) => item);
    const locations = addresses.map((address) => ({ kind: "address", address }) as const);
    return { result: { ...page, succeeded, failed: items.length - succeeded }, produced: composition.produced({ locations }) };
  },
});

function shownError({ code, message, action }: ReaError) {
  return { code, message, next_step: action };
}
