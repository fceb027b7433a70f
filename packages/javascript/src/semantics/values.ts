import { bare, child, children, elements, isFunction, memberName, nameOf, stringValue, text, type SyntaxNode } from "../syntax/node.js";
import type { SemanticReading } from "./reading.js";

const deepest = 6;
const most = 24;

/** The nodes that an expression's value may come from, as far as its form shows them; bounded. */
export function valuesOf(given: SyntaxNode | undefined, reading: SemanticReading): readonly number[] {
  const found: number[] = [];
  collect(given, { reading, found }, 0);
  return found;
}

interface Collecting {
  readonly reading: SemanticReading;
  readonly found: number[];
}

/** Where the value of an expression comes from, where that is the value of what stands under these keys. */
const parts = new Map<string, readonly string[]>([
  ["AwaitExpression", ["argument"]],
  ["SpreadElement", ["argument"]],
  ["UnaryExpression", ["argument"]],
  ["LogicalExpression", ["left", "right"]],
  ["ConditionalExpression", ["consequent", "alternate"]],
  ["AssignmentExpression", ["right"]],
]);

function collect(given: SyntaxNode | undefined, into: Collecting, depth: number): void {
  const node = bare(given);
  if (node === undefined || depth > deepest || into.found.length >= most) return;
  const { reading } = into;
  switch (node.type) {
    case "Identifier":
      named(node, into);
      return;
    case "Literal":
    case "StringLiteral": {
      const value = stringValue(node);
      if (value !== undefined) push(into, reading.literalNode(value, node, false));
      return;
    }
    case "TemplateLiteral":
      template(node, into, depth);
      return;
    case "CallExpression":
    case "NewExpression":
      push(into, reading.calls.get(node) ?? -1);
      return;
    case "MemberExpression":
      member(node, into, depth);
      return;
    case "BinaryExpression":
      if (text(node, "operator") === "+") sum(node, into, depth);
      return;
    default:
      if (isFunction(node)) push(into, reading.functions.get(node) ?? -1);
      else for (const part of partsOf(node)) collect(part, into, depth + 1);
  }
}

function partsOf(node: SyntaxNode): readonly (SyntaxNode | undefined)[] {
  if (node.type === "ObjectExpression") return children(node, "properties").map((property) => child(property, "value") ?? child(property, "argument"));
  if (node.type === "ArrayExpression") return elements(node, "elements");
  return (parts.get(node.type) ?? []).map((key) => child(node, key));
}

function named(node: SyntaxNode, into: Collecting): void {
  const binding = into.reading.scope.resolve(nameOf(node) ?? "");
  if (binding !== undefined) push(into, into.reading.bindingNode(binding));
}

/** What is constant of it is one literal; what is put in flows too. */
function template(node: SyntaxNode, into: Collecting, depth: number): void {
  const whole = into.reading.text(node);
  if (whole !== undefined && /[^{}]/u.test(whole.value)) push(into, into.reading.literalNode(whole.value, node, whole.isDynamic));
  for (const hole of children(node, "expressions")) collect(hole, into, depth + 1);
}

function sum(node: SyntaxNode, into: Collecting, depth: number): void {
  const whole = into.reading.text(node);
  if (whole === undefined || !/[^{}]/u.test(whole.value)) {
    collect(child(node, "left"), into, depth + 1);
    collect(child(node, "right"), into, depth + 1);
    return;
  }
  push(into, into.reading.literalNode(whole.value, node, whole.isDynamic));
  for (const side of [child(node, "left"), child(node, "right")]) if (bare(side)?.type !== "Literal") collect(side, into, depth + 1);
}

/** `a.b` comes from `a`; `this.b` from the field; what the environment gives from its read. */
function member(node: SyntaxNode, into: Collecting, depth: number): void {
  const { reading } = into;
  const configured = reading.configuration.get(node);
  if (configured !== undefined) {
    push(into, configured);
    return;
  }
  const object = bare(child(node, "object"));
  const name = memberName(node);
  const owner = reading.classes.at(-1);
  if (object?.type === "ThisExpression" && name !== undefined && owner !== undefined) push(into, reading.fieldNode(owner, name, node));
  else collect(object, into, depth + 1);
}

function push({ found }: Collecting, node: number): void {
  if (node >= 0 && found.length < most && !found.includes(node)) found.push(node);
}
