import { z, type OperationResult } from "@rea/core";
import type { GraphModel, GraphNode } from "./graph-model.js";

type Dossier = OperationResult<"analyze_function">;

/** Instructions shown of a block; the rest is counted. */
const shownInstructions = 12;

/** The control flow of a function: a box a block, with its instructions where the dossier has the listing. */
export function controlFlowGraph({ procedure, basic_blocks: blocks, assembly }: Dossier): GraphModel {
  const title = `Control flow of ${procedure.demangled ?? procedure.name}`;
  if (blocks.state !== "available") return { title, direction: "down", nodes: [], edges: [] };
  const listing = assembly.state === "available" ? assembly.value.text.split("\n") : [];
  const nodes = blocks.value.items.map((block): GraphNode => {
    const own = listing.filter((line) => isInside(line, block));
    const more = own.length - shownInstructions;
    return {
      id: block.start,
      title: block.start,
      lines: own.length === 0 ? [`${String(block.instruction_count)} instructions`] : [...own.slice(0, shownInstructions).map(instruction), ...(more > 0 ? [`… ${String(more)} more`] : [])],
      role: block.start === procedure.address ? "start" : "plain",
    };
  });
  const edges = blocks.value.items.flatMap((block) =>
    block.successors.map(({ address, kind, cases, default: isDefault }) => ({ from: block.start, to: address, kind, label: caseLabel(cases, isDefault) })),
  );
  return { title, direction: "down", nodes, edges };
}

function isInside(line: string, { start, end }: { readonly start: string; readonly end: string }): boolean {
  const address = /^0x[0-9a-f]+/u.exec(line)?.[0];
  return address !== undefined && BigInt(address) >= BigInt(start) && BigInt(address) < BigInt(end);
}

function instruction(line: string): string {
  return line.replace(/^0x[0-9a-f]+\s+/u, "");
}

function caseLabel(cases: readonly string[] | undefined, isDefault: boolean | undefined): string | null {
  const numbers = cases === undefined || cases.length === 0 ? [] : [cases.length > 4 ? `${cases.slice(0, 4).join(", ")}, …` : cases.join(", ")];
  const all = [...numbers, ...(isDefault === true ? ["default"] : [])];
  return all.length === 0 ? null : all.join(", ");
}

/** What `get_call_graph` answers, as far as it is drawn. */
export const callGraphSchema = z.looseObject({
  nodes: z.array(z.looseObject({ address: z.string(), name: z.string().nullable(), depth: z.number(), expanded: z.boolean() })),
  edges: z.array(z.looseObject({ from: z.string(), to: z.string() })),
});

/** Calls around a procedure; at most so many nodes, those nearest to it first. */
export function callsGraph(found: z.output<typeof callGraphSchema>, { direction, most }: { readonly direction: "forward" | "backward"; readonly most: number }): GraphModel {
  const kept = [...found.nodes].sort((a, b) => a.depth - b.depth).slice(0, most);
  const start = kept.find(({ depth }) => depth === 0);
  const of = start === undefined ? "" : ` of ${start.name ?? start.address}`;
  const left = found.nodes.length - kept.length;
  return {
    title: `${direction === "forward" ? "Calls" : "Callers"}${of}${left > 0 ? ` (nearest ${String(kept.length)} of ${String(found.nodes.length)})` : ""}`,
    direction: "right",
    nodes: kept.map(({ address, name, depth, expanded }) => ({
      id: address,
      title: name ?? address,
      lines: name === null ? [] : [address],
      role: depth === 0 ? "start" : expanded ? "plain" : "unexpanded",
    })),
    edges: found.edges.map(({ from, to }) => ({ from, to, kind: "call", label: null })),
  };
}
