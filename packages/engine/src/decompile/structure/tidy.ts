import { not1 } from "../../ir/simplify.js";
import type { Node } from "./node.js";
import { countJumps, factsOf, weight } from "./node-facts.js";
import { inlineShortTails, mapLists } from "./short-tails.js";
import { leaves } from "./ways-out.js";

/** The same statements in the forms people write: loops with their condition, no `else` behind a jump, no label that nobody jumps to. */
export function tidy(nodes: readonly Node[]): readonly Node[] {
  return withoutUnusedLabels(tidyList(inlineShortTails(tidyList(nodes))));
}

export function withoutUnusedLabels(nodes: readonly Node[]): readonly Node[] {
  return withoutLabels(nodes, countJumps(nodes));
}

/** The forms alone. */
export function tidyList(nodes: readonly Node[]): Node[] {
  const out: Node[] = [];
  for (const node of nodes) out.push(...tidyNode(node));
  return mergeLines(out);
}

function mergeLines(nodes: readonly Node[]): Node[] {
  const out: Node[] = [];
  for (const node of nodes) {
    const last = out.at(-1);
    if (node.kind === "lines" && last?.kind === "lines") out[out.length - 1] = { kind: "lines", lines: [...last.lines, ...node.lines] };
    else out.push(node);
  }
  return out;
}

/** Statements that are in such a form: they are not looked at again. */
const tidied = new WeakSet<Node>();

function tidyNode(node: Node): readonly Node[] {
  if (tidied.has(node)) return [node];
  const made = tidyOne(node);
  for (const each of made) tidied.add(each);
  return made;
}

function tidyOne(node: Node): readonly Node[] {
  switch (node.kind) {
    case "if":
      return tidyIf({ ...node, then: tidyList(node.then), otherwise: tidyList(node.otherwise) });
    case "loop":
      return tidyLoop(tidyList(node.body));
    case "while":
    case "do":
    case "for":
      return [{ ...node, body: tidyList(node.body) }];
    case "switch":
      return [{ ...node, cases: node.cases.map((each) => ({ ...each, body: tidyList(each.body) })) }];
    default:
      return [node];
  }
}

type If = Extract<Node, { kind: "if" }>;

function tidyIf(node: If): Node[] {
  const { then, otherwise, condition, at } = node;
  if (then.length === 0) return otherwise.length === 0 ? [] : [{ kind: "if", at, condition: not1(condition), then: otherwise, otherwise: [] }];
  if (otherwise.length === 0) return [node];
  if (leaves(then) && (!leaves(otherwise) || weight(then) <= weight(otherwise))) return [{ ...node, otherwise: [] }, ...otherwise];
  if (leaves(otherwise)) return [{ kind: "if", at, condition: not1(condition), then: otherwise, otherwise: [] }, ...then];
  return [node];
}

function tidyLoop(body: readonly Node[]): Node[] {
  const [first] = body;
  // while: what leaves first.
  if (isOnly(first, "break")) return [{ kind: "while", at: first.at, condition: not1(first.condition), body: withoutLastContinue(body.slice(1)) }];
  const last = body.at(-1);
  const rest = body.slice(0, -1);
  if (isOnly(last, "break") && !hasContinue(rest)) return [{ kind: "do", at: last.at, condition: not1(last.condition), body: rest }];
  const ending = last?.kind === "break" ? againOrBreak(body) : undefined;
  return [ending ?? { kind: "loop", body: withoutLastContinue(body) }];
}

/** An `if` without `else` that does nothing but leave or repeat. */
function isOnly(node: Node | undefined, kind: "break" | "continue"): node is If {
  return node?.kind === "if" && node.otherwise.length === 0 && node.then.length === 1 && node.then[0]?.kind === kind;
}

/** `if (again) { …; continue; } break;` at the end of a loop. */
function againOrBreak(body: readonly Node[]): Node | undefined {
  const before = body.at(-2);
  const inner = body.slice(0, -2);
  if (isOnly(before, "continue") && !hasContinue(inner)) return { kind: "do", at: before.at, condition: before.condition, body: inner };
  if (before?.kind !== "if" || before.otherwise.length > 0 || before.then.at(-1)?.kind !== "continue") return undefined;
  const leave: Node = { kind: "if", at: before.at, condition: not1(before.condition), then: [{ kind: "break" }], otherwise: [] };
  return { kind: "loop", body: [...inner, leave, ...before.then.slice(0, -1)] };
}

function withoutLastContinue(body: readonly Node[]): readonly Node[] {
  const last = body.at(-1);
  if (last?.kind === "continue") return body.slice(0, -1);
  return body;
}

/** A `continue` of this loop: in a `do` it would skip to the condition, which is not what the endless loop said. */
export function hasContinue(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    if (node.kind === "continue") return true;
    if (node.kind === "if") return hasContinue(node.then) || hasContinue(node.otherwise);
    return node.kind === "switch" && node.cases.some(({ body }) => hasContinue(body));
  });
}

function withoutLabels(nodes: readonly Node[], used: ReadonlyMap<number, number>): readonly Node[] {
  const kept = nodes.filter((node) => node.kind !== "label" || used.has(node.label));
  return mergeLines(kept.map((node) => (factsOf(node).labels.some((label) => !used.has(label)) ? mapLists(node, (list) => withoutLabels(list, used)) : node)));
}
