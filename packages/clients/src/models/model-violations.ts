import { isJsonObject, type JsonObject, type JsonValue } from "@rea/core";
import type { ModelRules } from "./model-rules.js";

/** Every rule of a maker of models that a list of tools breaks, one sentence each; empty when it takes all of them. */
export function modelViolations(rules: ModelRules, tools: readonly JsonObject[]): string[] {
  const found = tools.flatMap((tool) => {
    const name = typeof tool["name"] === "string" ? tool["name"] : "";
    return toolViolations(rules, tool, name).map((text) => `${name}: ${text}`);
  });
  if (rules.maximumTools !== null && tools.length > rules.maximumTools) found.push(`${String(tools.length)} tools are more than ${String(rules.maximumTools)}`);
  return found;
}

function toolViolations(rules: ModelRules, tool: JsonObject, name: string): string[] {
  const found: string[] = [];
  if (!rules.name.test(`${rules.prefix}${name}`)) found.push("the name is not of the form that is taken");
  const description = typeof tool["description"] === "string" ? tool["description"] : "";
  if (rules.maximumDescription !== null && description.length > rules.maximumDescription) found.push("the description is too long");
  const schema = tool["inputSchema"];
  if (!isJsonObject(schema) || schema["type"] !== "object") return [...found, "the input is no object at its root"];
  if (!isJsonObject(schema["properties"])) found.push("the root names no properties");
  for (const keyword of Object.keys(schema)) if (rules.notAtRoot.has(keyword)) found.push(`the root uses ${keyword}`);
  const totals = { properties: 0, values: 0 };
  found.push(...schemaViolations(rules, schema, { at: "input", depth: 1, totals }));
  if (rules.maximumProperties !== null && totals.properties > rules.maximumProperties) found.push("there are too many properties");
  if (rules.maximumEnumValues !== null && totals.values > rules.maximumEnumValues) found.push("there are too many values to choose from");
  return found;
}

interface Place {
  readonly at: string;
  readonly depth: number;
  readonly totals: { properties: number; values: number };
}

function schemaViolations(rules: ModelRules, schema: JsonObject, place: Place): string[] {
  const { at, depth, totals } = place;
  const { type } = schema;
  const found = keywordViolations(rules, schema, at);
  const container = type === "object" || type === "array";
  if (rules.maximumDepth !== null && container && depth > rules.maximumDepth) found.push(`${at} is nested too deeply`);
  const values = schema["enum"];
  if (Array.isArray(values)) {
    totals.values += values.length;
    if (rules.textEnums && (type !== "string" || values.some((value) => typeof value !== "string"))) found.push(`${at} offers values that are no texts`);
  }
  for (const [name, inner] of children(schema)) {
    if (name !== "[]") {
      totals.properties += 1;
      if (rules.property?.test(name) === false) found.push(`${at}.${name} has a name that is not taken`);
    }
    if (!isJsonObject(inner)) found.push(`${at}.${name} is no object`);
    else found.push(...schemaViolations(rules, inner, { at: name === "[]" ? `${at}[]` : `${at}.${name}`, depth: depth + 1, totals }));
  }
  return found;
}

function keywordViolations(rules: ModelRules, schema: JsonObject, at: string): string[] {
  const found: string[] = [];
  for (const keyword of Object.keys(schema)) {
    if (keyword.startsWith("$")) found.push(`${at} uses ${keyword}`);
    else if (rules.keywords?.has(keyword) === false) found.push(`${at} uses ${keyword}, which is unknown`);
  }
  if (rules.typeEverywhere && typeof schema["type"] !== "string") found.push(`${at} names no type`);
  if (rules.typeEverywhere && "anyOf" in schema) found.push(`${at} names a type beside anyOf`);
  return found;
}

function children(schema: JsonObject): [string, JsonValue][] {
  const { properties, items } = schema;
  return [...(isJsonObject(properties) ? Object.entries(properties) : []), ...(items === undefined ? [] : [["[]", items] satisfies [string, JsonValue]])];
}
