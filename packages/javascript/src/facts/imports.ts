import type { Bundle } from "../parts/bundle.js";
import { argumentAt, bare, child, children, keyValue, memberName, nameOf, stringValue, text, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { partialText } from "./constant.js";
import { spanOf, type Detector, type FileView, type Sight } from "./detector.js";
import type { ImportFact, ImportKind, ModuleRequest } from "./fact.js";
import { loaderDependencies, loaderId, type LoaderDependency } from "./loader-dependencies.js";
import { isRequire } from "./origin.js";
import { pathText } from "./path-text.js";

const forkers = /^(?:node:)?child_process$/u;

/** What a file asks for: other files, by every means the language and its hosts have, and modules of its own bundle. */
export class Imports implements Detector {
  readonly types = ["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration", "TSImportEqualsDeclaration", "ImportExpression", "CallExpression", "NewExpression"];
  readonly found: ImportFact[] = [];
  /** Requests of bundled modules for one another. */
  readonly inside: ModuleRequest[] = [];
  readonly #view: FileView;
  readonly #bundle: Bundle;

  constructor(view: FileView, bundle: Bundle) {
    this.#view = view;
    this.#bundle = bundle;
  }

  see(node: SyntaxNode, { scope }: Sight): void {
    switch (node.type) {
      case "ImportDeclaration":
        this.#declared(node, "import");
        return;
      case "ExportNamedDeclaration":
      case "ExportAllDeclaration":
        this.#declared(node, "export-from");
        return;
      case "TSImportEqualsDeclaration":
        this.#equals(node);
        return;
      case "ImportExpression":
        this.#dynamic(child(node, "source"), node, scope);
        return;
      case "NewExpression":
        this.#construct(node, scope);
        return;
      default:
        this.#call(node, scope);
    }
  }

  #declared(node: SyntaxNode, kind: ImportKind): void {
    const source = child(node, "source");
    const specifier = stringValue(source);
    if (specifier === undefined || source === undefined) return;
    const isType = text(node, "importKind") === "type" || text(node, "exportKind") === "type";
    this.#add(source, { kind, specifier, basis: isType ? "type-only" : "declaration" });
  }

  #equals(node: SyntaxNode): void {
    const reference = child(node, "moduleReference");
    const source = reference?.type === "TSExternalModuleReference" ? child(reference, "expression") : undefined;
    const specifier = stringValue(source);
    if (specifier !== undefined && source !== undefined) this.#add(source, { kind: "require", specifier, basis: "import-equals" });
  }

  #dynamic(source: SyntaxNode | undefined, node: SyntaxNode, scope: Scope): void {
    if (source === undefined) return;
    const path = pathText(source, scope, this.#view.origins);
    if (path !== undefined) this.#add(source, { kind: "dynamic-import", specifier: relative(path), basis: "import-call" });
    else this.#add(node, { kind: "dynamic-import", specifier: null, pattern: partialText(source, scope)?.value ?? null, basis: "import-call" });
  }

  #call(node: SyntaxNode, scope: Scope): void {
    const callee = bare(child(node, "callee"));
    if (callee === undefined) return;
    if (callee.type === "Import") this.#dynamic(argumentAt(node, 0), node, scope);
    else if (isRequire(callee, scope)) this.#required(node, "require", scope);
    else if (callee.type === "MemberExpression") this.#method(node, callee, scope);
    else if (nameOf(callee) === "importScripts" && scope.resolve("importScripts") === undefined) this.#scripts(node, scope);
    else this.#named(node, callee, scope);
    for (const dependency of loaderDependencies(node, scope)) this.#loaded(dependency);
    const asked = this.#bundle.requestedId(node, scope);
    if (asked !== undefined) this.inside.push({ id: asked.id, kind: "import", at: spanOf(node) });
  }

  /** Of a module that the file defines by name, or of another file. */
  #loaded(dependency: LoaderDependency): void {
    const { specifier, node, basis } = dependency;
    const id = loaderId(dependency);
    if (this.#bundle.modules.some((module) => (module.bundler === "amd" || module.bundler === "systemjs") && module.id === id)) this.inside.push({ id, kind: "import", at: spanOf(node) });
    else this.#add(node, { kind: "require", specifier, basis });
  }

  #named(node: SyntaxNode, callee: SyntaxNode, scope: Scope): void {
    const origin = this.#view.origins.of(callee, scope);
    if (origin === undefined || origin.module === null) return;
    const module = origin.module;
    if (module === "bindings" && origin.path.length === 0) this.#addon(node, stringValue(argumentAt(node, 0)), "bindings-call");
    else if ((module === "node-gyp-build" || module === "prebuildify" || module === "@mapbox/node-pre-gyp") && origin.path.length === 0) this.#addon(node, undefined, "gyp-build-call");
    else if (forkers.test(module) && origin.path.join(".") === "fork") this.#path(node, argumentAt(node, 0), { kind: "child-script", basis: "fork-call" }, scope);
  }

  #required(node: SyntaxNode, kind: "require" | "require-resolve", scope: Scope): void {
    const source = argumentAt(node, 0);
    if (source === undefined) return;
    const path = pathText(source, scope, this.#view.origins);
    const basis = kind === "require" ? "require-call" : "resolve-call";
    if (path === undefined) this.#add(node, { kind, specifier: null, pattern: partialText(source, scope)?.value ?? null, basis });
    else if (path.path.endsWith(".node")) this.#addon(source, relative(path), basis);
    else this.#add(source, { kind, specifier: relative(path), basis });
  }

  #method(node: SyntaxNode, callee: SyntaxNode, scope: Scope): void {
    const object = bare(child(callee, "object"));
    const name = memberName(callee);
    if (object === undefined || name === undefined) return;
    if (name === "resolve" && (isRequire(object, scope) || object.type === "MetaProperty")) this.#required(node, "require-resolve", scope);
    else if (name === "context" && isRequire(object, scope)) this.#glob(node, "require-context");
    else if ((name === "glob" || name === "globEager") && object.type === "MetaProperty") this.#glob(node, "glob-call");
    else this.#hosted(node, callee, { name, object, scope });
  }

  /** What browsers, Node and bundlers load by a method. */
  #hosted(node: SyntaxNode, callee: SyntaxNode, { name, object, scope }: { readonly name: string; readonly object: SyntaxNode; readonly scope: Scope }): void {
    if (name === "register" && object.type === "MemberExpression" && memberName(object) === "serviceWorker") this.#path(node, argumentAt(node, 0), { kind: "service-worker", basis: "service-worker-register" }, scope);
    else if (name === "addModule") this.#path(node, argumentAt(node, 0), { kind: "worklet", basis: "worklet-module" }, scope);
    else if (name === "dlopen") this.#addon(node, pathOf(pathText(argumentAt(node, 1), scope, this.#view.origins)), "dlopen-call");
    else if (name === "fork") this.#forked(node, callee, scope);
    else if (name === "e" && argumentAt(node, 0) !== undefined) this.#chunk(node, object, scope);
  }

  /** `n.e(12)`: webpack loads a chunk. */
  #chunk(node: SyntaxNode, object: SyntaxNode, scope: Scope): void {
    const id = keyValue(argumentAt(node, 0));
    if (id !== undefined && this.#bundle.chunkFrom(object, scope) !== undefined) this.inside.push({ id, kind: "chunk", at: spanOf(node) });
  }

  #forked(node: SyntaxNode, callee: SyntaxNode, scope: Scope): void {
    const origin = this.#view.origins.of(callee, scope);
    if (origin?.module !== undefined && origin.module !== null && forkers.test(origin.module)) this.#path(node, argumentAt(node, 0), { kind: "child-script", basis: "fork-call" }, scope);
  }

  #scripts(node: SyntaxNode, scope: Scope): void {
    for (const argument of children(node, "arguments")) this.#path(argument, argument, { kind: "import-scripts", basis: "import-scripts" }, scope);
  }

  #construct(node: SyntaxNode, scope: Scope): void {
    const callee = bare(child(node, "callee"));
    const name = callee?.type === "MemberExpression" ? memberName(callee) : nameOf(callee);
    const first = argumentAt(node, 0);
    if (first === undefined) return;
    if (name === "Worker" || this.#isWorker(callee, scope)) this.#path(node, first, { kind: "worker", basis: "worker-constructor" }, scope);
    else if (name === "SharedWorker") this.#path(node, first, { kind: "shared-worker", basis: "worker-constructor" }, scope);
    else if (name === "URL") {
      const path = pathText(node, scope, this.#view.origins);
      if (path?.base === "file") this.#add(first, { kind: "url", specifier: relative(path), basis: "module-url" });
    }
  }

  #isWorker(callee: SyntaxNode | undefined, scope: Scope): boolean {
    const origin = this.#view.origins.of(callee, scope);
    return origin?.module === "worker_threads" || origin?.module === "node:worker_threads";
  }

  #glob(node: SyntaxNode, basis: string): void {
    const pattern = stringValue(argumentAt(node, 0)) ?? null;
    this.#add(node, { kind: "glob", specifier: null, pattern, basis });
  }

  #path(node: SyntaxNode, source: SyntaxNode | undefined, how: { readonly kind: ImportKind; readonly basis: string }, scope: Scope): void {
    const path = source === undefined ? undefined : pathText(source, scope, this.#view.origins);
    if (path === undefined) this.#add(node, { ...how, specifier: null, pattern: partialText(source, scope)?.value ?? null });
    else if (how.kind === "child-script" || path.base === "file" || path.base === "module") this.#add(node, { ...how, specifier: relative(path) });
    else this.#add(node, { ...how, specifier: path.path, base: "page" });
  }

  #addon(node: SyntaxNode, specifier: string | undefined, basis: string): void {
    this.#add(node, { kind: "native-addon", specifier: specifier ?? null, basis });
  }

  #add(node: SyntaxNode, given: Pick<ImportFact, "kind" | "specifier" | "basis"> & Partial<ImportFact>): void {
    if (given.specifier !== null && given.specifier.length > 4096) return;
    if (this.#view.admit()) this.found.push({ pattern: null, base: "file", confidence: "observed", at: spanOf(node), ...given });
  }
}

function pathOf(path: ReturnType<typeof pathText>): string | undefined {
  return path === undefined ? undefined : relative(path);
}

/** Paths from the file's directory as specifiers. */
function relative({ base, path }: { readonly base: string; readonly path: string }): string {
  if (base !== "file") return path;
  return path.startsWith("./") || path.startsWith("../") || path === "." ? path : `./${path}`;
}
