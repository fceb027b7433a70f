import { operations } from "@rea/core";
import { callGraphSchema, callsGraph, controlFlowGraph, graphDocument, graphFormats, type GraphModel } from "@rea/report";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { choiceOption, fileOption, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { targetOptions, type TargetArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { UsageError } from "../usage-error.js";

export const graphOptions = {
  kind: choiceOption("kind", ["flow", "calls", "callers"], "Control flow of the function, what it calls, or what calls it; default flow"),
  depth: { type: "string", describe: "Levels of calls, 1 to 5", default: "2" },
  nodes: { type: "string", describe: "Procedures drawn at most, nearest first", default: "60" },
  format: choiceOption("format", graphFormats, "svg (default), dot, mermaid or json"),
  output: fileOption("output", "Write the graph to this file"),
} as const;

interface Arguments extends TargetArguments {
  readonly path: string;
  readonly address: string;
  readonly kind?: string | undefined;
  readonly depth: string;
  readonly nodes: string;
  readonly format?: string | undefined;
  readonly output?: string | undefined;
}

/** `rea graph PATH ADDR`: a picture of a function's control flow or of the calls around it. */
export function graphCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "graph <path> <address>",
    describe: "A picture of a function's control flow, or of the calls around it.",
    builder: (argv) =>
      argv
        .positional("path", operand("path", "Program to read"))
        .positional("address", operand("address", "Entry address, or exact symbol name"))
        .options(graphOptions)
        .options(targetOptions),
    handler: async (given) => {
      const text = { path: given.path, format: "text", ...(given.output === undefined ? {} : { output: given.output }) };
      finish(await inSession({ ...text, provider: given.provider, snapshot: given.snapshot, architecture: given.architecture }, (session) => graph(session, given)));
    },
  };
}

async function graph(session: CommandSession, given: Arguments): Promise<number> {
  const opened = await session.open(given.path, given);
  if (!opened.ok) return session.fail(opened.error);
  const found = given.kind === "calls" || given.kind === "callers" ? await callsOf(session, given) : await flowOf(session, given);
  if ("failed" in found) return session.fail(found.failed);
  if (found.nodes.length === 0) throw new UsageError("there is nothing to draw: the function has no body in this file");
  session.text(graphDocument(found, graphFormats.find((format) => format === given.format) ?? "svg"));
  return session.save({});
}

type Drawn = GraphModel | { readonly failed: Extract<ToolReply, { ok: false }>["error"] };

async function flowOf(session: CommandSession, { address }: Arguments): Promise<Drawn> {
  const reply = await session.call("analyze_function", { procedure: address, include_assembly: true, limit: 500, max_instructions: 5000 });
  return reply.ok ? controlFlowGraph(operations.analyze_function.result.parse(reply.value.result)) : { failed: reply.error };
}

async function callsOf(session: CommandSession, { address, kind, depth, nodes }: Arguments): Promise<Drawn> {
  const entry = await session.call("procedure_address", { procedure: address });
  if (!entry.ok) return { failed: entry.error };
  const direction = kind === "callers" ? "backward" : "forward";
  const reply = await session.call("get_call_graph", { address: entry.value.result, depth: wholeNumber("depth", depth), direction });
  if (!reply.ok) return { failed: reply.error };
  return callsGraph(callGraphSchema.parse(reply.value.result), { direction, most: wholeNumber("nodes", nodes) });
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,4}$/u.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a whole number`);
}
