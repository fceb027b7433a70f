import { bare, child, children, memberName, nameOf, propertyOf, quasiText, stringValue, text, type SyntaxNode } from "../syntax/node.js";
import type { Binding, Scope } from "../syntax/scope.js";

/**
 * The text of a literal, of a name that is given a literal once, or of a property of such an object. What is put together
 * from parts is dynamic.
 */
export function constantText(given: SyntaxNode | undefined, scope: Scope, depth = 0): string | undefined {
  const node = bare(given);
  if (node === undefined || depth > 8) return undefined;
  const literal = stringValue(node);
  if (literal !== undefined) return literal;
  const value = constantNode(node, scope, depth);
  return value === undefined ? undefined : constantText(value.node, value.scope, depth + 1);
}

/** What a name or property stands for when it is given once. */
export function constantNode(given: SyntaxNode | undefined, scope: Scope, depth = 0): { readonly node: SyntaxNode; readonly scope: Scope } | undefined {
  const node = bare(given);
  if (node === undefined || depth > 8) return undefined;
  if (node.type === "Identifier") {
    const binding = scope.resolve(nameOf(node) ?? "");
    if (binding?.source === undefined || binding.kind === "function" || binding.kind === "class") return undefined;
    if (!isSettled(binding)) return undefined;
    let found: { readonly node: SyntaxNode; readonly scope: Scope } | undefined = { node: binding.source.value, scope: binding.scope };
    for (const key of binding.source.path) {
      const object: SyntaxNode | undefined = key === null || found === undefined ? undefined : objectOf(found.node, found.scope, depth + 1);
      const below: SyntaxNode | undefined = key === null ? undefined : propertyOf(object, key);
      found = below === undefined ? undefined : { node: below, scope: binding.scope };
    }
    return found;
  }
  if (node.type !== "MemberExpression") return undefined;
  const key = memberName(node);
  const property = key === undefined ? undefined : propertyOf(objectOf(child(node, "object"), scope, depth + 1), key);
  return property === undefined ? undefined : { node: property, scope };
}

/** The object literal that an expression stands for, through `Object.freeze` and names. */
export function objectOf(given: SyntaxNode | undefined, scope: Scope, depth = 0): SyntaxNode | undefined {
  const node = bare(given);
  if (node === undefined || depth > 8) return undefined;
  if (node.type === "ObjectExpression") return node;
  if (node.type === "CallExpression") {
    const callee = bare(child(node, "callee"));
    const freezes = callee?.type === "MemberExpression" && nameOf(child(callee, "object")) === "Object" && memberName(callee) === "freeze";
    return freezes ? objectOf(children(node, "arguments")[0], scope, depth + 1) : undefined;
  }
  const value = constantNode(node, scope, depth + 1);
  return value === undefined ? undefined : objectOf(value.node, value.scope, depth + 1);
}

export interface PartialText {
  readonly value: string;
  /** Parts are put in when the program runs; `{}` stands for them. */
  readonly isDynamic: boolean;
}

/** The text of a literal, template or concatenation, as far as it is constant. */
export function partialText(given: SyntaxNode | undefined, scope: Scope, depth = 0): PartialText | undefined {
  const node = bare(given);
  if (node === undefined || depth > 40) return undefined;
  const constant = constantText(node, scope);
  if (constant !== undefined) return { value: constant, isDynamic: false };
  if (node.type === "TemplateLiteral") {
    const holes = children(node, "expressions");
    const parts = children(node, "quasis").map((quasi, index) => {
      const before = quasiText(quasi) ?? "";
      return index < holes.length ? before + (constantText(holes[index], scope) ?? "{}") : before;
    });
    return { value: parts.join(""), isDynamic: holes.some((hole) => constantText(hole, scope) === undefined) };
  }
  if (node.type !== "BinaryExpression" || text(node, "operator") !== "+") return undefined;
  const left = partialText(child(node, "left"), scope, depth + 1);
  const right = partialText(child(node, "right"), scope, depth + 1);
  if (left === undefined && right === undefined) return undefined;
  return { value: (left?.value ?? "{}") + (right?.value ?? "{}"), isDynamic: left?.isDynamic !== false || right?.isDynamic !== false };
}

/** Given a value once: at its declaration, or by the only assignment. */
function isSettled({ kind, writes, isInitialised }: Binding): boolean {
  return kind === "constant" || writes === 0 || (writes === 1 && !isInitialised);
}
