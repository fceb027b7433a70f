import { evidenceRefusal, sha256Schema, wholeKinds, z } from "@rea/core";
import { defineTool, effectClasses } from "@rea/tool";
import { pageOfWhole, wholeRowSchema } from "./page-of-whole.js";

const count = z.number().int().nonnegative();

export const readRetained = defineTool({
  family: "session",
  name: "read_retained",
  description:
    "Pages through what a result only began to show: a retained graph, capture, timeline, transcript or inventory, by the sha256 that the result names. `pointer` is a JSON pointer into it; large values show their kind and count, and their own pointer. Without a pointer it lists the sections.",
  input: z.strictObject({
    sha256: sha256Schema.describe("Digest of the whole, as results name it"),
    pointer: z.string().max(4096).default("").describe('JSON pointer (RFC 6901), such as "/network/items"'),
    offset: count.max(2_000_000).default(0).describe("First item, member or character"),
    limit: z.number().int().min(1).max(500).default(50).describe("Items or members; text comes in pieces of 16,384 characters"),
  }),
  output: z.strictObject({
    sha256: sha256Schema,
    whole_kind: z.enum(wholeKinds),
    /** Of the canonical JSON of the whole. */
    whole_bytes: count,
    pointer: z.string(),
    kind: z.enum(["array", "object", "string", "number", "boolean", "null"]),
    /** Items, members or characters; 1 for anything else. */
    total: count,
    offset: count,
    next_offset: count.nullable(),
    /** One for each item or member. */
    rows: z.array(wholeRowSchema),
    /** Of a string: the piece that begins at `offset`. */
    text: z.string().nullable(),
    /** Of a number, a boolean or null. */
    value: z.union([z.number(), z.boolean(), z.null()]),
  }),
  evidence: false,
  requires: ["ledger"],
  target: "none",
  effects: effectClasses.pure,
  cli: null,
  examples: [{ title: "Requests of a page that was inspected", input: { sha256: "0".repeat(64), pointer: "/network/items" } }],
  run: ({ sha256, pointer, offset, limit }, { ledger }) => {
    const whole = ledger.whole(sha256);
    if (whole === undefined) {
      throw evidenceRefusal("missing", "Nothing with this digest is retained in this session. Run the tool again that named it, or import a bundle that was exported with its wholes.", { expected: sha256 });
    }
    const page = pageOfWhole(whole.content, { pointer, offset, limit });
    return Promise.resolve({ result: { sha256, whole_kind: whole.kind, whole_bytes: whole.bytes, pointer, offset, ...page }, produced: null });
  },
});
