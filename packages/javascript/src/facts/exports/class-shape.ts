import { child, children, propertyKey, text, type SyntaxNode } from "../../syntax/node.js";
import type { Scope } from "../../syntax/scope.js";
import { pointerPart, valueShape, type ValueShape } from "../value-shape.js";

const mostMembers = 100;

/**
 * A class by places: `/static/x` for what it has itself, `/prototype/x` for methods and accessors, `/instance/x` for fields.
 * Members that another class, a constructor or computed names may add leave the place above them open (`object+`).
 */
export function classShape(node: SyntaxNode, scope: Scope): ValueShape {
  const places = new Map<string, string>([["", "class"]]);
  const hasBase = child(node, "superClass") !== undefined;
  const open = { static: hasBase, prototype: hasBase, instance: hasBase };
  for (const member of children(child(node, "body") ?? node, "body").slice(0, mostMembers + 1)) {
    const isStatic = member["static"] === true;
    const isMethod = member.type === "MethodDefinition";
    if (isMethod && text(member, "kind") === "constructor") open.instance = true;
    else if (isMethod || member.type === "PropertyDefinition") {
      const place = isStatic ? "static" : isMethod ? "prototype" : "instance";
      const key = keyOf(member);
      if (key === undefined || places.size >= mostMembers) open[place] = true;
      else if (key !== null) places.set(`/${place}/${pointerPart(key)}`, tokenOf(member, scope));
    } else if (member.type === "StaticBlock") open.static = true;
  }
  for (const place of ["static", "prototype", "instance"] as const) places.set(`/${place}`, open[place] ? "object+" : "object");
  return [...places].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Null for private members, which nobody outside sees. */
function keyOf(member: SyntaxNode): string | null | undefined {
  const type = child(member, "key")?.type;
  return type === "PrivateIdentifier" || type === "PrivateName" ? null : propertyKey(member);
}

function tokenOf(member: SyntaxNode, scope: Scope): string {
  if (member.type === "MethodDefinition") return text(member, "kind") === "method" ? "function" : "unknown";
  const value = child(member, "value");
  return value === undefined ? "unknown" : (valueShape(value, scope)[0]?.[1] ?? "unknown");
}
