import type { Origins } from "../facts/origin.js";
import type { Bundle } from "../parts/bundle.js";
import { canOpenScope, type ScopeIndex } from "../syntax/build-scopes.js";
import { visit, type FlatTree } from "../syntax/flat-tree.js";
import { child, children, isFunction, memberName, nameOf, propertyKey, text, type FunctionNode, type SyntaxNode } from "../syntax/node.js";
import { CallSites } from "./call-sites.js";
import { configurationRead, standardStream } from "./configuration.js";
import { ExportedValues } from "./exported-values.js";
import type { FileSemantics, SemanticLimits } from "./file-semantics.js";
import { assigned, bodyValue, compared, declared, handedOut, namesIn, referred } from "./flows.js";
import { FunctionShape } from "./function-shape.js";
import { MethodNames } from "./method-names.js";
import { SemanticReading } from "./reading.js";
import { relationShapes, type ClosedFunction } from "./relation-shapes.js";
import { SemanticTable } from "./semantic-table.js";

interface Extracting {
  readonly tree: FlatTree;
  readonly index: ScopeIndex;
  readonly origins: Origins;
  readonly bundle: Bundle;
  readonly limits: SemanticLimits;
}

/** Values, calls and effects of one file, read in one walk while its syntax tree is there. Offsets are UTF-16 code units. */
export function extractSemantics(extracting: Extracting): FileSemantics {
  return new Extraction(extracting).run();
}

class Extraction {
  readonly #given: Extracting;
  readonly #table: SemanticTable;
  readonly #reading: SemanticReading;
  readonly #calls: CallSites;
  readonly #exports: ExportedValues;
  readonly #methods = new MethodNames();
  readonly #parameters = new Map<number, readonly number[]>();
  readonly #functions: ClosedFunction[] = [];
  /** What ends with the function or class that is open. */
  readonly #endings = new Map<SyntaxNode, () => void>();
  #regions = 0;
  #modules = 0;

  constructor(given: Extracting) {
    this.#given = given;
    this.#table = new SemanticTable(given.limits);
    this.#reading = new SemanticReading({ table: this.#table, origins: given.origins, bundle: given.bundle, scope: given.index.root });
    this.#calls = new CallSites(this.#reading, this.#parameters);
    this.#exports = new ExportedValues(this.#reading);
  }

  run(): FileSemantics {
    const { tree, index } = this.#given;
    const program = index.root.node;
    this.#openProgram(program);
    visit(tree, {
      enter: (node, kind, ancestors) => {
        if (canOpenScope(kind)) this.#reading.scope = index.scopes.get(node) ?? this.#reading.scope;
        this.#enter(node, ancestors);
        return this.#isBeyond(node) ? false : undefined;
      },
      leave: (node) => {
        this.#leave(node);
        const { scope } = this.#reading;
        if (scope.node === node && scope.parent !== undefined) this.#reading.scope = scope.parent;
      },
    });
    this.#close(program);
    this.#methods.resolve(this.#calls, this.#table);
    const { nodes: rows, edges, properties, left } = this.#table;
    const functions = relationShapes(this.#functions, this.#table);
    return {
      strings: this.#table.strings(),
      nodes: rows,
      edges,
      functions,
      properties,
      imports: this.#reading.imports,
      calls: this.#calls.imported,
      messages: this.#calls.messages,
      exports: this.#exports.found,
      left,
    };
  }

  #enter(node: SyntaxNode, ancestors: readonly SyntaxNode[]): void {
    const parent = ancestors.at(-1);
    if (parent?.type === "Program") this.#region(node);
    this.#reading.open.at(-1)?.see(node);
    switch (node.type) {
      case "CallExpression":
      case "NewExpression":
        this.#calls.enter(node);
        return;
      case "Identifier":
        if (parent !== undefined && isReference(node, parent)) referred(node, this.#reading);
        return;
      case "MemberExpression":
        configurationRead(node, this.#reading);
        standardStream(node, this.#reading);
        return;
      case "ClassDeclaration":
      case "ClassExpression":
        this.#reading.classes.push(node);
        return;
      default:
        if (isFunction(node)) this.#openFunction(node, parent);
    }
  }

  /** A function that found no room, where nothing else will: what it holds is not looked at. */
  #isBeyond(node: SyntaxNode): boolean {
    if (!isFunction(node) || (this.#reading.functions.get(node) ?? 0) >= 0) return false;
    const { modules } = this.#given.bundle;
    return this.#table.isFileFull || (this.#table.isModuleFull && !modules.some(({ start, end }) => node.start < start && end < node.end));
  }

  #leave(node: SyntaxNode): void {
    switch (node.type) {
      case "VariableDeclarator":
        declared(node, this.#reading);
        break;
      case "AssignmentExpression":
        assigned(node, this.#reading);
        break;
      case "CallExpression":
      case "NewExpression":
        this.#calls.leave(node);
        break;
      case "ReturnStatement":
      case "ThrowStatement":
      case "YieldExpression":
      case "AwaitExpression":
        handedOut(node, this.#reading);
        break;
      case "BinaryExpression":
        compared(node, this.#reading);
        break;
      case "ClassDeclaration":
      case "ClassExpression":
        this.#reading.classes.pop();
        break;
      default:
        if (isFunction(node)) {
          this.#close(node);
          return;
        }
    }
    this.#exports.leave(node);
    this.#reading.open.at(-1)?.leave(node);
  }

  /** Modules between comments begin with the statement behind theirs. */
  #region(statement: SyntaxNode): void {
    const { modules } = this.#given.bundle;
    let next = modules[this.#regions];
    while (next !== undefined && (next.factory !== undefined || next.end <= statement.start)) next = modules[(this.#regions += 1)];
    if (next === undefined || statement.start < next.start) return;
    this.#regions += 1;
    this.#begin();
  }

  #begin(): () => void {
    const { literals, module } = this.#reading;
    const leaveModule = this.#table.enterModule();
    this.#reading.literals = new Map();
    this.#reading.module = this.#modules += 1;
    return () => {
      this.#reading.literals = literals;
      this.#reading.module = module;
      leaveModule();
    };
  }

  #openProgram(program: SyntaxNode): void {
    const node = this.#table.add({ kind: "function", name: "(module)", start: program.start, end: program.end, within: -1 });
    this.#table.tell(node, "form", "module");
    this.#reading.functions.set(program, node);
    this.#reading.open.push(new FunctionShape(node));
  }

  #openFunction(node: FunctionNode, parent: SyntaxNode | undefined): void {
    const module = this.#given.bundle.moduleOfFactory(node);
    if (module !== undefined) this.#endings.set(node, this.#begin());
    const name = module === undefined ? functionName(node, parent) : "(module)";
    const index = this.#reading.functionNode(node, name, this.#reading.here);
    const form = module !== undefined ? "module" : formOf(node, parent);
    if (form !== undefined) this.#table.tell(index, "form", form);
    const shape = new FunctionShape(index);
    if (node["async"] === true) shape.effects.add("async");
    if (node["generator"] === true) shape.effects.add("generator");
    for (const parameter of children(node, "params")) shape.parameters.push(this.#parameter(parameter, index));
    shape.arity = shape.parameters.length;
    this.#parameters.set(index, shape.parameters);
    this.#methods.define(parent, { node: index, name, module: this.#reading.module, owner: this.#reading.classes.at(-1) });
    this.#reading.open.push(shape);
  }

  /** A parameter that is taken apart is one node; its names take from it. */
  #parameter(given: SyntaxNode, within: number): number {
    const pattern = given.type === "AssignmentPattern" ? (child(given, "left") ?? given) : given.type === "TSParameterProperty" ? (child(given, "parameter") ?? given) : given;
    const name = nameOf(pattern) ?? nameOf(child(pattern, "argument"));
    const binding = name === undefined ? undefined : this.#reading.scope.resolve(name);
    if (binding?.kind === "parameter") return this.#reading.bindingNode(binding);
    const names = namesIn(pattern);
    const index = this.#table.add({ kind: "parameter", name: `{${names.slice(0, 8).join(", ")}}`, start: pattern.start, end: pattern.end, within });
    for (const one of names) {
      const inner = this.#reading.scope.resolve(one);
      if (inner !== undefined) this.#table.edge("destructures", this.#reading.bindingNode(inner), index);
    }
    return index;
  }

  #close(node: SyntaxNode): void {
    if (isFunction(node)) bodyValue(node, this.#reading);
    const shape = this.#reading.open.pop();
    if (shape === undefined) return;
    const digests = shape.node < 0 ? undefined : shape.digests();
    this.#reading.open.at(-1)?.include(digests ?? { syntax: "left", flow: "left" });
    if (digests !== undefined) this.#functions.push({ node: shape.node, parameters: shape.parameters, arity: shape.arity, effects: [...shape.effects].sort(), ...digests });
    this.#endings.get(node)?.();
    this.#endings.delete(node);
  }
}

/** Where an identifier under these keys stands for a value; elsewhere in such nodes it is a key or a name that is declared. */
const valueKeys = new Map<string, string>([
  ["MemberExpression", "object"],
  ["Property", "value"],
  ["PropertyDefinition", "value"],
  ["MethodDefinition", "value"],
  ["VariableDeclarator", "init"],
  ["ClassDeclaration", "superClass"],
  ["FunctionDeclaration", "body"],
  ["FunctionExpression", "body"],
  ["ArrowFunctionExpression", "body"],
]);
const withoutValues: ReadonlySet<string> = new Set(["LabeledStatement", "BreakStatement", "ContinueStatement", "ImportSpecifier", "ImportDefaultSpecifier", "ImportNamespaceSpecifier", "ExportSpecifier", "CatchClause", "RestElement"]);

/** An identifier that stands for a value, not for a key, label or the name that is being declared. */
function isReference(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (withoutValues.has(parent.type)) return false;
  if (parent.type === "AssignmentExpression") return parent["right"] === node || text(parent, "operator") !== "=";
  const key = valueKeys.get(parent.type);
  return key === undefined || parent[key] === node || (parent["computed"] === true && !isFunction(parent));
}

function functionName(node: SyntaxNode, parent: SyntaxNode | undefined): string {
  const own = nameOf(child(node, "id"));
  if (own !== undefined) return own;
  if (parent === undefined) return "(anonymous)";
  const key = parent.type === "Property" || parent.type === "MethodDefinition" || parent.type === "PropertyDefinition" ? propertyKey(parent) : undefined;
  const target = child(parent, parent.type === "VariableDeclarator" ? "id" : "left");
  const assignedName = target === undefined ? undefined : target.type === "MemberExpression" ? memberName(target) : nameOf(target);
  return key ?? assignedName ?? "(anonymous)";
}

function formOf(node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined {
  if (parent?.type === "MethodDefinition") return text(parent, "kind") ?? "method";
  return node.type === "ArrowFunctionExpression" ? undefined : parent?.type === "Property" && parent["method"] === true ? "method" : undefined;
}
