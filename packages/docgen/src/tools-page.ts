import { annotationsOf, toolFamilies, type Tool, type ToolFamily } from "@rea/tool";
import { inputFields } from "./input-fields.js";
import { code, markdownTable, yesNo } from "./markdown-table.js";
import { referencePage, type ReferencePage } from "./reference-page.js";

export function toolsPage(tools: readonly Tool[]): ReferencePage {
  const families = toolFamilies.filter((family) => tools.some((tool) => tool.family === family));
  return referencePage("tools.md", "Tools", [
    `${tools.length} tools, the same over MCP, on the command line and as a library.`,
    ...families.flatMap((family) => familySections(family, tools)),
  ]);
}

function familySections(family: ToolFamily, tools: readonly Tool[]): readonly string[] {
  return [`## ${family}`, ...tools.filter((tool) => tool.family === family).map(toolSection)];
}

function toolSection(tool: Tool): string {
  const fields = inputFields(tool.input);
  return [
    `### ${tool.name}`,
    tool.description,
    fields.length === 0
      ? "No input."
      : markdownTable(
          ["Input", "Type", "Required", "Meaning"],
          fields.map(({ name, type, required, description }) => [code(name), type, yesNo(required), description]),
        ),
    facts(tool).join("\n"),
    ...tool.examples.map(({ title, input }) => `Example, ${title}:\n\n\`\`\`json\n${JSON.stringify(input, null, 2)}\n\`\`\``),
  ].join("\n\n");
}

function facts(tool: Tool): readonly string[] {
  return [
    `- Command line: ${commandLine(tool)}`,
    `- Works on: ${tool.target === "none" ? "no target needed" : tool.target.kinds.join(", ")}`,
    `- Evidence: ${tool.evidence ? "every success is recorded" : "none"}`,
    `- Effects: ${effects(tool)}`,
    ...(tool.modes ?? []).map((mode) => `- Mode ${code(mode.name)} needs ${mode.operations.map(code).join(", ")}`),
  ];
}

function commandLine({ name, cli }: Tool): string {
  if (cli === null) return code(`rea tool ${name}`);
  const positionals = cli.positionals.map((field) => field.toUpperCase());
  return code(["rea", cli.command, ...(cli.target === "none" ? [] : ["PATH"]), ...positionals].join(" "));
}

function effects(tool: Tool): string {
  const names = Object.entries(tool.effects)
    .filter(([name, holds]) => holds && name !== "idempotent")
    .map(([name]) => name.replaceAll("_", " "));
  const { readOnlyHint } = annotationsOf(tool.name, tool.effects);
  const repeat = tool.effects.idempotent ? "repeating it changes nothing more" : "repeating it acts again";
  return `${readOnlyHint ? "read-only" : names.join(", ")}; ${repeat}`;
}
