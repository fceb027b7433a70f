/**
 * A node of an ESTree syntax tree as acorn and Babel (with its `estree` plugin) write it. Offsets are UTF-16 code units;
 * everything else is read through the functions below, which believe nothing.
 */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** The node under a key; undefined when there is none. */
export function child(node: SyntaxNode, key: string): SyntaxNode | undefined {
  const value = node[key];
  return isNode(value) ? value : undefined;
}

const none: readonly SyntaxNode[] = [];

/** The nodes of a list; holes and foreign values are left out. */
export function children(node: SyntaxNode, key: string): readonly SyntaxNode[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isNode) : none;
}

/** The elements of a list by position; a hole is undefined. */
export function elements(node: SyntaxNode, key: string): readonly (SyntaxNode | undefined)[] {
  const value = node[key];
  return Array.isArray(value) ? value.map((item: unknown) => (isNode(item) ? item : undefined)) : none;
}

export function argumentAt(call: SyntaxNode, index: number): SyntaxNode | undefined {
  const list = call["arguments"];
  const value: unknown = Array.isArray(list) ? list[index] : undefined;
  return isNode(value) ? value : undefined;
}

export function text(node: SyntaxNode, key: string): string | undefined {
  const value = node[key];
  return typeof value === "string" ? value : undefined;
}

/** The name of an identifier, private names aside. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  return node?.type === "Identifier" || node?.type === "JSXIdentifier" ? text(node, "name") : undefined;
}

const wrappers: ReadonlySet<string> = new Set([
  "ParenthesizedExpression",
  "ChainExpression",
  "TSAsExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "TypeCastExpression",
]);

/** The expression without parentheses, assertions and `(0, x)`. */
export function bare(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let now = node;
  for (let turns = 0; now !== undefined && turns < 64; turns += 1) {
    if (wrappers.has(now.type)) now = child(now, "expression");
    else if (now.type === "SequenceExpression") now = children(now, "expressions").at(-1);
    else return now;
  }
  return now;
}

const functions: ReadonlySet<string> = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

export type FunctionNode = SyntaxNode & { readonly type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" };

export function isFunction(node: SyntaxNode | undefined): node is FunctionNode {
  return node !== undefined && functions.has(node.type);
}

/** The text of a string literal or of a template without holes. */
export function stringValue(node: SyntaxNode | undefined): string | undefined {
  const found = bare(node);
  if (found === undefined) return undefined;
  if (found.type === "Literal" || found.type === "StringLiteral") return typeof found["value"] === "string" ? found["value"] : undefined;
  if (found.type !== "TemplateLiteral" || children(found, "expressions").length > 0) return undefined;
  return quasiText(children(found, "quasis")[0]);
}

/** A literal that can be a key: text, or a number written in decimal. */
export function keyValue(node: SyntaxNode | undefined): string | undefined {
  const found = bare(node);
  if (found?.type === "Literal" && typeof found["value"] === "number") return String(found["value"]);
  return stringValue(found);
}

export function quasiText(quasi: SyntaxNode | undefined): string | undefined {
  const value = quasi?.["value"];
  if (typeof value !== "object" || value === null || !("cooked" in value)) return undefined;
  return typeof value.cooked === "string" ? value.cooked : undefined;
}

/** The key of a property or method when it is a name or a literal. */
export function propertyKey(property: SyntaxNode): string | undefined {
  const key = child(property, "key");
  if (key === undefined) return undefined;
  if (property["computed"] !== true && key.type === "Identifier") return text(key, "name");
  return keyValue(key);
}

/** The value of an object literal's property by key. */
export function propertyOf(object: SyntaxNode | undefined, key: string): SyntaxNode | undefined {
  if (object?.type !== "ObjectExpression") return undefined;
  for (const property of children(object, "properties")) {
    if (property.type === "Property" && propertyKey(property) === key) return child(property, "value");
  }
  return undefined;
}

/** The name of a member access (`a.b`, `a["b"]`, `a?.b`). */
export function memberName(node: SyntaxNode): string | undefined {
  const property = child(node, "property");
  if (property === undefined) return undefined;
  if (node["computed"] !== true) return nameOf(property);
  return keyValue(property);
}
