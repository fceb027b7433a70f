import { z } from "../z.js";
import { coverageSchema } from "../coverage.js";
import { defineOperation } from "./define.js";
import { addressInput, addressValue, count, procedureInput } from "./values.js";

const text = z.string();

export const nativeTypeKinds = [
  "base", "struct", "class", "union", "interface", "enum", "typedef", "pointer", "reference", "rvalue_reference", "member_pointer", "array",
  "function", "const", "volatile", "restrict", "atomic", "subrange", "set", "string", "unspecified", "void", "unknown",
] as const;

/** Offsets and sizes in bytes; a bit field begins at `bit_offset` of its byte and is `bit_size` bits long. */
const nativeField = z.strictObject({
  offset: count.nullable(),
  name: text.nullable(),
  type: text,
  size: count.nullable(),
  bit_offset: count.nullable(),
  bit_size: count.nullable(),
  role: z.enum(["member", "base", "variant", "discriminant", "parameter"]),
});

const dataTypeInput = z
  .strictObject({
    type: z.string().min(1).max(4096).optional().describe("Type name, with or without scopes, e.g. node or ns::node"),
    address: addressInput.optional().describe("Address of a variable or the entry of a function, whose type is meant"),
  })
  .refine(({ type, address }) => (type === undefined) !== (address === undefined), { message: "pass exactly one of type and address" });

export const valueNodeKinds = ["parameter", "initial", "value", "merge", "memory", "call_result", "argument", "store", "condition", "return", "effect"] as const;
export const valueEdgeKinds = ["operand", "merge", "argument", "result"] as const;
export const valueFrontierReasons = [
  "library_function", "unresolved_call", "no_body", "no_known_caller", "memory", "procedure_limit", "node_limit", "not_lifted", "unknown_value",
] as const;

const valueNode = z.strictObject({
  id: text,
  procedure: addressValue,
  address: addressValue.nullable(),
  kind: z.enum(valueNodeKinds),
  text,
  bits: count,
});

/** Operations over types and values of native code. */
export const nativeValueOperations = {
  inspect_native_data_type: defineOperation(
    dataTypeInput,
    z.strictObject({
      name: text.nullable(),
      kind: z.enum(nativeTypeKinds),
      /** As C declares it; null where nothing is known. */
      declaration: text.nullable(),
      size: count.nullable(),
      alignment: count.nullable(),
      packed: z.boolean().nullable(),
      fields: z.array(nativeField),
      enumerators: z.array(z.strictObject({ name: text, value: text })),
      referenced_types: z.array(text),
    }),
  ),
  trace_native_values: defineOperation(
    z.strictObject({
      procedure: procedureInput,
      direction: z.enum(["backward", "forward"]).default("backward").describe("backward: origins; forward: where inputs go"),
      max_nodes: z.number().int().min(1).max(5000).default(500).describe("Nodes in the answer"),
      max_procedures: z.number().int().min(1).max(50).default(10).describe("Procedures that are looked into, the first included"),
    }),
    z.strictObject({
      nodes: z.array(valueNode),
      /** From a definition to its use. */
      edges: z.array(z.strictObject({ from: text, to: text, kind: z.enum(valueEdgeKinds) })),
      frontier: z.array(z.strictObject({ node: text, reason: z.enum(valueFrontierReasons), target: addressValue.nullable() })),
      coverage: coverageSchema,
    }),
  ),
} as const;
