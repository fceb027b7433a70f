import type { SyntaxNode } from "./node.js";

/** Keys that hold nodes, in source order, for the types that make up nearly all of a program. */
const known: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["Program", ["body"]],
  ["Identifier", []],
  ["Literal", []],
  ["TemplateElement", []],
  ["ThisExpression", []],
  ["Super", []],
  ["EmptyStatement", []],
  ["DebuggerStatement", []],
  ["PrivateIdentifier", []],
  ["MetaProperty", []],
  ["ExpressionStatement", ["expression"]],
  ["BlockStatement", ["body"]],
  ["StaticBlock", ["body"]],
  ["WithStatement", ["object", "body"]],
  ["ReturnStatement", ["argument"]],
  ["LabeledStatement", ["body"]],
  ["BreakStatement", []],
  ["ContinueStatement", []],
  ["IfStatement", ["test", "consequent", "alternate"]],
  ["SwitchStatement", ["discriminant", "cases"]],
  ["SwitchCase", ["test", "consequent"]],
  ["ThrowStatement", ["argument"]],
  ["TryStatement", ["block", "handler", "finalizer"]],
  ["CatchClause", ["param", "body"]],
  ["WhileStatement", ["test", "body"]],
  ["DoWhileStatement", ["body", "test"]],
  ["ForStatement", ["init", "test", "update", "body"]],
  ["ForInStatement", ["left", "right", "body"]],
  ["ForOfStatement", ["left", "right", "body"]],
  ["VariableDeclaration", ["declarations"]],
  ["ArrayExpression", ["elements"]],
  ["SequenceExpression", ["expressions"]],
  ["UnaryExpression", ["argument"]],
  ["BinaryExpression", ["left", "right"]],
  ["AssignmentExpression", ["left", "right"]],
  ["UpdateExpression", ["argument"]],
  ["LogicalExpression", ["left", "right"]],
  ["ConditionalExpression", ["test", "consequent", "alternate"]],
  ["TemplateLiteral", ["expressions"]],
  ["TaggedTemplateExpression", ["tag", "quasi"]],
  ["ChainExpression", ["expression"]],
  ["AwaitExpression", ["argument"]],
  ["YieldExpression", ["argument"]],
  ["SpreadElement", ["argument"]],
  ["AssignmentPattern", ["left", "right"]],
]);

/** The same for types that Babel gives more keys than acorn does. */
const plain: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...known,
  ["CallExpression", ["callee", "arguments"]],
  ["NewExpression", ["callee", "arguments"]],
  ["MemberExpression", ["object", "property"]],
  ["FunctionDeclaration", ["id", "params", "body"]],
  ["FunctionExpression", ["id", "params", "body"]],
  ["ArrowFunctionExpression", ["id", "params", "body"]],
  ["ObjectExpression", ["properties"]],
  ["ObjectPattern", ["properties"]],
  ["ArrayPattern", ["elements"]],
  ["RestElement", ["argument"]],
  ["Property", ["key", "value"]],
  ["VariableDeclarator", ["id", "init"]],
  ["ClassDeclaration", ["id", "superClass", "body"]],
  ["ClassExpression", ["id", "superClass", "body"]],
  ["ClassBody", ["body"]],
  ["MethodDefinition", ["key", "value"]],
  ["PropertyDefinition", ["key", "value"]],
  ["ImportSpecifier", ["imported", "local"]],
  ["ImportDefaultSpecifier", ["local"]],
  ["ImportNamespaceSpecifier", ["local"]],
  ["ExportSpecifier", ["local", "exported"]],
]);

const notChildren: ReadonlySet<string> = new Set([
  "type", "start", "end", "loc", "range", "extra", "leadingComments", "trailingComments", "innerComments", "errors", "comments", "tokens", "raw", "regex",
]);

/** Keys of the node that may hold nodes. */
export function childKeys(node: SyntaxNode): readonly string[] {
  return known.get(node.type) ?? Object.keys(node).filter((key) => !notChildren.has(key));
}

/** Keys of a node that acorn made. */
export function plainKeys(node: SyntaxNode): readonly string[] {
  return plain.get(node.type) ?? childKeys(node);
}
