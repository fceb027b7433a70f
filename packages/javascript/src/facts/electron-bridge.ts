import { argumentAt, bare, child, children, isFunction, nameOf, propertyKey, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { constantNode, constantText, objectOf } from "./constant.js";
import { spanOf, type Detector, type FileView, type Sight } from "./detector.js";
import type { BridgeFact, BridgeMember, ModuleName } from "./electron-fact.js";
import { electronName } from "./electron-origin.js";
import type { Origins } from "./origin.js";

const mostMembers = 1000;
const deepest = 4;

/** APIs that preload scripts hand to pages. */
export class ElectronBridges implements Detector {
  readonly types = ["CallExpression"];
  readonly found: BridgeFact[] = [];
  readonly #view: FileView;

  constructor(view: FileView) {
    this.#view = view;
  }

  see(node: SyntaxNode, { scope }: Sight): void {
    const callee = bare(child(node, "callee"));
    if (callee === undefined) return;
    const name = electronName(callee, scope, this.#view.origins);
    const method = name?.path.join(".");
    if (name === undefined || (method !== "contextBridge.exposeInMainWorld" && method !== "contextBridge.exposeInIsolatedWorld") || !this.#view.admit()) return;
    const first = method.endsWith("IsolatedWorld") ? 1 : 0;
    const given = argumentAt(node, first + 1);
    const api = objectOf(given, scope);
    this.found.push({
      key: constantText(argumentAt(node, first), scope) ?? null,
      members: api === undefined ? [] : membersOf(api, scope, this.#view.origins),
      from: api === undefined ? moduleName(given, scope, this.#view.origins) : null,
      isOpen: api === undefined || children(api, "properties").some(({ type }) => type === "SpreadElement"),
      basis: "context-bridge",
      confidence: name.confidence,
      at: spanOf(node),
    });
  }
}

/** Functions and values by their path of keys; objects are gone through. */
function membersOf(api: SyntaxNode, scope: Scope, origins: Origins): readonly BridgeMember[] {
  const found: BridgeMember[] = [];
  const visit = (object: SyntaxNode, prefix: string, depth: number): void => {
    for (const property of children(object, "properties")) {
      const key = property.type === "Property" ? propertyKey(property) : undefined;
      const value = child(property, "value");
      if (key === undefined || value === undefined || found.length >= mostMembers) continue;
      const inner = depth < deepest ? objectOf(value, scope) : undefined;
      const body = functionOf(value, scope);
      if (inner !== undefined) visit(inner, `${prefix}${key}.`, depth + 1);
      else found.push({ name: prefix + key, at: spanOf(property), body: body === undefined ? null : spanOf(body), from: body === undefined ? moduleName(value, scope, origins) : null });
    }
  };
  visit(api, "", 0);
  return found;
}

/** The function that an expression is or names. */
function functionOf(given: SyntaxNode, scope: Scope): SyntaxNode | undefined {
  const node = bare(given);
  if (isFunction(node)) return node;
  const binding = scope.resolve(nameOf(node) ?? "");
  if (binding?.kind === "function" && binding.writes === 0) return isFunction(binding.declaration) ? binding.declaration : undefined;
  const value = bare(constantNode(node, scope)?.node);
  return isFunction(value) ? value : undefined;
}

function moduleName(node: SyntaxNode | undefined, scope: Scope, origins: Origins): ModuleName | null {
  const origin = origins.of(node, scope);
  return origin === undefined || origin.module === null ? null : { module: origin.module, path: origin.path };
}
