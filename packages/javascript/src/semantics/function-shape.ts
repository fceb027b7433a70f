import { hash } from "node:crypto";
import type { SyntaxNode } from "../syntax/node.js";

const letters = new Map<string, string>();
const flowTypes: ReadonlySet<string> = new Set([
  "IfStatement", "ConditionalExpression", "LogicalExpression", "ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement",
  "SwitchStatement", "SwitchCase", "TryStatement", "CatchClause", "ReturnStatement", "ThrowStatement", "BreakStatement", "ContinueStatement",
  "AwaitExpression", "YieldExpression", "LabeledStatement",
]);

/** One letter for each type of node, the same in every run: made of the type's name. */
function letterOf(type: string): string {
  const known = letters.get(type);
  if (known !== undefined) return known;
  let code = 0;
  for (let at = 0; at < type.length; at += 1) code = (code * 31 + type.charCodeAt(at)) >>> 0;
  const letter = `${String.fromCharCode(0x4e00 + (code % 0x5000))}`;
  letters.set(type, letter);
  return letter;
}

const mostLiterals = 64;

/** Gathers what a function is like while its nodes pass by; each node counts in the innermost function. */
export class FunctionShape {
  readonly node: number;
  readonly parameters: number[] = [];
  arity = 0;
  readonly effects = new Set<string>();
  #syntax = "";
  #flow = "";
  readonly #literals = new Set<string>();

  constructor(node: number) {
    this.node = node;
  }

  see(node: SyntaxNode): void {
    const letter = letterOf(node.type);
    this.#syntax += letter;
    if (flowTypes.has(node.type)) this.#flow += letter;
    if (node.type === "Literal" && this.#literals.size < mostLiterals) {
      const value = node["value"];
      if (typeof value === "string" || typeof value === "number") this.#literals.add(typeof value === "string" ? `s${value.slice(0, 200)}` : `n${String(value)}`);
    }
  }

  /** Ends a block of control flow, so that nesting shows. */
  leave(node: SyntaxNode): void {
    if (flowTypes.has(node.type)) this.#flow += ")";
  }

  /** A function inside counts as a whole. */
  include(inner: { readonly syntax: string; readonly flow: string }): void {
    this.#syntax += inner.syntax.slice(0, 8);
    this.#flow += `f${inner.flow.slice(0, 8)}`;
  }

  digests(): { readonly syntax: string; readonly flow: string; readonly literals: string } {
    return { syntax: digest(this.#syntax), flow: digest(this.#flow), literals: digest([...this.#literals].sort().join("\0")) };
  }
}

const known = new Map<string, string>();

/** Small functions are alike by the thousand. */
export function digest(text: string): string {
  if (text.length > 64) return hash("sha256", text);
  const found = known.get(text);
  if (found !== undefined) return found;
  const made = hash("sha256", text);
  if (known.size < 20_000) known.set(text, made);
  return made;
}
