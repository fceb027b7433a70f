import { kindTable } from "../syntax/kinds.js";
import { argumentAt, bare, child, children, elements, keyValue, memberName, nameOf, propertyKey, stringValue, type SyntaxNode } from "../syntax/node.js";
import type { KeptComment } from "../syntax/parse-outcome.js";
import type { Binding, Scope } from "../syntax/scope.js";
import type { BundleRequires } from "../facts/origin.js";
import { CallParts } from "./call-parts.js";
import { commentModules } from "./comment-parts.js";
import type { Bundler, FoundChunk, FoundModule } from "./found-part.js";
import { WebpackParts } from "./webpack.js";

const telling = kindTable(["CallExpression", "AssignmentExpression", "VariableDeclarator"]);

/** The modules and chunks of one file, and what its require functions lead to. */
export class Bundle implements BundleRequires {
  readonly #webpack = new WebpackParts();
  readonly #calls: CallParts;
  readonly #byFactory = new Map<SyntaxNode, FoundModule>();
  /** Modules whose whole code is `module.exports = require("x")`, by id. */
  readonly #externals = new Map<string, string>();
  readonly #source: string;
  #modules: readonly FoundModule[] = [];
  #entry: FoundModule | undefined;

  constructor(source: string) {
    this.#source = source;
    this.#calls = new CallParts(source);
  }

  see(node: SyntaxNode, kind: number, scope: Scope): void {
    if (telling[kind] !== true) return;
    this.#webpack.see(node, scope);
    this.#calls.see(node, scope);
  }

  finish(comments: readonly KeptComment[]): void {
    this.#webpack.finish();
    const factories = [...this.#webpack.modules, ...this.#calls.modules];
    this.#entry = this.#startup(factories);
    if (this.#entry !== undefined) factories.push(this.#entry);
    const regions = commentModules(this.#source, comments).filter(({ path }) => !factories.some((module) => module.path === path));
    this.#modules = [...factories, ...regions].sort((a, b) => a.start - b.start);
    for (const module of this.#modules) {
      if (module.factory === undefined) continue;
      this.#byFactory.set(module.factory, module);
      const external = externalOf(module.factory);
      if (external !== undefined) this.#externals.set(module.id, external);
    }
  }

  /** Webpack writes the module a bundle begins with behind its runtime, without a factory. */
  #startup(factories: readonly FoundModule[]): FoundModule | undefined {
    const start = Math.max(...[...this.#webpack.requireFunctions].map(({ end }) => end));
    if (!Number.isFinite(start) || factories.length === 0 || factories.some((module) => module.start > start)) return undefined;
    return { bundler: "webpack", id: "entry", path: null, factory: undefined, start, end: this.#source.length, requires: { kind: "none" }, basis: "webpack-startup" };
  }

  /** The module that a bundle begins with, where it stands behind the runtime. */
  get entry(): FoundModule | undefined {
    return this.#entry;
  }

  /** Whether a name is the function that a bundle asks for modules with. */
  isRuntime(node: SyntaxNode | undefined, scope: Scope): boolean {
    const binding = scope.resolve(nameOf(node) ?? "");
    return binding?.source !== undefined && this.#webpack.requireFunctions.has(binding.source.value);
  }

  get modules(): readonly FoundModule[] {
    return this.#modules;
  }

  get chunks(): readonly FoundChunk[] {
    return [...this.#webpack.chunks, ...this.#calls.chunks];
  }

  moduleOfFactory(node: SyntaxNode): FoundModule | undefined {
    return this.#byFactory.get(node);
  }

  requested(call: SyntaxNode, scope: Scope): string | undefined {
    const found = this.requestedId(call, scope);
    return found === undefined ? undefined : this.#externals.get(found.id);
  }

  /** The id of the module that a call asks the bundle for. */
  requestedId(call: SyntaxNode, scope: Scope): { readonly id: string; readonly from: FoundModule } | undefined {
    const callee = bare(child(call, "callee"));
    if (callee?.type === "MemberExpression") return this.#byMethod(call, callee, scope) ?? this.#byRoot(call, callee);
    if (callee?.type === "CallExpression") return this.#byLoader(call, callee, scope);
    const name = nameOf(callee);
    if (name === undefined) return undefined;
    const binding = scope.resolve(name);
    if (binding === undefined) return undefined;
    const wrapped = this.#wrappedBy(binding);
    if (wrapped !== undefined) return { id: wrapped.id, from: wrapped };
    if (this.#entry !== undefined && this.isRuntime(callee, scope)) return given(keyValue(argumentAt(call, 0)), this.#entry);
    const parcel = this.#byParcel(call, binding);
    if (parcel !== undefined) return parcel;
    const from = binding.kind === "parameter" ? this.#byFactory.get(binding.scope.node) : undefined;
    const isLoader = binding.parameter === 0 && this.#calls.loaders.has(binding.scope.node);
    if (isLoader) return this.#inPlace("turbopack", call, argumentAt(call, 0));
    return from === undefined ? this.#byPattern(binding, call) : this.#byParameter(call, binding, from);
  }

  #byParameter(call: SyntaxNode, binding: Binding, from: FoundModule): { readonly id: string; readonly from: FoundModule } | undefined {
    const { requires } = from;
    if (requires.kind === "call" && binding.parameter === requires.parameter) return given(keyValue(argumentAt(call, 0)), from);
    if (requires.kind === "named" && binding.parameter === requires.parameter) {
      const asked = stringValue(argumentAt(call, 0));
      return asked === undefined ? undefined : given(requires.dependencies.get(asked), from);
    }
    if (requires.kind === "indexed" && requires.parameters.includes(binding.parameter)) return given(this.#indexed(argumentAt(call, 0), requires.dependencies), from);
    return undefined;
  }

  /** `r(d[0])` of Metro. */
  #indexed(argument: SyntaxNode | undefined, dependencies: readonly string[]): string | undefined {
    const node = bare(argument);
    if (node?.type === "MemberExpression") {
      const index = memberName(node);
      return index === undefined ? undefined : dependencies[Number(index)];
    }
    return keyValue(node);
  }

  /** `e.i(12)` of Turbopack; `n.t(12, 7)`, `n.bind(n, 12)` of webpack. */
  #byMethod(call: SyntaxNode, callee: SyntaxNode, scope: Scope): { readonly id: string; readonly from: FoundModule } | undefined {
    const name = nameOf(bare(child(callee, "object")));
    const method = memberName(callee);
    if (name === undefined || method === undefined) return undefined;
    const binding = scope.resolve(name);
    if (binding !== undefined && this.#entry !== undefined && this.isRuntime(bare(child(callee, "object")), scope)) return byWebpack(call, method, this.#entry);
    const from = binding?.kind === "parameter" ? this.#byFactory.get(binding.scope.node) : undefined;
    if (from === undefined || binding === undefined) return undefined;
    const { requires } = from;
    if (requires.kind === "methods" && binding.parameter === requires.parameter && requires.methods.has(method)) return given(keyValue(argumentAt(call, 0)), from);
    return requires.kind === "call" && binding.parameter === requires.parameter ? byWebpack(call, method, from) : undefined;
  }

  /** `a("id")` where `a` is what `parcelRequire1f2e` holds. */
  #byParcel(call: SyntaxNode, { source }: Binding): { readonly id: string; readonly from: FoundModule } | undefined {
    const value = bare(source?.value);
    if (value?.type !== "MemberExpression" || memberName(value)?.startsWith("parcelRequire") !== true) return undefined;
    return this.#inPlace("parcel", call, argumentAt(call, 0));
  }

  /** `module.bundle.root("id")` of Parcel's development builds. */
  #byRoot(call: SyntaxNode, callee: SyntaxNode): { readonly id: string; readonly from: FoundModule } | undefined {
    const object = bare(child(callee, "object"));
    const isRoot = memberName(callee) === "root" && object?.type === "MemberExpression" && memberName(object) === "bundle";
    return isRoot ? this.#inPlace("parcel", call, argumentAt(call, 0)) : undefined;
  }

  /** `r(d[1])(d[2], d.paths)`: Metro loads a module later, by a function of another. */
  #byLoader(call: SyntaxNode, callee: SyntaxNode, scope: Scope): { readonly id: string; readonly from: FoundModule } | undefined {
    const later = bare(argumentAt(call, 0));
    const list = later?.type === "MemberExpression" ? scope.resolve(nameOf(child(later, "object")) ?? "") : undefined;
    const loader = list?.kind === "parameter" && list.parameter === 6 ? this.requestedId(callee, scope) : undefined;
    if (loader?.from.requires.kind !== "indexed" || loader.from.factory !== list?.scope.node) return undefined;
    return given(this.#indexed(later, loader.from.requires.dependencies), loader.from);
  }

  /** A request from where its call stands: the module around it, else any of the same bundle. */
  #inPlace(bundler: Bundler, call: SyntaxNode, id: SyntaxNode | undefined): { readonly id: string; readonly from: FoundModule } | undefined {
    const own = this.#modules.filter((module) => module.bundler === bundler);
    const from = own.findLast((module) => module.start <= call.start && call.end <= module.end) ?? own[0];
    return from === undefined ? undefined : given(keyValue(id), from);
  }

  /** The module whose code a chunk request stands in, where the callee is a bundle's runtime. */
  chunkFrom(object: SyntaxNode | undefined, scope: Scope): FoundModule | undefined {
    if (this.#entry !== undefined && this.isRuntime(object, scope)) return this.#entry;
    const binding = scope.resolve(nameOf(object) ?? "");
    const from = binding?.kind === "parameter" ? this.#byFactory.get(binding.scope.node) : undefined;
    return from?.requires.kind === "call" && binding?.parameter === from.requires.parameter ? from : undefined;
  }

  /** Parameters taken apart: `({r: __turbopack_require__}) => …` */
  #byPattern(binding: Binding, call: SyntaxNode): { readonly id: string; readonly from: FoundModule } | undefined {
    const from = this.#byFactory.get(binding.scope.node);
    if (from?.requires.kind !== "methods" || from.factory === undefined) return undefined;
    const pattern = children(from.factory, "params")[from.requires.parameter];
    const methods = from.requires.methods;
    const isMethod = pattern?.type === "ObjectPattern" && children(pattern, "properties").some((one) => nameOf(child(one, "value")) === binding.name && methods.has(propertyKey(one) ?? ""));
    return isMethod ? given(keyValue(argumentAt(call, 0)), from) : undefined;
  }

  #wrappedBy({ source }: Binding): FoundModule | undefined {
    return source === undefined || source.path.length > 0 ? undefined : this.#calls.wrapped.get(source.value);
  }
}

/** `n.t(12, 7)`, `n.bind(n, 12)` */
function byWebpack(call: SyntaxNode, method: string, from: FoundModule): { readonly id: string; readonly from: FoundModule } | undefined {
  if (method === "t") return given(keyValue(argumentAt(call, 0)), from);
  return method === "bind" ? given(keyValue(argumentAt(call, 1)), from) : undefined;
}

function given(id: string | undefined, from: FoundModule): { readonly id: string; readonly from: FoundModule } | undefined {
  return id === undefined ? undefined : { id, from };
}

/** `e.exports = require("x")` as the only statement of a module. */
function externalOf(factory: SyntaxNode): string | undefined {
  const body = child(factory, "body");
  const statements = body?.type === "BlockStatement" ? children(body, "body").filter((one) => one["directive"] === undefined) : [];
  const expression = statements.length === 1 && statements[0] !== undefined ? child(statements[0], "expression") : statements.length === 0 && body?.type !== "BlockStatement" ? body : undefined;
  if (expression?.type !== "AssignmentExpression") return undefined;
  const target = child(expression, "left");
  const value = bare(child(expression, "right"));
  if (target?.type !== "MemberExpression" || memberName(target) !== "exports" || value?.type !== "CallExpression") return undefined;
  return nameOf(child(value, "callee")) === "require" && elements(value, "arguments").length === 1 ? stringValue(argumentAt(value, 0)) : undefined;
}
