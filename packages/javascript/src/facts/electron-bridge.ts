import { argumentAt, bare, child, children, propertyKey, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { constantText, objectOf } from "./constant.js";
import { spanOf, type Detector, type FileView, type Sight } from "./detector.js";
import type { BridgeFact } from "./electron-fact.js";
import { electronName } from "./electron-origin.js";

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
    const api = objectOf(argumentAt(node, first + 1), scope);
    this.found.push({
      key: constantText(argumentAt(node, first), scope) ?? null,
      members: api === undefined ? [] : membersOf(api, scope),
      isOpen: api === undefined || children(api, "properties").some(({ type }) => type === "SpreadElement"),
      basis: "context-bridge",
      confidence: name.confidence,
      at: spanOf(node),
    });
  }
}

/** Functions and values by their path of keys; objects are gone through. */
function membersOf(api: SyntaxNode, scope: Scope): BridgeFact["members"] {
  const found: BridgeFact["members"][number][] = [];
  const visit = (object: SyntaxNode, prefix: string, depth: number): void => {
    for (const property of children(object, "properties")) {
      const key = property.type === "Property" ? propertyKey(property) : undefined;
      const value = child(property, "value");
      if (key === undefined || value === undefined || found.length >= mostMembers) continue;
      const inner = depth < deepest ? objectOf(value, scope) : undefined;
      if (inner === undefined) found.push({ name: prefix + key, at: spanOf(property) });
      else visit(inner, `${prefix}${key}.`, depth + 1);
    }
  };
  visit(api, "", 0);
  return found;
}
