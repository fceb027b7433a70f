import { argumentAt, bare, child, children, elements, isFunction, keyValue, memberName, nameOf, text, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import type { FoundChunk, FoundModule } from "./found-part.js";
import { moduleOf, tableRows } from "./module-table.js";

const requires = { kind: "call", parameter: 2 } as const;

/** Module tables and chunks of webpack and rspack, which share their format. */
export class WebpackParts {
  readonly modules: FoundModule[] = [];
  readonly chunks: FoundChunk[] = [];
  /** Where the runtime calls factories: the table it takes them from. */
  readonly #runtimes: { readonly table: string; readonly scope: Scope }[] = [];
  /** Functions that call factories: what the bundle asks for modules with. */
  readonly requireFunctions = new Set<SyntaxNode>();
  /** Arguments of functions that are called where they stand. */
  readonly #arguments = new Map<SyntaxNode, readonly SyntaxNode[]>();
  readonly #tables = new Set<SyntaxNode>();
  #ids: readonly string[] = [];

  see(node: SyntaxNode, scope: Scope): void {
    if (node.type === "CallExpression") this.#call(node, scope);
    else if (node.type === "AssignmentExpression") this.#assignment(node);
    else if (node.type === "VariableDeclarator") this.#declarator(node);
  }

  /** After the whole program was seen: runtimes lead to their tables. */
  finish(): void {
    for (const { table, scope } of this.#runtimes) {
      const binding = scope.resolve(table);
      if (binding === undefined) continue;
      const given = binding.kind === "parameter" ? this.#arguments.get(binding.scope.node)?.[binding.parameter] : binding.source?.value;
      this.#take(bare(given), "webpack-modules");
    }
  }

  #call(node: SyntaxNode, scope: Scope): void {
    const callee = bare(child(node, "callee"));
    if (callee === undefined) return;
    if (isFunction(callee)) this.#arguments.set(callee, children(node, "arguments"));
    if (callee.type !== "MemberExpression") return;
    const table = factoryTable(node, callee);
    if (table !== undefined) {
      this.#runtimes.push({ table, scope });
      this.requireFunctions.add(scope.functionScope().node);
    }
    if (memberName(callee) === "push") this.#push(node, callee);
    const called = memberName(callee) === "call" ? bare(child(callee, "object")) : undefined;
    if (called !== undefined && isFunction(called)) this.#arguments.set(called, children(node, "arguments").slice(1));
  }

  /** `(self.webpackChunkapp = self.webpackChunkapp || []).push([[ids], {modules}, runtime])` */
  #push(node: SyntaxNode, callee: SyntaxNode): void {
    const data = argumentAt(node, 0);
    if (data?.type !== "ArrayExpression" || children(node, "arguments").length !== 1) return;
    const [ids, table] = elements(data, "elements");
    const chunk = chunkIds(ids);
    if (chunk === undefined || !isRegistry(bare(child(callee, "object")))) return;
    if (tableRows(bare(table), 3) === undefined && !isEmpty(table)) return;
    this.chunks.push({ bundler: "webpack", ids: chunk, start: node.start, end: node.end, basis: "webpack-chunk-push" });
    this.#take(bare(table), "webpack-chunk-modules");
  }

  /** `exports.ids = [1]; exports.modules = {…}` of chunks for Node. */
  #assignment(node: SyntaxNode): void {
    const target = child(node, "left");
    if (target?.type !== "MemberExpression" || bare(child(target, "object"))?.type !== "Identifier") return;
    const name = memberName(target);
    const value = bare(child(node, "right"));
    if (name === "ids") this.#ids = chunkIds(value) ?? this.#ids;
    else if (name === "modules" && this.#ids.length > 0) this.#exported(node, value);
  }

  /** `const __webpack_ids__ = [1]; const __webpack_modules__ = {…}` of module chunks. */
  #declarator(node: SyntaxNode): void {
    const name = nameOf(child(node, "id"));
    const value = bare(child(node, "init"));
    if (name === "__webpack_ids__" || name === "__rspack_esm_ids") this.#ids = chunkIds(value) ?? this.#ids;
    else if (name === "__webpack_modules__" || name === "__rspack_modules") {
      if (this.#ids.length > 0) this.#exported(node, value);
      else this.#take(value, "webpack-modules");
    }
  }

  #exported(node: SyntaxNode, table: SyntaxNode | undefined): void {
    if (tableRows(table, 3) === undefined) return;
    this.chunks.push({ bundler: "webpack", ids: this.#ids, start: node.start, end: node.end, basis: "webpack-chunk-exports" });
    this.#ids = [];
    this.#take(table, "webpack-chunk-modules");
  }

  #take(table: SyntaxNode | undefined, basis: string): void {
    if (table === undefined || this.#tables.has(table)) return;
    this.#tables.add(table);
    for (const row of tableRows(table, 3) ?? []) this.modules.push(moduleOf(row, { bundler: "webpack", requires, basis }));
  }
}

/** The name of the table in `t[id](m, m.exports, r)` and `t[id].call(m.exports, m, m.exports, r)`. */
function factoryTable(node: SyntaxNode, callee: SyntaxNode): string | undefined {
  const list = children(node, "arguments");
  if (list.length === 3 && callee["computed"] === true && isExportsOf(list[1], list[0])) return nameOf(child(callee, "object"));
  if (list.length !== 4 || memberName(callee) !== "call" || !isExportsOf(list[0], list[1]) || !isExportsOf(list[2], list[1])) return undefined;
  const factory = bare(child(callee, "object"));
  return factory?.type === "MemberExpression" && factory["computed"] === true ? nameOf(child(factory, "object")) : undefined;
}

function isExportsOf(access: SyntaxNode | undefined, owner: SyntaxNode | undefined): boolean {
  if (access?.type !== "MemberExpression" || memberName(access) !== "exports") return false;
  const name = nameOf(owner);
  return name !== undefined && nameOf(child(access, "object")) === name;
}

function chunkIds(list: SyntaxNode | undefined): readonly string[] | undefined {
  if (list?.type !== "ArrayExpression") return undefined;
  const ids = children(list, "elements").map((id) => keyValue(id));
  return ids.length === 0 || ids.includes(undefined) ? undefined : ids.flatMap((id) => id ?? []);
}

/** `x.y = x.y || []`, `x.y || (x.y = [])`, the same with a condition, or a name that says it. */
function isRegistry(node: SyntaxNode | undefined): boolean {
  if (node === undefined) return false;
  if (node.type === "AssignmentExpression") return bare(child(node, "right"))?.type === "LogicalExpression" || text(node, "operator") === "||=";
  if (node.type === "LogicalExpression") return true;
  // `Array.isArray(x.y) ? x.y : x.y = []`
  if (node.type === "ConditionalExpression") return bare(child(node, "alternate"))?.type === "AssignmentExpression";
  const name = node.type === "MemberExpression" ? memberName(node) : nameOf(node);
  return name !== undefined && /^(?:webpackChunk|webpackJsonp|rspackChunk)/u.test(name);
}

function isEmpty(table: SyntaxNode | undefined): boolean {
  return (table?.type === "ObjectExpression" && children(table, "properties").length === 0) || (table?.type === "ArrayExpression" && children(table, "elements").length === 0);
}
