import { argumentAt, bare, child, children, memberName, nameOf, propertyOf, quasiText, stringValue, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { partialText } from "./constant.js";
import { spanOf, type Detector, type FileView, type Sight } from "./detector.js";
import type { EndpointFact } from "./fact.js";
import { withoutGlobalObject } from "./origin.js";

const url = /^(?:https?|wss?|ftp):\/\/[\w.{}[\]@:%$-]+/iu;
const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete", "head", "options", "request"]);
const clients = /^(?:axios|ky|got|superagent|needle|undici|node-fetch|cross-fetch|ofetch|\$http|request|http|https|node:http|node:https|electron)$/u;
/** Names inside documents and formats, which nobody connects to. */
const vocabulary = /^https?:\/\/(?:www\.)?(?:w3\.org|json-schema\.org|schemas\.|ns\.adobe\.com|purl\.org|xmlns\.|schema\.org|openxmlformats\.org)/iu;

/** Addresses that code connects to: calls that connect, and addresses written out. */
export class Endpoints implements Detector {
  readonly types = ["CallExpression", "NewExpression", "Literal", "TemplateLiteral"];
  readonly found: EndpointFact[] = [];
  readonly #view: FileView;
  /** Arguments that a call already told of. */
  readonly #told = new Set<SyntaxNode>();

  constructor(view: FileView) {
    this.#view = view;
  }

  see(node: SyntaxNode, { scope, ancestors }: Sight): void {
    if (node.type === "CallExpression") this.#call(node, scope);
    else if (node.type === "NewExpression") this.#construct(node, scope);
    else if (!this.#told.has(node) && !isDocumentation(ancestors.at(-1))) this.#written(node);
  }

  #call(node: SyntaxNode, scope: Scope): void {
    const callee = bare(child(node, "callee"));
    const first = argumentAt(node, 0);
    if (callee === undefined || first === undefined) return;
    const name = callee.type === "MemberExpression" ? memberName(callee) : nameOf(callee);
    if (name === "open" && callee.type === "MemberExpression") this.#xhr(node, scope);
    else if (name === "ajax") this.#options(first, scope);
    else if (name === "fetch" && this.#isFetch(callee, scope)) this.#add(first, scope, { basis: "fetch-call", method: methodOf(argumentAt(node, 1)) });
    else if (name === "sendBeacon") this.#add(first, scope, { basis: "beacon-call", method: "POST" });
    else if (name !== undefined && this.#isClient(callee, scope)) {
      const method = methods.has(name) && name !== "request" ? name.toUpperCase() : null;
      if (bare(first)?.type === "ObjectExpression") this.#options(first, scope);
      else this.#add(first, scope, { basis: "http-client-call", method });
    }
  }

  #construct(node: SyntaxNode, scope: Scope): void {
    const callee = bare(child(node, "callee"));
    const first = argumentAt(node, 0);
    const name = callee?.type === "MemberExpression" ? memberName(callee) : nameOf(callee);
    if (first === undefined || name === undefined) return;
    if (name === "EventSource") this.#add(first, scope, { basis: "event-source", method: "GET" });
    else if (name === "WebSocket" || this.#view.origins.of(callee, scope)?.module === "ws") this.#add(first, scope, { basis: "web-socket", method: null });
  }

  #xhr(node: SyntaxNode, scope: Scope): void {
    const method = stringValue(argumentAt(node, 0));
    const target = argumentAt(node, 1);
    if (method === undefined || target === undefined || !methods.has(method.toLowerCase())) return;
    this.#add(target, scope, { basis: "xml-http-request", method: method.toUpperCase() });
  }

  #options(given: SyntaxNode, scope: Scope): void {
    const object = bare(given);
    const target = propertyOf(object, "url");
    if (target !== undefined) this.#add(target, scope, { basis: "request-options", method: stringValue(propertyOf(object, "method"))?.toUpperCase() ?? null });
  }

  #isFetch(callee: SyntaxNode, scope: Scope): boolean {
    const origin = this.#view.origins.of(callee, scope);
    if (origin === undefined) return false;
    if (origin.module === null) return withoutGlobalObject(origin.path).join(".") === "fetch";
    return clients.test(origin.module);
  }

  #isClient(callee: SyntaxNode, scope: Scope): boolean {
    const origin = this.#view.origins.of(callee, scope);
    if (origin === undefined) return false;
    const last = origin.path.at(-1) ?? "";
    if (origin.module === null) return (origin.path[0] === "axios" || origin.path[0] === "$") && methods.has(last);
    if (origin.module === "electron") return origin.path[0] === "net" && (last === "request" || last === "fetch");
    return clients.test(origin.module) && (origin.path.length === 0 || methods.has(last));
  }

  #add(target: SyntaxNode, scope: Scope, { basis, method }: { readonly basis: string; readonly method: string | null }): void {
    const found = partialText(target, scope);
    if (found === undefined || !isAddress(found.value)) return;
    const inner = bare(target);
    if (inner !== undefined) this.#tell(inner);
    if (!this.#view.admit()) return;
    this.found.push({ value: found.value, method, basis, confidence: found.isDynamic ? "inferred" : "observed", at: spanOf(target) });
  }

  /** The pieces of a told address are not told again. */
  #tell(node: SyntaxNode): void {
    const stack = [node];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      this.#told.add(next);
      for (const key of ["left", "right"]) {
        const below = child(next, key);
        if (below !== undefined) stack.push(below);
      }
      stack.push(...children(next, "expressions"));
    }
  }

  #written(node: SyntaxNode): void {
    const value = node.type === "Literal" ? node["value"] : templateStart(node);
    if (typeof value !== "string" || !url.test(value) || vocabulary.test(value) || value.length > 4096 || /\s/u.test(value)) return;
    if (!this.#view.admit()) return;
    const isDynamic = node.type === "TemplateLiteral" && children(node, "expressions").length > 0;
    this.found.push({ value, method: null, basis: "url-literal", confidence: isDynamic ? "inferred" : "observed", at: spanOf(node) });
  }
}

function templateStart(node: SyntaxNode): string {
  return children(node, "quasis").map((quasi) => quasiText(quasi) ?? "").join("{}");
}

/** A call's argument counts as an address when it is one or a path. */
function isAddress(value: string): boolean {
  if (value.length === 0 || value.length > 4096 || /[\s<>]/u.test(value)) return false;
  return url.test(value) || /^\{\}\/[\w{]/u.test(value) || /^\.{0,2}\/(?:[\w{[:.@~-]|$)/u.test(value) || /^[\w-]+\/[\w{-]/u.test(value);
}

/** Addresses in error texts, directives and key positions are words about something. */
function isDocumentation(parent: SyntaxNode | undefined): boolean {
  return parent?.type === "ImportDeclaration" || parent?.type === "ExportNamedDeclaration" || parent?.type === "ExportAllDeclaration" || parent?.type === "JSXAttribute";
}

function methodOf(options: SyntaxNode | undefined): string | null {
  return stringValue(propertyOf(bare(options), "method"))?.toUpperCase() ?? null;
}
