import { argumentAt, bare, child, children, memberName, nameOf, propertyKey, propertyOf, stringValue, text, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { constantText } from "./constant.js";
import { spanOf, type Detector, type FileView, type Sight } from "./detector.js";
import type { EnvironmentFact, StorageFact } from "./fact.js";
import { withoutGlobalObject } from "./origin.js";
import { pathText } from "./path-text.js";

const areas: ReadonlyMap<string, StorageFact["area"]> = new Map([
  ["localStorage", "local-storage"],
  ["sessionStorage", "session-storage"],
]);
const operations: ReadonlyMap<string, StorageFact["operation"]> = new Map([
  ["getItem", "read"],
  ["setItem", "write"],
  ["removeItem", "remove"],
  ["clear", "remove"],
]);
const fileCalls: ReadonlyMap<string, StorageFact["operation"]> = new Map([
  ["writeFile", "write"],
  ["writeFileSync", "write"],
  ["appendFile", "write"],
  ["appendFileSync", "write"],
  ["createWriteStream", "write"],
  ["readFile", "read"],
  ["readFileSync", "read"],
  ["createReadStream", "read"],
  ["unlink", "remove"],
  ["unlinkSync", "remove"],
]);
const fileModules = /^(?:node:)?fs(?:\/promises)?$|^(?:fs-extra|original-fs|graceful-fs)$/u;
const databases: ReadonlyMap<string, StorageFact["area"]> = new Map([
  ["electron-store", "electron-store"],
  ["conf", "electron-store"],
  ["better-sqlite3", "sqlite"],
  ["sqlite3", "sqlite"],
  ["dexie", "indexed-db"],
]);

/** Where an application keeps what it knows. */
export class Storage implements Detector {
  readonly types = ["CallExpression", "NewExpression", "MemberExpression"];
  readonly found: StorageFact[] = [];
  readonly #view: FileView;

  constructor(view: FileView) {
    this.#view = view;
  }

  see(node: SyntaxNode, { scope, ancestors }: Sight): void {
    if (node.type === "CallExpression") this.#call(node, scope);
    else if (node.type === "NewExpression") this.#construct(node, scope);
    else this.#member(node, scope, ancestors.at(-1));
  }

  #call(node: SyntaxNode, scope: Scope): void {
    const callee = bare(child(node, "callee"));
    if (callee?.type !== "MemberExpression") return;
    const name = memberName(callee) ?? "";
    const operation = operations.get(name);
    if (operation !== undefined) {
      const area = areas.get(this.#global(child(callee, "object"), scope) ?? "");
      if (area !== undefined) this.#add(node, { area, operation, key: constantText(argumentAt(node, 0), scope) ?? null });
      return;
    }
    if (name === "open") this.#opened(node, callee, scope);
    else if (fileCalls.has(name) || name === "encryptString" || name === "decryptString") this.#file(node, callee, { name, scope });
  }

  #opened(node: SyntaxNode, callee: SyntaxNode, scope: Scope): void {
    const owner = this.#global(child(callee, "object"), scope);
    const area = owner === "indexedDB" ? "indexed-db" : owner === "caches" ? "cache-storage" : undefined;
    if (area !== undefined) this.#add(node, { area, operation: "open", key: constantText(argumentAt(node, 0), scope) ?? null });
  }

  #file(node: SyntaxNode, callee: SyntaxNode, { name, scope }: { readonly name: string; readonly scope: Scope }): void {
    const origin = this.#view.origins.of(callee, scope);
    if (origin?.module === undefined || origin.module === null) return;
    if (origin.module === "electron") {
      if (origin.path[0] === "safeStorage") this.#add(node, { area: "safe-storage", operation: name === "encryptString" ? "write" : "read", key: null });
      return;
    }
    const operation = fileCalls.get(name);
    if (operation === undefined || !fileModules.test(origin.module)) return;
    const path = pathText(argumentAt(node, 0), scope, this.#view.origins);
    if (path !== undefined) this.#add(node, { area: "file", operation, key: path.base === "none" ? path.path : `<${path.base}>/${path.path.replace(/^\.\//u, "")}` });
  }

  #construct(node: SyntaxNode, scope: Scope): void {
    const origin = this.#view.origins.of(child(node, "callee"), scope);
    const area = origin?.module === undefined || origin.module === null ? undefined : databases.get(origin.module);
    if (area === undefined) return;
    const first = bare(argumentAt(node, 0));
    this.#add(node, { area, operation: "open", key: constantText(first, scope) ?? stringValue(propertyOf(first, "name")) ?? null });
  }

  /** `localStorage.name`, `document.cookie` */
  #member(node: SyntaxNode, scope: Scope, parent: SyntaxNode | undefined): void {
    const name = memberName(node);
    if (name === undefined) return;
    const isWritten = parent?.type === "AssignmentExpression" && child(parent, "left") === node && text(parent, "operator") !== undefined;
    const operation = isWritten ? "write" : "read";
    if (name === "cookie") {
      if (this.#global(child(node, "object"), scope) === "document") this.#add(node, { area: "cookie", operation, key: null });
      return;
    }
    const object = nameOf(bare(child(node, "object")));
    const area = object === undefined ? undefined : areas.get(object);
    if (area === undefined || operations.has(name) || name === "length" || name === "key" || scope.resolve(object ?? "") !== undefined) return;
    this.#add(node, { area, operation, key: name });
  }

  /** The name of a global, however it is reached. */
  #global(node: SyntaxNode | undefined, scope: Scope): string | undefined {
    const origin = this.#view.origins.of(node, scope);
    return origin?.module === null ? withoutGlobalObject(origin.path).join(".") : undefined;
  }

  #add(node: SyntaxNode, given: Pick<StorageFact, "area" | "operation" | "key">): void {
    if ((given.key?.length ?? 0) > 1024 || !this.#view.admit()) return;
    this.found.push({ ...given, basis: "storage-access", confidence: "observed", at: spanOf(node) });
  }
}

/** What an application reads from its environment. */
export class Environment implements Detector {
  readonly types = ["MemberExpression", "VariableDeclarator"];
  readonly found: EnvironmentFact[] = [];
  readonly #view: FileView;

  constructor(view: FileView) {
    this.#view = view;
  }

  see(node: SyntaxNode, { scope }: Sight): void {
    if (node.type === "MemberExpression") this.#member(node, scope);
    else this.#destructured(node, scope);
  }

  #member(node: SyntaxNode, scope: Scope): void {
    const name = memberName(node);
    const object = bare(child(node, "object"));
    if (object === undefined) return;
    const source = this.#environment(object, scope);
    if (source !== undefined) this.#add(node, source, name ?? constantText(child(node, "property"), scope) ?? null);
    else if (name === "argv" && nameOf(object) === "process" && this.#view.origins.isGlobal(object, scope, "process")) this.#add(node, "argv", null);
  }

  /** `const {HOME} = process.env` */
  #destructured(node: SyntaxNode, scope: Scope): void {
    const pattern = child(node, "id");
    const value = bare(child(node, "init"));
    if (pattern?.type !== "ObjectPattern" || value === undefined) return;
    const source = this.#environment(value, scope);
    if (source === undefined) return;
    for (const property of children(pattern, "properties")) {
      const key = propertyKey(property);
      if (key !== undefined) this.#add(property, source, key);
    }
  }

  #environment(object: SyntaxNode, scope: Scope): "process-env" | "import-meta-env" | undefined {
    if (object.type !== "MemberExpression" || memberName(object) !== "env") return undefined;
    const owner = bare(child(object, "object"));
    if (owner?.type === "MetaProperty") return "import-meta-env";
    const origin = this.#view.origins.of(owner, scope);
    if (origin === undefined) return undefined;
    const isProcess = origin.module === null ? withoutGlobalObject(origin.path).join(".") === "process" : /^(?:node:)?process$/u.test(origin.module) && origin.path.length === 0;
    return isProcess ? "process-env" : undefined;
  }

  #add(node: SyntaxNode, source: EnvironmentFact["source"], name: string | null): void {
    if ((name?.length ?? 0) > 256 || !this.#view.admit()) return;
    this.found.push({ source, name, basis: "environment-read", confidence: "observed", at: spanOf(node) });
  }
}
