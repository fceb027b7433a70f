import { argumentAt, bare, child, children, elements, isFunction, keyValue, memberName, nameOf, propertyKey, stringValue, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import type { Bundler, FoundChunk, FoundModule, RequireStyle } from "./found-part.js";
import { dependencyRows, isPathLike, moduleOf, tableRows } from "./module-table.js";

/** Modules that are handed to a function: Browserify, Parcel, Metro, Turbopack, esbuild, AMD and SystemJS. */
export class CallParts {
  readonly modules: FoundModule[] = [];
  readonly chunks: FoundChunk[] = [];
  /** Names of functions that return a module wrapped by esbuild or Rolldown, by the call that makes them. */
  readonly wrapped = new Map<SyntaxNode, FoundModule>();
  /** Functions that Turbopack hands its require function to once chunks are there: `e.v(t => … t(12))`. */
  readonly loaders = new Set<SyntaxNode>();
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  see(node: SyntaxNode, scope: Scope): void {
    if (node.type !== "CallExpression") return;
    const callee = bare(child(node, "callee"));
    if (callee === undefined) return;
    const first = argumentAt(node, 0);
    // Browserify's runtime is what a function in the place of the callee returns.
    if (isFunction(callee) || callee.type === "CallExpression") this.#packed(node, first);
    else if (callee.type === "Identifier") this.#named(node, { callee, first, scope });
    else if (callee.type === "MemberExpression") this.#member(node, callee, first);
  }

  /** `(function …)({1: [function(require, module, exports) {…}, {"./a": 2}]}, {}, [1])` */
  #packed(node: SyntaxNode, table: SyntaxNode | undefined): void {
    const rows = dependencyRows(table);
    if (rows === undefined) return;
    const bundler: Bundler = children(node, "arguments").some((one) => stringValue(one)?.startsWith("parcelRequire") === true) || this.#isParcel(node) ? "parcel" : "browserify";
    for (const row of rows) {
      const requires: RequireStyle = { kind: "named", parameter: 0, dependencies: row.dependencies };
      this.modules.push(moduleOf(row, { bundler, requires, basis: `${bundler}-pack` }));
    }
  }

  #isParcel(node: SyntaxNode): boolean {
    return /parcelRequire/u.test(this.#source.slice(Math.max(0, node.start - 200), Math.min(this.#source.length, node.start + 400)));
  }

  #named(node: SyntaxNode, { callee, first, scope }: { readonly callee: SyntaxNode; readonly first: SyntaxNode | undefined; readonly scope: Scope }): void {
    const name = nameOf(callee) ?? "";
    if (name === "__d" && isFunction(first)) this.#metro(node, first);
    else if (name === "define" && scope.resolve(name) === undefined) this.#amd(node);
    else if (first !== undefined && children(node, "arguments").length === 1 && this.#isWrapper(name, scope)) this.#wrapped(node, first, name);
    else if (this.#isRegister(name, scope)) this.#register(node);
  }

  #member(node: SyntaxNode, callee: SyntaxNode, first: SyntaxNode | undefined): void {
    const name = memberName(callee);
    if (name === "push" && first?.type === "ArrayExpression" && this.#mentions(child(callee, "object"), "TURBOPACK")) this.#turbopack(node, first);
    else if (name === "v" && isFunction(first) && this.#source.includes("TURBOPACK")) this.loaders.add(first);
    else if (name === "register" && nameOf(child(callee, "object")) === "System") this.#system(node);
    else if (name === "register" && this.#source.includes("parcelRequire")) this.#register(node);
  }

  /** `__d(function(global, require, importDefault, importAll, module, exports, dependencies) {…}, id, [ids], name?)` */
  #metro(node: SyntaxNode, factory: SyntaxNode): void {
    const id = keyValue(argumentAt(node, 1));
    const list = argumentAt(node, 2);
    if (id === undefined) return;
    const dependencies = list?.type === "ArrayExpression" ? elements(list, "elements").map((one) => keyValue(one) ?? "") : [];
    const path = stringValue(argumentAt(node, 3)) ?? null;
    const requires: RequireStyle = { kind: "indexed", parameters: [1, 2, 3], dependencies };
    this.modules.push({ bundler: "metro", id, path, factory, start: node.start, end: node.end, requires, basis: "metro-define" });
  }

  #amd(node: SyntaxNode): void {
    const id = stringValue(argumentAt(node, 0));
    const factory = children(node, "arguments").find(isFunction);
    if (id === undefined || factory === undefined) return;
    this.modules.push({ bundler: "amd", id, path: isPathLike(id) ? id : null, factory, start: node.start, end: node.end, requires: { kind: "none" }, basis: "amd-define" });
  }

  #system(node: SyntaxNode): void {
    const id = stringValue(argumentAt(node, 0));
    const factory = children(node, "arguments").find(isFunction);
    if (factory === undefined) return;
    this.modules.push({ bundler: "systemjs", id: id ?? ".", path: null, factory, start: node.start, end: node.end, requires: { kind: "none" }, basis: "system-register" });
  }

  #isRegister(name: string, scope: Scope): boolean {
    if (name === "parcelRegister") return true;
    const value = bare(scope.resolve(name)?.source?.value);
    return value?.type === "MemberExpression" && memberName(value) === "register" && this.#source.includes("parcelRequire");
  }

  /** `parcelRegister("id", function(module, exports) {…})` */
  #register(node: SyntaxNode): void {
    const id = stringValue(argumentAt(node, 0));
    const factory = argumentAt(node, 1);
    if (id === undefined || !isFunction(factory)) return;
    this.modules.push({ bundler: "parcel", id, path: null, factory, start: node.start, end: node.end, requires: { kind: "none" }, basis: "parcel-register" });
  }

  /** `push([script, {id: factory}])`, and since Next 15 `push([script, id, factory, id, id, factory, …])`. */
  #turbopack(node: SyntaxNode, data: SyntaxNode): void {
    const [chunk, ...rest] = elements(data, "elements");
    const path = stringValue(chunk);
    this.chunks.push({ bundler: "turbopack", ids: path === undefined ? [] : [path], start: node.start, end: node.end, basis: "turbopack-push" });
    let ids: string[] = [];
    for (const item of rest) {
      const id = keyValue(item);
      if (id !== undefined) ids.push(id);
      else if (item?.type === "ObjectExpression") for (const row of tableRows(item, 9) ?? []) this.modules.push(moduleOf(row, turbopack));
      else if (isFunction(item)) {
        for (const one of ids) this.modules.push(moduleOf({ id: one, factory: item, at: item }, turbopack));
        ids = [];
      }
    }
  }

  #mentions(node: SyntaxNode | undefined, word: string): boolean {
    return node !== undefined && node.end - node.start < 400 && this.#source.slice(node.start, node.end).includes(word);
  }

  /** True for esbuild's `__commonJS` and `__esm` and Rolldown's, under whatever name: by the text of the function. */
  #isWrapper(name: string, scope: Scope): boolean {
    const helper = scope.resolve(name)?.source?.value;
    if (helper === undefined || helper.end - helper.start > 400) return false;
    const body = this.#source.slice(helper.start, helper.end).replace(/\s+/gu, "");
    return body.includes("={exports:{}}).exports,") || /^\(?\(?(\w+),(\w+)\)?=>(?:function\w*\(\)\{return|\(\)=>\(?)\1&&\(\2=/u.test(body);
  }

  #wrapped(node: SyntaxNode, first: SyntaxNode, name: string): void {
    const [property] = first.type === "ObjectExpression" ? children(first, "properties") : [];
    const factory = property === undefined ? first : child(property, "value");
    if (!isFunction(factory)) return;
    const path = property === undefined ? undefined : propertyKey(property);
    const bundler: Bundler = /Min$/u.test(name) ? "rolldown" : "esbuild";
    const found: FoundModule = { bundler, id: path ?? `@${String(node.start)}`, path: path ?? null, factory, start: node.start, end: node.end, requires: { kind: "none" }, basis: "wrapped-module" };
    this.modules.push(found);
    this.wrapped.set(node, found);
  }
}

const turbopack: { readonly bundler: Bundler; readonly requires: RequireStyle; readonly basis: string } = {
  bundler: "turbopack",
  requires: { kind: "methods", parameter: 0, methods: new Set(["i", "r", "A", "l"]) },
  basis: "turbopack-module",
};
