import type { JsonValue } from "@rea/core";
import { argumentAt, bare, child, children, elements, memberName, propertyKey, stringValue, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { constantNode, constantText, objectOf, partialText } from "./constant.js";
import { spanOf, type Detector, type FileView, type Sight } from "./detector.js";
import type { AskedPath, LoadFact, PreferenceFact, UtilityFact, WindowFact } from "./electron-fact.js";
import { electronName } from "./electron-origin.js";
import { pathText } from "./path-text.js";

const windowKinds = ["BrowserWindow", "BrowserView", "WebContentsView", "BaseWindow"] as const;

/** Windows and views, what they load, and utility processes. */
export class ElectronWindows implements Detector {
  readonly types = ["NewExpression", "CallExpression"];
  readonly windows: WindowFact[] = [];
  readonly loads: LoadFact[] = [];
  readonly utilities: UtilityFact[] = [];
  readonly sessionPreloads: AskedPath[] = [];
  readonly #view: FileView;

  constructor(view: FileView) {
    this.#view = view;
  }

  see(node: SyntaxNode, { scope }: Sight): void {
    if (node.type === "NewExpression") this.#window(node, scope);
    else this.#call(node, scope);
  }

  #window(node: SyntaxNode, scope: Scope): void {
    const name = electronName(child(node, "callee"), scope, this.#view.origins);
    const kind = windowKinds.find((one) => name?.path.length === 1 && name.path[0] === one);
    if (name === undefined || kind === undefined || !this.#view.admit()) return;
    const given = argumentAt(node, 0);
    const options = objectOf(given, scope);
    const preferences = this.#preferences(options, scope);
    this.windows.push({
      kind,
      options: given === undefined ? "missing" : options === undefined ? "dynamic" : "literal",
      preferences: preferences.filter(({ name: one }) => one !== "preload"),
      isOpen: options === undefined ? given !== undefined : hasSpread(options) || this.#hasOpenPreferences(options, scope),
      preload: this.#preload(options, scope),
      basis: "window-constructor",
      confidence: name.confidence,
      at: spanOf(node),
    });
  }

  #hasOpenPreferences(options: SyntaxNode, scope: Scope): boolean {
    const given = valueOf(options, "webPreferences");
    if (given === undefined) return false;
    const object = objectOf(given, scope);
    return object === undefined || hasSpread(object);
  }

  #preferences(options: SyntaxNode | undefined, scope: Scope): readonly PreferenceFact[] {
    const object = options === undefined ? undefined : objectOf(valueOf(options, "webPreferences"), scope);
    if (object === undefined) return [];
    return children(object, "properties").flatMap((property): readonly PreferenceFact[] => {
      const name = propertyKey(property);
      const value = child(property, "value");
      if (name === undefined || value === undefined) return [];
      const literal = literalValue(value, scope);
      return [{ name, value: literal ?? null, state: literal === undefined ? "dynamic" : "literal", at: spanOf(property) }];
    });
  }

  #preload(options: SyntaxNode | undefined, scope: Scope): AskedPath | null {
    const object = options === undefined ? undefined : objectOf(valueOf(options, "webPreferences"), scope);
    const value = object === undefined ? undefined : valueOf(object, "preload");
    return value === undefined ? null : { path: pathText(value, scope, this.#view.origins) ?? null, at: spanOf(value) };
  }

  #call(node: SyntaxNode, scope: Scope): void {
    const callee = bare(child(node, "callee"));
    if (callee?.type !== "MemberExpression") return;
    const name = memberName(callee);
    if (name === "loadURL" || name === "loadFile") this.#load(node, name, scope);
    else if (name === "fork" && electronName(callee, scope, this.#view.origins)?.path.join(".") === "utilityProcess.fork") this.#utility(node, scope);
    else if (name === "setPreloads") for (const one of elements(argumentAt(node, 0) ?? node, "elements")) this.#sessionPreload(one, scope);
    else if (name === "registerPreloadScript") this.#sessionPreload(valueOf(objectOf(argumentAt(node, 0), scope), "filePath"), scope);
  }

  #load(node: SyntaxNode, method: LoadFact["method"], scope: Scope): void {
    const argument = argumentAt(node, 0);
    const path = pathText(argument, scope, this.#view.origins) ?? null;
    const target = path?.path ?? partialText(argument, scope)?.value ?? null;
    if (argument === undefined || !this.#view.admit()) return;
    this.loads.push({ method, target, path, basis: "load-call", confidence: path === null ? "inferred" : "observed", at: spanOf(node) });
  }

  #utility(node: SyntaxNode, scope: Scope): void {
    const argument = argumentAt(node, 0);
    if (argument === undefined || !this.#view.admit()) return;
    this.utilities.push({ entry: pathText(argument, scope, this.#view.origins) ?? null, basis: "utility-fork", confidence: "observed", at: spanOf(node) });
  }

  #sessionPreload(value: SyntaxNode | undefined, scope: Scope): void {
    if (value !== undefined && this.#view.admit()) this.sessionPreloads.push({ path: pathText(value, scope, this.#view.origins) ?? null, at: spanOf(value) });
  }
}

/** The last property of a key wins, as it does when the literal is evaluated. */
function valueOf(object: SyntaxNode | undefined, key: string): SyntaxNode | undefined {
  if (object?.type !== "ObjectExpression") return undefined;
  const property = children(object, "properties").findLast((one) => one.type === "Property" && propertyKey(one) === key);
  return property === undefined ? undefined : child(property, "value");
}

function hasSpread(object: SyntaxNode): boolean {
  return children(object, "properties").some(({ type }) => type === "SpreadElement");
}

/** A literal as JSON: text, whole numbers, booleans and lists of them; undefined for anything else. */
function literalValue(given: SyntaxNode | undefined, scope: Scope, depth = 0): JsonValue | undefined {
  const node = bare(given);
  if (node === undefined || depth > 4) return undefined;
  const text = stringValue(node) ?? constantText(node, scope);
  if (text !== undefined) return text;
  if (node.type === "Literal") {
    const value = node["value"];
    if (typeof value === "boolean" || value === null) return value;
    return typeof value === "number" ? (Number.isSafeInteger(value) ? value : String(value)) : undefined;
  }
  // `!0` and `!1` are what minifiers write for true and false.
  if (node.type === "UnaryExpression" && node["operator"] === "!") {
    const inner = child(node, "argument")?.["value"];
    return inner === 0 ? true : inner === 1 ? false : undefined;
  }
  if (node.type === "ArrayExpression") {
    const items = elements(node, "elements").map((one) => literalValue(one, scope, depth + 1));
    return items.every((one) => one !== undefined) ? items : undefined;
  }
  const behind = constantNode(node, scope);
  return behind === undefined ? undefined : literalValue(behind.node, behind.scope, depth + 1);
}
