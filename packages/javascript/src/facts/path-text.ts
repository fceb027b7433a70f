import { argumentAt, bare, child, children, memberName, nameOf, quasiText, stringValue, text, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { constantText } from "./constant.js";
import type { Origins } from "./origin.js";

/** Where a path counts from. */
export type PathBase = "file" | "page" | "application" | "resources" | "user-data" | "module" | "none";

export interface PathText {
  readonly base: PathBase;
  /** With `/`; `.` segments are kept as written. */
  readonly path: string;
}

const deepest = 12;

/**
 * The path that an expression writes out: literals, `path.join(__dirname, …)`, `new URL("./x", import.meta.url)` and names
 * given such a value once. Undefined when a part is put in at run time.
 */
export function pathText(given: SyntaxNode | undefined, scope: Scope, origins: Origins, depth = 0): PathText | undefined {
  const node = bare(given);
  if (node === undefined || depth > deepest) return undefined;
  const constant = constantText(node, scope);
  if (constant !== undefined) return { base: "none", path: constant };
  const inner = (one: SyntaxNode | undefined): PathText | undefined => pathText(one, scope, origins, depth + 1);
  switch (node.type) {
    case "Identifier":
      return identifierPath(node, { scope, origins, depth });
    case "TemplateLiteral":
      return joined(templateParts(node, inner), "");
    case "BinaryExpression":
      return text(node, "operator") === "+" ? joined([inner(child(node, "left")), inner(child(node, "right"))], "") : undefined;
    case "MemberExpression":
      return memberPath(node, scope, origins);
    case "NewExpression":
      return urlPath(node, inner, scope);
    case "CallExpression":
      return callPath(node, { scope, origins, inner });
    default:
      return undefined;
  }
}

function identifierPath(node: SyntaxNode, { scope, origins, depth }: { readonly scope: Scope; readonly origins: Origins; readonly depth: number }): PathText | undefined {
  const name = nameOf(node) ?? "";
  const binding = scope.resolve(name);
  if (name === "__dirname" && (binding === undefined || binding.source !== undefined)) return { base: "file", path: "." };
  if (name === "__filename" && binding === undefined) return { base: "file", path: "./." };
  if (binding?.source === undefined || binding.source.path.length > 0 || binding.writes > 1 || binding.kind === "function") return undefined;
  return pathText(binding.source.value, binding.scope, origins, depth + 1);
}

function memberPath(node: SyntaxNode, scope: Scope, origins: Origins): PathText | undefined {
  const object = bare(child(node, "object"));
  const name = memberName(node);
  if (object?.type === "MetaProperty") return name === "url" || name === "dirname" || name === "filename" ? { base: "file", path: "." } : undefined;
  if (origins.isGlobal(node, scope, "process.resourcesPath")) return { base: "resources", path: "." };
  // `new URL(…).href`, `.pathname`
  if ((name === "href" || name === "pathname") && object !== undefined) return pathText(object, scope, origins, deepest - 2);
  return undefined;
}

/** `new URL("./x", import.meta.url)` */
function urlPath(node: SyntaxNode, inner: (one: SyntaxNode | undefined) => PathText | undefined, scope: Scope): PathText | undefined {
  if (nameOf(bare(child(node, "callee"))) !== "URL" || scope.resolve("URL") !== undefined) return undefined;
  const path = inner(argumentAt(node, 0));
  const base = bare(argumentAt(node, 1));
  if (path === undefined || base === undefined) return path;
  const isOwnUrl = base.type === "MemberExpression" && bare(child(base, "object"))?.type === "MetaProperty";
  const isPageUrl = base.type === "MemberExpression" && ["href", "location", "baseURI"].includes(memberName(base) ?? "");
  if (isOwnUrl) return { base: "file", path: path.path };
  return isPageUrl || nameOf(base) === "location" ? { base: "page", path: path.path } : undefined;
}

interface Calling {
  readonly scope: Scope;
  readonly origins: Origins;
  readonly inner: (one: SyntaxNode | undefined) => PathText | undefined;
}

function callPath(node: SyntaxNode, { scope, origins, inner }: Calling): PathText | undefined {
  const callee = bare(child(node, "callee"));
  const name = callee?.type === "MemberExpression" ? memberName(callee) : nameOf(callee);
  const list = children(node, "arguments");
  switch (name) {
    case "resolve":
      if (callee?.type === "MemberExpression" && nameOf(child(callee, "object")) === "require") return moduleRequest(node);
      return isPathModule(callee, scope, origins) ? joined(list.map(inner), "/") : undefined;
    case "join":
    case "normalize":
      return isPathModule(callee, scope, origins) ? joined(list.map(inner), "/") : undefined;
    case "toString":
      return callee?.type === "MemberExpression" ? inner(child(callee, "object")) : undefined;
    case "fileURLToPath":
    case "pathToFileURL":
    case "realpathSync":
    case "dirname":
      return inner(list[0]);
    case "getAppPath":
      return { base: "application", path: "." };
    case "getPath":
      return { base: "user-data", path: "." };
    default:
      return undefined;
  }
}

function isPathModule(callee: SyntaxNode | undefined, scope: Scope, origins: Origins): boolean {
  const module = origins.of(callee, scope)?.module;
  if (module !== null && module !== undefined) return /^(?:node:)?path(?:\/posix|\/win32)?$|^(?:pathe|upath)$/u.test(module);
  return callee?.type === "MemberExpression" && nameOf(child(callee, "object")) === "path";
}

function moduleRequest(node: SyntaxNode): PathText | undefined {
  const request = stringValue(argumentAt(node, 0));
  return request === undefined ? undefined : { base: "module", path: request };
}

function templateParts(node: SyntaxNode, inner: (one: SyntaxNode | undefined) => PathText | undefined): (PathText | undefined)[] {
  const holes = children(node, "expressions");
  return children(node, "quasis").flatMap((quasi, index): (PathText | undefined)[] => {
    const fixed: PathText = { base: "none", path: quasiText(quasi) ?? "" };
    return index < holes.length ? [fixed, inner(holes[index])] : [fixed];
  });
}

function joined(parts: readonly (PathText | undefined)[], separator: string): PathText | undefined {
  let base: PathBase = "none";
  const texts: string[] = [];
  for (const part of parts) {
    if (part === undefined) return undefined;
    if (part.base !== "none") base = part.base;
    if (part.path !== "") texts.push(part.path);
  }
  const path = texts.join(separator).replaceAll("\\", "/").replace(/^file:\/+/u, "");
  // `__dirname + "/x"`
  return { base, path: base === "none" ? path : path.replace(/^\.(?=[^./])/u, "./").replace(/\/{2,}/gu, "/") };
}
