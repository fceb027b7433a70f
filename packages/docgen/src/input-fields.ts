import { z } from "@rea/core";

export interface InputField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

interface Schema {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

const schemaShape: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    description: z.string().optional(),
    default: z.unknown(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown(),
    items: schemaShape.optional(),
    anyOf: z.array(schemaShape).optional(),
    oneOf: z.array(schemaShape).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
  }),
);
const objectShape = z.object({
  properties: z.record(z.string(), schemaShape).default({}),
  required: z.array(z.string()).default([]),
});

/** The fields of a tool's input as its callers see them: what may be left out is shown as optional, with its default. */
export function inputFields(input: z.ZodObject): readonly InputField[] {
  const { properties, required } = objectShape.parse(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeText(schema),
    required: required.includes(name),
    description: describe(schema),
  }));
}

function describe(schema: Schema): string {
  const text = schema.description ?? "";
  return schema.default === undefined ? text : `${text} Default \`${JSON.stringify(schema.default)}\`.`.trim();
}

function typeText(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(typeText).join(" or ");
  const bound = boundText(schema);
  if (schema.type === "array") return `array of ${schema.items ? typeText(schema.items) : "anything"}${bound}`;
  return `${schema.type ?? "anything"}${bound}`;
}

// JSON Schema writes the bounds of safe integers out; readers do not need them.
function boundText(schema: Schema): string {
  const low = schema.minimum ?? schema.minLength ?? schema.minItems;
  const high = schema.maximum ?? schema.maxLength ?? schema.maxItems;
  const unit = schema.minLength !== undefined || schema.maxLength !== undefined ? " characters" : "";
  const isOpen = (bound: number | undefined): boolean =>
    bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER;
  if (isOpen(low) && isOpen(high)) return "";
  return ` (${isOpen(low) ? "" : low}..${isOpen(high) ? "" : high}${unit})`;
}
