import { bare, child, children, memberName, nameOf, propertyKey, stringValue, type SyntaxNode } from "../syntax/node.js";
import type { Detector, Sight } from "./detector.js";
import { constantText, objectOf } from "./constant.js";
import type { Scope } from "../syntax/scope.js";

const most = 500;

/** Texts that a module exports by name, `A.B` for properties: what other files' constants stand for. */
export class ExportedConstants implements Detector {
  readonly types = ["ExportNamedDeclaration", "ExportDefaultDeclaration", "AssignmentExpression", "TSEnumDeclaration"];
  readonly found = new Map<string, string>();


  see(node: SyntaxNode, { scope, ancestors }: Sight): void {
    if (node.type === "AssignmentExpression") this.#assigned(node, scope);
    else if (node.type === "ExportDefaultDeclaration") this.#value("", child(node, "declaration"), scope);
    else if (node.type === "TSEnumDeclaration") this.#enum(node, ancestors.at(-1));
    else this.#exported(node, scope);
  }

  #exported(node: SyntaxNode, scope: Scope): void {
    const declaration = child(node, "declaration");
    if (declaration?.type === "VariableDeclaration") {
      for (const one of children(declaration, "declarations")) {
        const name = nameOf(child(one, "id"));
        if (name !== undefined) this.#value(name, child(one, "init"), scope);
      }
    }
    if (child(node, "source") !== undefined) return;
    for (const one of children(node, "specifiers")) {
      const name = nameOf(child(one, "exported"));
      if (name !== undefined) this.#value(name, child(one, "local"), scope);
    }
  }

  /** `exports.A = …`, `module.exports = {…}` */
  #assigned(node: SyntaxNode, scope: Scope): void {
    const target = child(node, "left");
    if (target?.type !== "MemberExpression") return;
    const object = bare(child(target, "object"));
    const name = memberName(target);
    if (name === undefined) return;
    const isModule = nameOf(object) === "module" && name === "exports";
    const isExports = nameOf(object) === "exports" || (object?.type === "MemberExpression" && nameOf(child(object, "object")) === "module" && memberName(object) === "exports");
    if (isModule) this.#value("", child(node, "right"), scope);
    else if (isExports) this.#value(name, child(node, "right"), scope);
  }

  #enum(node: SyntaxNode, parent: SyntaxNode | undefined): void {
    const name = nameOf(child(node, "id"));
    if (name === undefined || parent?.type !== "ExportNamedDeclaration") return;
    const body = child(node, "body");
    for (const member of children(body ?? node, "members")) {
      const key = nameOf(child(member, "id")) ?? stringValue(child(member, "id"));
      const value = stringValue(child(member, "initializer"));
      if (key !== undefined && value !== undefined) this.#add(`${name}.${key}`, value);
    }
  }

  #value(name: string, value: SyntaxNode | undefined, scope: Scope, depth = 0): void {
    const text = constantText(value, scope);
    if (text !== undefined) this.#add(name, text);
    const object = depth < 3 && text === undefined ? objectOf(value, scope) : undefined;
    if (object === undefined) return;
    for (const property of children(object, "properties")) {
      const key = propertyKey(property);
      if (key !== undefined && this.found.size < most) this.#value(name === "" ? key : `${name}.${key}`, child(property, "value"), scope, depth + 1);
    }
  }

  #add(name: string, value: string): void {
    if (name !== "" && value.length <= 256 && this.found.size < most) this.found.set(name, value);
  }
}
