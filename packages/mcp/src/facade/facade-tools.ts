import { pageOf, pageSchema, ReaError, z, type JsonObject } from "@rea/core";
import { defineTool, effectClasses, type Tool } from "@rea/tool";

const toolName = z.string().min(1).max(64).describe("Name of the tool");

/** Its input is all that is used: the reply is that of the tool it calls. */
export const callToolInput = defineTool({
  name: "call_tool",
  family: "session",
  description: "Calls any tool by name with its arguments and returns its reply.",
  input: z.strictObject({ name: toolName, arguments: z.record(z.string(), z.unknown()).default({}).describe("Its arguments") }),
  output: z.strictObject({}),
  effects: effectClasses.anyTool,
  evidence: false,
  requires: [],
  target: "none",
  cli: null,
  examples: [{ title: "What can be done now", input: { name: "binary_session" } }],
  run: () => Promise.resolve({ result: {}, produced: null }),
});

/** `search_tools` and `describe_tool` over a catalogue. */
export function facadeTools(catalogue: readonly JsonObject[]): readonly Tool[] {
  return [describeTool(catalogue), searchTools(catalogue)];
}

function describeTool(catalogue: readonly JsonObject[]) {
  return defineTool({
    name: "describe_tool",
    family: "session",
    description: "Returns one tool: what it does and the schema of its arguments.",
    input: z.strictObject({ name: toolName }),
    output: z.record(z.string(), z.unknown()),
    effects: effectClasses.pure,
    evidence: false,
    requires: [],
    target: "none",
    cli: null,
    examples: [{ title: "How a tool is called", input: { name: "open_binary" } }],
    run({ name }) {
      const entry = catalogue.find((candidate) => candidate["name"] === name);
      if (entry === undefined) throw noSuchTool("describe_tool");
      const { outputSchema: _output, ...shown } = entry;
      return Promise.resolve({ result: shown, produced: null });
    },
  });
}

/** The typed error for a name that is none of the catalogue. */
export function noSuchTool(operation: string): ReaError {
  return new ReaError("invalid_request", {
    message: `${operation} knows no tool of this name. Call search_tools for the names.`,
    details: { operation, issues: [{ path: "name", reason: "invalid_value", expected: "name of a tool" }] },
    action: "Call search_tools for the names, then call again.",
  });
}

function searchTools(catalogue: readonly JsonObject[]) {
  const lines = catalogue.map((entry) => ({ name: textOf(entry["name"]), description: textOf(entry["description"]) }));
  return defineTool({
    name: "search_tools",
    family: "session",
    description: "Finds tools by words, best first.",
    input: z.strictObject({
      query: z.string().max(400).default("").describe("Words to look for in names and descriptions"),
      offset: z.int().min(0).default(0).describe("First tool of the page"),
      limit: z.int().min(1).max(50).default(10).describe("Most tools of the page"),
    }),
    output: pageSchema(z.strictObject({ name: z.string(), summary: z.string() })),
    effects: effectClasses.pure,
    evidence: false,
    requires: [],
    target: "none",
    cli: null,
    examples: [{ title: "Tools about strings", input: { query: "string" } }],
    run({ query, offset, limit }) {
      const page = pageOf(ranked(lines, query), { offset, limit }, ({ name, description }) => ({ name, summary: firstSentence(description) }));
      return Promise.resolve({ result: page, produced: null });
    },
  });
}

interface Line {
  readonly name: string;
  readonly description: string;
}

/** Tools that hold at least one word; those that hold more of them, and in the name, come first. */
function ranked(lines: readonly Line[], query: string): readonly Line[] {
  const words = query.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== "");
  if (words.length === 0) return lines;
  return lines
    .map((line) => ({ line, score: words.reduce((sum, word) => sum + scoreOf(line, word), 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ line }) => line);
}

function scoreOf({ name, description }: Line, word: string): number {
  // A plural finds the singular.
  const stem = word.length > 3 ? word.replace(/s$/, "") : word;
  if (name.includes(stem)) return 3;
  return description.toLowerCase().includes(stem) ? 1 : 0;
}

function firstSentence(description: string): string {
  return description.split(/(?<=\.)\s/, 1)[0] ?? description;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
