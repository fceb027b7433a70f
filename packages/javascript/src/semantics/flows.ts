import { bare, child, children, elements, isFunction, memberName, nameOf, text, type SyntaxNode } from "../syntax/node.js";
import type { SemanticReading } from "./reading.js";
import { valuesOf } from "./values.js";

/** `const a = …`, `const {a} = …` */
export function declared(node: SyntaxNode, reading: SemanticReading): void {
  flow(child(node, "id"), child(node, "init"), reading);
}

/** `a = …`, `a.b = …`, `this.a = …` */
export function assigned(node: SyntaxNode, reading: SemanticReading): void {
  const target = bare(child(node, "left"));
  const value = child(node, "right");
  if (target === undefined) return;
  const name = nameOf(target);
  const binding = name === undefined ? undefined : reading.scope.resolve(name);
  if (binding !== undefined && isShared(binding, reading)) reading.table.edge("writes", reading.here, reading.bindingNode(binding));
  if (target.type !== "MemberExpression") {
    flow(target, value, reading);
    return;
  }
  const object = bare(child(target, "object"));
  const owner = reading.classes.at(-1);
  const field = memberName(target);
  const values = valuesOf(value, reading);
  if (object?.type === "ThisExpression" && owner !== undefined && field !== undefined) {
    const held = reading.fieldNode(owner, field, target);
    reading.table.edge("writes", reading.here, held);
    reach(held, value, { values, reading });
    return;
  }
  for (const base of valuesOf(object, reading)) for (const one of values) reading.table.edge("aggregates", base, one);
}

/** Lets the values of an expression reach the names of a pattern. */
function flow(target: SyntaxNode | undefined, value: SyntaxNode | undefined, reading: SemanticReading): void {
  if (target === undefined || value === undefined) return;
  const values = valuesOf(value, reading);
  const { table } = reading;
  if (target.type === "Identifier") {
    const binding = values.length === 0 ? undefined : reading.scope.resolve(nameOf(target) ?? "");
    if (binding !== undefined) reach(reading.bindingNode(binding), value, { values, reading });
    return;
  }
  for (const name of namesIn(target)) {
    const binding = reading.scope.resolve(name);
    if (binding === undefined) continue;
    const node = reading.bindingNode(binding);
    for (const one of values) table.edge("destructures", node, one);
  }
}

/** How a name comes by the values of an expression. */
function reach(name: number, value: SyntaxNode | undefined, { values, reading }: { readonly values: readonly number[]; readonly reading: SemanticReading }): void {
  const type = bare(value)?.type;
  for (const one of values) {
    if (type === "ObjectExpression" || type === "ArrayExpression") reading.table.edge("aggregates", name, one);
    else if (type === "Identifier" || type === "MemberExpression") reading.table.edge("aliases", name, one);
    else reading.table.edge("initializes", one, name);
  }
}

/** Names that a pattern gives, in order; bounded. */
export function namesIn(pattern: SyntaxNode): readonly string[] {
  const names: string[] = [];
  const stack: (SyntaxNode | undefined)[] = [pattern];
  for (let turns = 0; stack.length > 0 && turns < 256; turns += 1) {
    const node = stack.pop();
    if (node === undefined) continue;
    const name = nameOf(node);
    if (name !== undefined) names.push(name);
    else if (node.type === "AssignmentPattern") stack.push(child(node, "left"));
    else if (node.type === "RestElement") stack.push(child(node, "argument"));
    else if (node.type === "ArrayPattern") stack.push(...elements(node, "elements"));
    else if (node.type === "ObjectPattern") for (const property of children(node, "properties")) stack.push(property.type === "RestElement" ? property : child(property, "value"));
  }
  return names;
}

/** What a function gives back, throws, yields or waits for. */
export function handedOut(node: SyntaxNode, reading: SemanticReading): void {
  const { table, here } = reading;
  const relation = node.type === "ThrowStatement" ? "throws" : node.type === "YieldExpression" ? "yields" : node.type === "AwaitExpression" ? "awaits" : "returns";
  if (relation === "throws") reading.effect("throws");
  for (const value of valuesOf(child(node, "argument"), reading)) table.edge(relation, here, value);
}

/** `a => expression` */
export function bodyValue(node: SyntaxNode, reading: SemanticReading): void {
  const body = child(node, "body");
  if (body === undefined || body.type === "BlockStatement" || !isFunction(node)) return;
  for (const value of valuesOf(body, reading)) reading.table.edge("returns", reading.here, value);
}

const comparing: ReadonlySet<string> = new Set(["===", "!==", "==", "!="]);

/** `a === "text"`, `a instanceof B` */
export function compared(node: SyntaxNode, reading: SemanticReading): void {
  const operator = text(node, "operator") ?? "";
  const { table, here } = reading;
  if (operator === "instanceof") {
    for (const value of valuesOf(child(node, "left"), reading)) table.edge("validates", here, value);
    return;
  }
  if (!comparing.has(operator)) return;
  for (const side of [bare(child(node, "left")), bare(child(node, "right"))]) {
    if (side?.type === "Literal" || side?.type === "TemplateLiteral") for (const value of valuesOf(side, reading)) table.edge("compares", here, value);
    else if (side?.type === "UnaryExpression" && text(side, "operator") === "typeof") for (const value of valuesOf(child(side, "argument"), reading)) table.edge("validates", here, value);
  }
}

/** Names that others see: of a module, or of a function around. */
function isShared({ scope }: { readonly scope: SemanticReading["scope"] }, reading: SemanticReading): boolean {
  return scope.functionScope() !== reading.scope.functionScope();
}

/** A name is used in a function that does not declare it. */
export function referred(node: SyntaxNode, reading: SemanticReading): void {
  const binding = reading.scope.resolve(nameOf(node) ?? "");
  if (binding === undefined || binding.kind === "function" || !isShared(binding, reading)) return;
  const isOfModule = binding.scope.functionScope().parent === undefined;
  reading.table.edge(isOfModule ? "reads" : "captures", reading.here, reading.bindingNode(binding));
}
