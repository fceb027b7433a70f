import { withoutGlobalObject } from "../facts/origin.js";
import { bare, child, children, isFunction, memberName, nameOf, propertyOf, type FunctionNode, type SyntaxNode } from "../syntax/node.js";
import type { Binding } from "../syntax/scope.js";
import { objectOf } from "../facts/constant.js";
import type { ImportedCall, SentMessage } from "./file-semantics.js";
import { knownCall } from "./known-calls.js";
import { callEffects, type SeenCall } from "./call-effects.js";
import type { SemanticReading } from "./reading.js";
import { valuesOf } from "./values.js";

const mostArguments = 8;

/** Globals whose methods are the language's own. */
const builtIn: ReadonlySet<string> = new Set([
  "Object", "Array", "Math", "JSON", "Promise", "Reflect", "Symbol", "Number", "String", "Date", "RegExp", "Map", "Set", "WeakMap", "WeakSet", "Error", "BigInt", "Intl", "Atomics", "Proxy", "ArrayBuffer", "Buffer", "Function", "process",
  "console", "document", "module", "exports", "arguments", "undefined",
]);

/** A call whose function is found by the name of a method once the whole module was seen. */
export interface MethodCall {
  readonly call: number;
  readonly name: string;
  readonly module: number;
  /** Class of `this`; undefined for other objects. */
  readonly owner: SyntaxNode | undefined;
  readonly arguments: readonly (readonly number[])[];
}

/** Ties calls to what they call, what they are given and what they do. */
export class CallSites {
  readonly imported: ImportedCall[] = [];
  readonly messages: SentMessage[] = [];
  readonly methods: MethodCall[] = [];
  readonly #reading: SemanticReading;
  /** Nodes of parameters by function. */
  readonly #parameters: ReadonlyMap<number, readonly number[]>;

  constructor(reading: SemanticReading, parameters: ReadonlyMap<number, readonly number[]>) {
    this.#reading = reading;
    this.#parameters = parameters;
  }

  /** Gives the call a node before what it holds is read. */
  enter(node: SyntaxNode): void {
    const { table, here, calls } = this.#reading;
    const callee = bare(child(node, "callee"));
    const name = `${node.type === "NewExpression" ? "new " : ""}${callee === undefined ? "" : calledName(callee)}`;
    calls.set(node, table.add({ kind: "call-site", name, start: node.start, end: node.end, within: here }));
  }

  leave(node: SyntaxNode): void {
    const reading = this.#reading;
    const call = reading.calls.get(node) ?? -1;
    const callee = bare(child(node, "callee"));
    if (callee === undefined) return;
    const given = children(node, "arguments").slice(0, mostArguments).map((argument) => valuesOf(argument, reading));
    const origin = reading.origins.of(callee, reading.scope);
    const path = origin === undefined ? [] : origin.module === null ? withoutGlobalObject(origin.path) : origin.path;
    const known = origin === undefined || /^[./]/u.test(origin.module ?? "") ? undefined : knownCall(origin.module, path);
    if (known !== undefined && origin !== undefined) reading.table.tell(call, "api", origin.module === null ? path.join(".") : [origin.module, ...path].join("."));
    for (const values of given) for (const value of values) reading.table.edge("consumed-by", value, call);
    const seen: SeenCall = { node, call, callee, arguments: given, known, method: callee.type === "MemberExpression" ? memberName(callee) : undefined };
    this.#receiver(seen);
    callEffects(seen, reading);
    if (known?.does === "send-message" && call >= 0) this.messages.push({ call, arguments: given });
    if (known === undefined) this.#target(seen);
    this.#callbacks(seen);
  }

  /** The function that was found is called: arguments reach its parameters, what it returns the call. */
  tie(call: number, target: number, { given, surety }: { readonly given: readonly (readonly number[])[]; readonly surety?: Parameters<SemanticReading["table"]["edge"]>[3] }): void {
    const { table } = this.#reading;
    table.edge("calls", call, target, surety);
    table.edge("returns-to-call", target, call, surety);
    const parameters = this.#parameters.get(target) ?? [];
    for (const [position, values] of given.entries()) {
      const parameter = parameters[position] ?? -1;
      for (const value of values) table.edge("argument-to-parameter", value, parameter, surety);
    }
  }

  /** `a().b()`: the second call works on what the first gives. */
  #receiver({ call, callee, method }: SeenCall): void {
    if (callee.type !== "MemberExpression") return;
    const { table } = this.#reading;
    const object = bare(child(callee, "object"));
    if (object?.type === "CallExpression" || object?.type === "NewExpression") table.edge("chains", call, this.#reading.calls.get(object) ?? -1);
    else if (method !== undefined) for (const value of valuesOf(object, this.#reading)) table.edge("consumed-by", value, call);
  }

  #callbacks({ node, call }: SeenCall): void {
    const { table, scope } = this.#reading;
    for (const argument of children(node, "arguments").slice(0, mostArguments)) {
      const target = this.#functionOf(bare(argument), scope);
      if (target >= 0) table.edge("passes-callback", call, target);
    }
  }

  #functionOf(node: SyntaxNode | undefined, scope: SemanticReading["scope"]): number {
    if (isFunction(node)) return this.#reading.functions.get(node) ?? -1;
    const binding = node?.type === "Identifier" ? scope.resolve(nameOf(node) ?? "") : undefined;
    const found = binding === undefined ? undefined : settledFunction(binding);
    return found === undefined || binding === undefined ? -1 : this.#known(found, binding);
  }

  #known(node: FunctionNode, binding: Binding): number {
    const found = this.#reading.functions.get(node);
    return found ?? (binding.kind === "function" ? this.#reading.bindingNode(binding) : -1);
  }

  #target(seen: SeenCall): void {
    const { call, callee, arguments: given, node } = seen;
    const { table, scope } = this.#reading;
    if (isFunction(callee)) {
      this.tie(call, this.#reading.functions.get(callee) ?? -1, { given });
      return;
    }
    const reference = this.#reading.reference(callee, scope);
    if (reference !== undefined) {
      this.imported.push({ call, ...reference, isConstruction: node.type === "NewExpression", arguments: given });
      return;
    }
    const path = this.#globalPath(callee);
    if (path !== undefined) {
      this.imported.push({ call, specifier: null, inside: null, path, isConstruction: node.type === "NewExpression", arguments: given });
      return;
    }
    if (callee.type === "Identifier") this.#named(seen, callee);
    else if (callee.type === "MemberExpression") this.#member(seen, callee);
    else table.tell(call, "unresolved", "The called expression is put together at run time.");
  }

  /** `window.api.save`: what a page is given by its preload script, or another script. */
  #globalPath(callee: SyntaxNode): readonly string[] | undefined {
    if (callee.type !== "MemberExpression") return undefined;
    const origin = this.#reading.origins.of(callee, this.#reading.scope);
    const path = origin?.module === null ? withoutGlobalObject(origin.path) : [];
    return path.length >= 2 && !builtIn.has(path[0] ?? "") ? path : undefined;
  }

  #named({ call, arguments: given, node }: SeenCall, callee: SyntaxNode): void {
    const { table, scope } = this.#reading;
    const binding = scope.resolve(nameOf(callee) ?? "");
    if (binding === undefined) {
      table.tell(call, "unresolved", "A global that is not known.");
      return;
    }
    const found = settledFunction(binding);
    if (found !== undefined) this.tie(call, this.#known(found, binding), { given });
    else if (binding.kind === "class" || node.type === "NewExpression") table.edge("constructs", call, this.#reading.bindingNode(binding));
    else if (binding.kind === "parameter") table.edge("calls", call, this.#reading.bindingNode(binding), { certainty: "unknown", reason: "A parameter is called; what it holds depends on the caller." });
    else table.edge("calls", call, this.#reading.bindingNode(binding), { certainty: "unknown", reason: "A name that is assigned more than once; which value it holds is decided at run time." });
  }

  #member({ call, arguments: given, method }: SeenCall, callee: SyntaxNode): void {
    const { table, scope } = this.#reading;
    const object = bare(child(callee, "object"));
    if (method === undefined) {
      table.tell(call, "unresolved", "The name of the method is put together at run time.");
      return;
    }
    const property = object?.type === "ThisExpression" ? undefined : bare(propertyOf(objectOf(object, scope), method));
    if (isFunction(property)) {
      this.tie(call, this.#reading.functions.get(property) ?? -1, { given, surety: { certainty: "high", reason: "A method of the same class or object of this name." } });
      return;
    }
    const owner = object?.type === "ThisExpression" ? this.#reading.classes.at(-1) : undefined;
    this.methods.push({ call, name: method, module: this.#reading.module, owner, arguments: given });
  }
}

/** The function that a name stands for when nothing else is assigned to it. */
export function settledFunction(binding: Binding): FunctionNode | undefined {
  const { kind, declaration, source, writes } = binding;
  if (kind === "function" && isFunction(declaration)) return writes === 0 ? declaration : undefined;
  if (source === undefined || source.path.length > 0 || kind === "parameter") return undefined;
  const value = bare(source.value);
  return isFunction(value) && (kind === "constant" || writes <= (binding.isInitialised ? 0 : 1)) ? value : undefined;
}

const longestName = 120;

/** `a.b.c` as far as it is names; `(…)` stands for the rest. */
function calledName(node: SyntaxNode, depth = 0): string {
  if (depth > 8) return "(…)";
  if (node.type === "Identifier") return (nameOf(node) ?? "").slice(0, longestName);
  if (node.type === "ThisExpression") return "this";
  if (node.type === "Super") return "super";
  if (node.type === "ImportExpression" || node.type === "Import") return "import";
  if (node.type !== "MemberExpression") return isFunction(node) ? "(function)" : "(…)";
  const object = bare(child(node, "object"));
  const name = memberName(node);
  return `${object === undefined ? "(…)" : calledName(object, depth + 1)}${name === undefined ? "[…]" : `.${name}`}`.slice(0, longestName);
}
