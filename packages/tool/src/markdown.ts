import { compareCodePoints } from "@rea/core";
import { toCommandLine, type CommandLine } from "./command-line.js";
import { toolFamilies, type Tool, type ToolFamily } from "./define-tool.js";
import { annotationsOf } from "./effects.js";
import { inputSchemaOf } from "./input-schema.js";
import { toResultSchema, type JsonSchema } from "./json-schema.js";

/** The reference of all tools in Markdown: by family, then by name; the same text for the same definitions. */
export function toMarkdown(tools: readonly Tool[]): string {
  const families = toolFamilies.filter((family) => tools.some((tool) => tool.family === family));
  const sections = families.map((family) => familySection(family, tools));
  return `# Tools\n\n${indexOf(families, tools)}\n\n${sections.join("\n\n")}\n`;
}

/** The reference section of one tool. */
export function toolSection(tool: Tool): string {
  const { title } = annotationsOf(tool.name, tool.effects);
  const parts = [
    `### \`${tool.name}\``,
    `${title}. ${tool.description}`,
    facts(tool),
    inputTable(tool),
    `Result: ${outline(toResultSchema(tool.output), 0)}`,
    ...tool.examples.map((example) => `${example.title}:\n\n\`\`\`json\n${JSON.stringify(example.input, null, 2)}\n\`\`\``),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function sorted(family: ToolFamily, tools: readonly Tool[]): Tool[] {
  return tools.filter((tool) => tool.family === family).sort((a, b) => compareCodePoints(a.name, b.name));
}

function indexOf(families: readonly ToolFamily[], tools: readonly Tool[]): string {
  return families
    .map((family) => `- ${family}: ${sorted(family, tools).map((tool) => `[\`${tool.name}\`](#${tool.name})`).join(", ")}`)
    .join("\n");
}

function familySection(family: ToolFamily, tools: readonly Tool[]): string {
  return [`## ${family}`, ...sorted(family, tools).map(toolSection)].join("\n\n");
}

function facts(tool: Tool): string {
  const hints = annotationsOf(tool.name, tool.effects);
  const words = [
    hints.readOnlyHint ? "read-only" : "",
    hints.destructiveHint ? "may discard data" : "",
    hints.idempotentHint ? "idempotent" : "",
    hints.openWorldHint ? "may start a process or use the network" : "",
    tool.evidence ? "produces Evidence" : "",
  ].filter((word) => word !== "");
  const needs = tool.requires.length === 0 ? "nothing" : tool.requires.map((name) => `\`${name}\``).join(", ");
  return [
    `- Effects: ${words.join(", ") || "none of note"}`,
    `- Target: ${targetText(tool)}`,
    `- Needs: ${needs}${tool.host === undefined ? "" : `, on the host \`${tool.host.replaceAll("_", "-")}\``}`,
    `- Command: ${tool.cli === null ? `\`rea tool ${tool.name}\`` : usage(toCommandLine(tool))}`,
  ].join("\n");
}

function targetText(tool: Tool): string {
  if (tool.target === "none") return "none";
  return `${tool.target.kinds.join(", ")}${tool.target.path_input ? " (open, or given as `path`)" : " (open)"}`;
}

function usage(line: CommandLine): string {
  const path = line.target === "none" ? [] : ["PATH"];
  const words = ["rea", line.command, ...path, ...line.positionals.map((item) => item.field.toUpperCase())];
  return `\`${words.join(" ")}\``;
}

function inputTable(tool: Tool): string {
  const rows = inputRows(inputSchemaOf(tool), "");
  if (rows.length === 0) return "No input.";
  return ["| Input | Type | Default | Meaning |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function inputRows(schema: JsonSchema, prefix: string): string[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const standard = property.default === undefined ? (required.has(key) ? "required" : "–") : JSON.stringify(property.default);
    const row = `| \`${name}\` | ${cell(typeText(property))} | ${cell(standard)} | ${cell(property.description ?? "")} |`;
    const inner = property.items ?? property;
    return [row, ...inputRows(inner, `${name}${property.items === undefined ? "." : "[]."}`)];
  });
}

function typeText(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(" or ");
  const base = schema.type === "array" ? `list of ${typeText(schema.items ?? {})}` : [schema.type ?? "any"].flat().join(" or ");
  return `${base}${boundsText(schema)}`;
}

function boundsText(schema: JsonSchema): string {
  const lower = schema.minimum ?? schema.minLength ?? schema.minItems;
  const upper = schema.maximum ?? schema.maxLength ?? schema.maxItems;
  if (lower === undefined && upper === undefined) return "";
  return ` (${lower === undefined ? "" : String(lower)}..${upper === undefined ? "" : String(upper)})`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** A result's members in one line, two levels deep. */
function outline(schema: JsonSchema, depth: number): string {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return [...new Set(branches.map((branch) => outline(branch, depth)))].join(" or ");
  if (schema.type === "array") return `list of ${outline(schema.items ?? {}, depth)}`;
  const keys = Object.entries(schema.properties ?? {});
  if (keys.length === 0 || depth > 1) return [schema.type ?? "any"].flat().join(" or ");
  return `{${keys.map(([key, property]) => (depth === 0 ? `\`${key}\`: ${outline(property, 1)}` : key)).join(", ")}}`;
}
