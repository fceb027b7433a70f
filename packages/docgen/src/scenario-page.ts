import { browserScenarioSchema, electronScenarioSchema, processScenarioSchema, type z } from "@rea/core";
import { inputSchemaOf, type JsonSchema } from "@rea/tool";
import { referencePage, type ReferencePage } from "./reference-page.js";

interface Grammar {
  readonly file: string;
  readonly title: string;
  readonly tool: string;
  readonly command: string;
  readonly input: z.ZodObject;
}

const grammars: readonly Grammar[] = [
  { file: "process-scenario.md", title: "Process scenarios", tool: "capture_process_scenario", command: "capture-process", input: processScenarioSchema },
  { file: "browser-scenario.md", title: "Browser scenarios", tool: "capture_browser_scenario", command: "capture-browser-scenario", input: browserScenarioSchema },
  { file: "electron-scenario.md", title: "Electron scenarios", tool: "capture_electron_scenario", command: "capture-electron-scenario", input: electronScenarioSchema },
];

/** The grammars of scenarios, which the tools' own schemas leave open. */
export function scenarioPages(): readonly ReferencePage[] {
  return grammars.map(({ file, title, tool, command, input }) => {
    const intro = `The \`scenario\` of \`${tool}\`, and the file of \`rea ${command} SCENARIO.json\`. Unknown keys are refused at every depth.`;
    return referencePage(file, [`# ${title}`, "", intro, "", ...propertiesOf(inputSchemaOf({ input }), 0), ""].join("\n"));
  });
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

/** Members by which kinds are told apart. */
const tellers = ["kind", "type", "mode"] as const;

function kindOf({ properties }: JsonSchema): string {
  const teller = tellers.find((name) => properties?.[name] !== undefined && constantOf(properties[name]) !== "");
  return `\`${teller ?? "kind"}\`: ${constantOf(properties?.[teller ?? "kind"])}`;
}

function withoutKind(schema: JsonSchema): JsonSchema {
  const told = kindOf(schema);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !told.startsWith(`\`${name}\``));
  return { ...schema, properties: Object.fromEntries(properties) };
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
