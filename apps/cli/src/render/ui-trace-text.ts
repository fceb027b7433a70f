import type { UiTrace as Trace } from "@rea/tools";
import { leftOutLines } from "./findings-text.js";
import type { Style } from "./style.js";

type Node = Trace["nodes"][number];
type Edge = Trace["edges"][number];

const words: { readonly [R in Edge["relation"]]: string } = {
  sends: "sends",
  received_by: "received by",
  outlet: "outlet",
  handled_by: "handled by",
  implemented_at: "code at",
  refers_to: "refers to",
  calls: "calls",
};

/** The way from the interface to the code, one joint a line, with how sure it is. */
export function uiTraceText(found: Trace, style: Style): string {
  const nodes = new Map(found.nodes.map((node) => [node.id, node]));
  const start = new Set(found.edges.filter(({ relation }) => relation !== "calls").map(({ from }) => from));
  const joints = found.edges.filter(({ relation }) => relation !== "calls").map((edge) => jointLine(edge, nodes, style));
  const callers = [...new Set(found.edges.filter(({ relation }) => relation === "calls").map(({ from }) => from))];
  const more = found.limits.frontier_total === 0 ? [] : [`… ${String(found.limits.frontier_total)} procedures were not followed; raise --max-depth`];
  return [
    `${style.heading(`${found.seed.kind} ${found.seed.value}`)}  ${style.dim(`${String(found.handlers)} handlers, ${String(found.unknown_edges)} unknown ends`)}`,
    ...(found.interface.state === "available" ? [] : [style.warn(`No interface documents: ${found.interface.reason}`)]),
    ...(start.size === 0 ? ["Nothing in the interface documents or in the program fits the seed."] : joints),
    ...(callers.length === 0 ? [] : ["", style.heading("calls")]),
    ...callers.map((from) => `  ${named(nodes.get(from), from)} → ${calleesOf(from, found.edges, nodes)}`),
    ...more,
    ...leftOutLines(found.coverage, style),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function jointLine({ from, to, relation, label, basis, confidence, reason }: Edge, nodes: ReadonlyMap<string, Node>, style: Style): string {
  const end = to === null ? style.warn(`unknown (${reason ?? ""})`) : named(nodes.get(to), to);
  const with_ = label === null ? "" : ` ${style.code(label)}`;
  return `  ${named(nodes.get(from), from)} ${style.dim(words[relation])}${with_} ${end}  ${style.dim(`${confidence}: ${basis}`)}`;
}

function calleesOf(from: string, edges: readonly Edge[], nodes: ReadonlyMap<string, Node>): string {
  const callees = edges.filter((edge) => edge.relation === "calls" && edge.from === from && edge.to !== null);
  return callees.map(({ to }) => named(nodes.get(to ?? ""), to ?? "")).join(", ");
}

function named(node: Node | undefined, id: string): string {
  if (node === undefined) return id;
  switch (node.kind) {
    case "ui_object":
      return `${node.class ?? "?"}${node.name === null ? "" : ` ${JSON.stringify(node.name)}`} (${id})`;
    case "responder_chain":
      return "the responder chain";
    case "message":
      return node.name ?? id;
    case "method":
      return node.name ?? id;
    case "procedure":
      return node.name === null ? id : `${node.name} ${id}`;
  }
}
