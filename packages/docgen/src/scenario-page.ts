import { processScenarioSchema } from "@rea/core";
import { inputSchemaOf, type JsonSchema } from "@rea/tool";
import { referencePage, type ReferencePage } from "./reference-page.js";

/** The grammar of process scenarios, which the tool's own schema leaves open. */
export function scenarioPage(): ReferencePage {
  const lines = propertiesOf(inputSchemaOf({ input: processScenarioSchema }), 0);
  const text = [
    "# Process scenarios",
    "",
    "The `scenario` of `capture_process_scenario`, and the file of `rea capture-process SCENARIO.json`. Unknown keys are refused at every depth.",
    "",
    ...lines,
    "",
  ].join("\n");
  return referencePage("process-scenario.md", text);
}

function propertiesOf(schema: JsonSchema, depth: number): string[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const facts = [typeOf(property), ...boundsOf(property), required.has(name) ? "required" : ""].filter((fact) => fact !== "");
    return [`${"  ".repeat(depth)}- \`${name}\`: ${facts.join(", ")}`, ...below(property, depth + 1)];
  });
}

/** What lies below a property: the members of an object, of the items of a list, or of each of its kinds. */
function below(schema: JsonSchema, depth: number): string[] {
  const kinds = schema.oneOf ?? schema.anyOf;
  if (kinds !== undefined) {
    return kinds.flatMap((kind) => [`${"  ".repeat(depth)}- with ${kindOf(kind)}`, ...propertiesOf(withoutKind(kind), depth + 1)]);
  }
  return schema.items === undefined ? propertiesOf(schema, depth) : below(schema.items, depth);
}

function kindOf({ properties }: JsonSchema): string {
  const kind = properties?.["kind"];
  return `\`kind\`: ${constantOf(kind)}`;
}

function withoutKind(schema: JsonSchema): JsonSchema {
  const { kind: _kind, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

function constantOf(schema: JsonSchema | undefined): string {
  return schema !== undefined && "const" in schema ? JSON.stringify(schema.const) : (schema?.enum ?? []).map((value) => JSON.stringify(value)).join(" or ");
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined || "const" in schema) return constantOf(schema);
  if (schema.items !== undefined) return `list of ${schema.items.oneOf === undefined && schema.items.anyOf === undefined ? typeOf(schema.items) : "object"}`;
  return typeof schema.type === "string" ? schema.type : "object";
}

function boundsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, default: standard }: JsonSchema): string[] {
  return [
    minimum === undefined && maximum === undefined ? "" : `${String(minimum ?? "")}..${String(maximum ?? "")}`,
    maxLength === undefined ? "" : `${minLength === undefined ? "at most" : `${String(minLength)} to`} ${String(maxLength)} characters`,
    maxItems === undefined ? "" : `${minItems === undefined ? "at most" : `${String(minItems)} to`} ${String(maxItems)}`,
    pattern === undefined ? "" : `\`${pattern.replaceAll("`", "")}\``,
    ["string", "number", "boolean"].includes(typeof standard) ? `default \`${JSON.stringify(standard).replaceAll('"', "")}\`` : "",
  ];
}
