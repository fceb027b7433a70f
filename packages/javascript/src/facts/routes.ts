import { argumentAt, bare, child, children, isFunction, memberName, nameOf, propertyKey, stringValue, type SyntaxNode } from "../syntax/node.js";
import { spanOf, type Detector, type FileView } from "./detector.js";
import type { RouteFact } from "./fact.js";

const routeKeys: ReadonlySet<string> = new Set(["component", "components", "element", "Component", "loadChildren", "loadComponent", "children", "redirect", "redirectTo", "lazy", "loader", "errorElement"]);
const verbs: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete", "all", "use", "options", "head", "route"]);
const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete", "options", "head"]);
/** They ask an address and are handed the answer in a function. */
const clients: ReadonlySet<string> = new Set(["$", "jQuery", "axios", "http", "https", "request", "superagent", "needle", "cy"]);
const jsxCalls: ReadonlySet<string> = new Set(["jsx", "jsxs", "jsxDEV", "createElement"]);
const navigation: ReadonlySet<string> = new Set(["navigate", "pushState", "replaceState", "navigateTo", "navigateByUrl"]);

/** Paths inside an application: route tables, server routes, route components, navigation. */
export class Routes implements Detector {
  readonly types = ["ObjectExpression", "CallExpression", "JSXOpeningElement"];
  readonly found: RouteFact[] = [];
  readonly #view: FileView;

  constructor(view: FileView) {
    this.#view = view;
  }

  see(node: SyntaxNode): void {
    if (node.type === "ObjectExpression") this.#record(node);
    else if (node.type === "CallExpression") this.#call(node);
    else this.#element(node);
  }

  /** `{path: "/x", component: X}` */
  #record(node: SyntaxNode): void {
    let path: SyntaxNode | undefined;
    let isRoute = false;
    for (const property of children(node, "properties")) {
      const key = propertyKey(property);
      if (key === "path") path = child(property, "value");
      else if (key !== undefined && routeKeys.has(key)) isRoute = true;
    }
    if (isRoute && path !== undefined) this.#add(path, "route-object", "observed");
  }

  #call(node: SyntaxNode): void {
    const callee = bare(child(node, "callee"));
    const name = callee?.type === "MemberExpression" ? memberName(callee) : nameOf(callee);
    if (name === undefined) return;
    if (callee?.type === "MemberExpression" && verbs.has(name) && !clients.has(nameOf(bare(child(callee, "object"))) ?? "")) this.#served(node, name);
    else if (jsxCalls.has(name)) this.#created(node);
    else if (navigation.has(name)) {
      const target = argumentAt(node, name.endsWith("State") ? 2 : 0);
      if (stringValue(target)?.startsWith("/") === true && target !== undefined) this.#add(target, "navigation", "inferred");
    }
  }

  /** `app.get("/x", handler)` */
  #served(node: SyntaxNode, verb: string): void {
    const list = children(node, "arguments");
    const [path, ...handlers] = list;
    if (path === undefined || handlers.length === 0 || stringValue(path)?.startsWith("/") !== true) return;
    if (isFunction(bare(handlers.at(-1)))) this.#add(path, "server-route", "observed", methods.has(verb) ? verb.toUpperCase() : null);
  }

  /** `jsx(Route, {path: "/x"})`; the component's name may be minified, so keys decide there. */
  #created(node: SyntaxNode): void {
    const component = bare(argumentAt(node, 0));
    const name = component?.type === "MemberExpression" ? memberName(component) : nameOf(component);
    const properties = argumentAt(node, 1);
    if (name === undefined || !/Route$/u.test(name) || properties?.type !== "ObjectExpression") return;
    const path = children(properties, "properties").find((one) => propertyKey(one) === "path");
    const isRecord = children(properties, "properties").some((one) => routeKeys.has(propertyKey(one) ?? ""));
    const value = path === undefined ? undefined : child(path, "value");
    if (value !== undefined && !isRecord) this.#add(value, "route-component", "observed");
  }

  #element(node: SyntaxNode): void {
    if (!/Route$/u.test(nameOf(child(node, "name")) ?? "")) return;
    for (const attribute of children(node, "attributes")) {
      const value = child(attribute, "value");
      if (nameOf(child(attribute, "name")) === "path" && value !== undefined) this.#add(value, "route-component", "observed");
    }
  }

  #add(node: SyntaxNode, basis: string, confidence: "observed" | "inferred", method: string | null = null): void {
    const value = stringValue(node.type === "JSXExpressionContainer" ? child(node, "expression") : node);
    if (value === undefined || value.length > 1024 || /[\s<>]/u.test(value)) return;
    if (this.#view.admit()) this.found.push({ value, method, basis, confidence, at: spanOf(node) });
  }
}
