import type { Tool, ToolCommand } from "./define-tool.js";
import { inputSchemaOf, isEvidenceSchema } from "./input-schema.js";
import type { JsonSchema } from "./json-schema.js";

/** One input field as the command line takes it, as an option or as a positional. */
export interface CommandArgument {
  /** Field of the tool's input. */
  readonly field: string;
  /** `--flag` without the dashes: the field in kebab-case. */
  readonly flag: string;
  /** `json`: inline JSON or `@FILE`. `evidence`: that, a file that holds a record, or `BUNDLE#ev_…`. */
  readonly type: "string" | "integer" | "boolean" | "json" | "evidence";
  /** Given several times; only for lists of plain values and of records. */
  readonly array: boolean;
  readonly required: boolean;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  /** A local path: resolved against the working directory before the call. */
  readonly path: boolean;
}

/** What a command line needs to offer a tool; any argument parser can be fed from it. */
export interface CommandLine {
  readonly tool: string;
  /** Word of the command; the tool's name in kebab-case unless the tool says otherwise. */
  readonly command: string;
  readonly description: string;
  /** What a first positional PATH means; `none`: there is no PATH. */
  readonly target: ToolCommand["target"];
  /** In order, after PATH. */
  readonly positionals: readonly CommandArgument[];
  readonly options: readonly CommandArgument[];
  /** Absent when the result is printed as text and JSON only. */
  readonly documents?: ToolCommand["documents"];
}

/** The tool as a command. Also for tools without a command of their own, which `rea tool NAME` runs. */
export function toCommandLine(tool: Tool): CommandLine {
  const command = tool.cli ?? generalCommand(tool);
  const all = argumentsOf(tool).filter((item) => !(command.target === "input" && item.field === "path"));
  return {
    tool: tool.name,
    command: command.command,
    description: tool.description,
    target: command.target,
    positionals: command.positionals.flatMap((field) => all.filter((item) => item.field === field)),
    options: all.filter((item) => !command.positionals.includes(item.field)),
    ...(command.documents === undefined ? {} : { documents: command.documents }),
  };
}

/** The tool's input from what was parsed from a command line, by flag or by field; absent values stay absent. */
export function inputFromArguments(tool: Tool, values: { readonly [flag: string]: unknown }): { [field: string]: unknown } {
  const entries = argumentsOf(tool).map((item): [string, unknown] => [item.field, values[item.flag] ?? values[item.field]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function generalCommand(tool: Tool): ToolCommand {
  const target = tool.target === "none" ? "none" : tool.target.path_input ? "input" : "open";
  return { command: kebab(tool.name), target, positionals: [] };
}

function argumentsOf(tool: Tool): CommandArgument[] {
  const schema = inputSchemaOf(tool);
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([field, property]) => ({
    ...argumentOf(property),
    field,
    flag: kebab(field),
    required: required.has(field),
    path: (tool.paths ?? []).includes(field),
  }));
}

function argumentOf(schema: JsonSchema): Omit<CommandArgument, "field" | "flag" | "required" | "path"> {
  const listItem = schema.type === "array" && schema.items !== undefined ? plainType(schema.items) : undefined;
  const value = listItem === undefined ? schema : (schema.items ?? schema);
  const choices = value.enum?.filter((choice) => typeof choice === "string");
  return {
    type: listItem ?? plainType(schema) ?? "json",
    array: listItem !== undefined,
    description: schema.description ?? "",
    ...(choices === undefined ? {} : { choices }),
    ...(isPlain(schema.default) ? { default: schema.default } : {}),
    ...(value.minimum === undefined ? {} : { minimum: value.minimum }),
    ...(value.maximum === undefined ? {} : { maximum: value.maximum }),
  };
}

function plainType(schema: JsonSchema): Exclude<CommandArgument["type"], "json"> | undefined {
  if (isEvidenceSchema(schema)) return "evidence";
  switch (schema.type) {
    case "string":
    case "integer":
    case "boolean":
      return schema.type;
    default:
      return schema.type === undefined && schema.enum !== undefined ? "string" : undefined;
  }
}

function isPlain(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function kebab(name: string): string {
  return name.replaceAll("_", "-");
}
