import { bare, child, children, elements, memberName, nameOf, stringValue, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";

export interface LoaderDependency {
  readonly specifier: string;
  /** Id of the module that asks; undefined for the file itself. */
  readonly from: string | undefined;
  readonly node: SyntaxNode;
  readonly basis: "amd-dependency" | "system-dependency";
}

/** What a factory is handed by AMD itself. */
const handed: ReadonlySet<string> = new Set(["require", "exports", "module"]);

/** Modules that `define(["./a"], …)` and `System.register(["./a"], …)` ask their loader for. */
export function loaderDependencies(call: SyntaxNode, scope: Scope): readonly LoaderDependency[] {
  const callee = bare(child(call, "callee"));
  const isDefine = nameOf(callee) === "define" && scope.resolve("define") === undefined;
  const isRegister = callee?.type === "MemberExpression" && memberName(callee) === "register" && nameOf(child(callee, "object")) === "System";
  if (!isDefine && !isRegister) return [];
  const list = children(call, "arguments").slice(0, 2).find(({ type }) => type === "ArrayExpression");
  const from = stringValue(children(call, "arguments")[0]);
  return (list === undefined ? [] : elements(list, "elements")).flatMap((node): readonly LoaderDependency[] => {
    const specifier = stringValue(node)?.replace(/^.*!/u, "");
    if (node === undefined || specifier === undefined || specifier === "" || handed.has(specifier)) return [];
    return [{ specifier, from, node, basis: isDefine ? "amd-dependency" : "system-dependency" }];
  });
}

/** The id that a dependency has beside the module that asks: `./b` of `lib/a` is `lib/b`. */
export function loaderId({ specifier, from }: LoaderDependency): string {
  if (!specifier.startsWith(".") || from === undefined) return specifier;
  const segments = from.split("/").slice(0, -1);
  for (const segment of specifier.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}
