import type { ScopeIndex } from "../syntax/build-scopes.js";
import { bare, child, children, isFunction, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { walk } from "../syntax/walk.js";

export interface ReturnedValue {
  /** Undefined for a return without a value, and for the end of the body. */
  readonly node: SyntaxNode | undefined;
  readonly scope: Scope;
}

export interface ReturnedValues {
  readonly values: readonly ReturnedValue[];
  /** False for generators, and where the function is larger than is looked at. */
  readonly isComplete: boolean;
}

const mostNodes = 20_000;
const mostValues = 64;

/** What a function returns, one value for each return; conditions are taken apart. Functions inside it are left out. */
export function returnedValues(node: SyntaxNode, index: ScopeIndex): ReturnedValues {
  const body = child(node, "body");
  const scope = index.scopes.get(node) ?? index.root;
  if (body === undefined || node["generator"] === true) return { values: [], isComplete: false };
  const found = new Returns();
  if (body.type !== "BlockStatement") {
    found.add(body, scope);
    return found.result(true);
  }
  let now = index.scopes.get(body) ?? scope;
  let nodes = 0;
  walk(body, {
    enter: (one) => {
      nodes += 1;
      if (nodes > mostNodes || isFunction(one) || one.type === "ClassBody") return false;
      now = index.scopes.get(one) ?? now;
      if (one.type === "ReturnStatement") found.add(child(one, "argument"), now);
      return undefined;
    },
    leave: (one) => {
      if (now.node === one && now.parent !== undefined && one !== body) now = now.parent;
    },
  });
  if (!ends(body)) found.add(undefined, scope);
  return found.result(nodes <= mostNodes);
}

class Returns {
  readonly #values: ReturnedValue[] = [];
  #isFull = false;

  add(given: SyntaxNode | undefined, scope: Scope): void {
    const pending = [bare(given)];
    for (let turns = 0; pending.length > 0 && turns < mostValues; turns += 1) {
      const node = pending.pop();
      if (node?.type === "ConditionalExpression") pending.push(bare(child(node, "alternate")), bare(child(node, "consequent")));
      else if (this.#values.length < mostValues) this.#values.push({ node, scope });
      else this.#isFull = true;
    }
    if (pending.length > 0) this.#isFull = true;
  }

  result(isComplete: boolean): ReturnedValues {
    return { values: this.#values, isComplete: isComplete && !this.#isFull };
  }
}

/** Whether what stands after a statement is never reached, as far as that shows without values. */
function ends(node: SyntaxNode | undefined, depth = 0): boolean {
  if (node === undefined || depth > 64) return false;
  switch (node.type) {
    case "ReturnStatement":
    case "ThrowStatement":
      return true;
    case "BlockStatement":
      return children(node, "body").some((one) => ends(one, depth + 1));
    case "IfStatement":
      return child(node, "alternate") !== undefined && ends(child(node, "consequent"), depth + 1) && ends(child(node, "alternate"), depth + 1);
    case "TryStatement":
      return tryEnds(node, depth);
    case "SwitchStatement":
      return switchEnds(node, depth);
    case "WhileStatement":
    case "ForStatement": {
      const test = child(node, "test");
      const isEndless = test === undefined ? node.type === "ForStatement" : test.type === "Literal" && (test["value"] === true || test["value"] === 1);
      return isEndless && !breaks(child(node, "body"), depth + 1);
    }
    default:
      return false;
  }
}

function tryEnds(node: SyntaxNode, depth: number): boolean {
  const handler = child(node, "handler");
  const rest = ends(child(node, "block"), depth + 1) && (handler === undefined || ends(child(handler, "body"), depth + 1));
  return rest || ends(child(node, "finalizer"), depth + 1);
}

/** With a default, and every case either ends or falls into the next; a `break` anywhere leaves the statement. */
function switchEnds(node: SyntaxNode, depth: number): boolean {
  const cases = children(node, "cases");
  const last = cases.at(-1);
  const hasDefault = cases.some((one) => child(one, "test") === undefined);
  const lastEnds = last !== undefined && children(last, "consequent").some((one) => ends(one, depth + 1));
  return hasDefault && lastEnds && !cases.some((one) => children(one, "consequent").some((statement) => breaks(statement, depth + 1)));
}

function breaks(node: SyntaxNode | undefined, depth: number): boolean {
  if (node === undefined || depth > 64) return depth > 64;
  let found = false;
  walk(node, {
    enter: (one) => {
      if (one.type === "BreakStatement") found = true;
      return found || isFunction(one) ? false : undefined;
    },
    leave: () => undefined,
  });
  return found;
}
