import type { SyntaxNode } from "../syntax/node.js";
import type { CallSites, MethodCall } from "./call-sites.js";
import type { SemanticTable } from "./semantic-table.js";

interface Method {
  readonly node: number;
  readonly owner: SyntaxNode | undefined;
}

const mostCandidates = 4;

/** Names that every object of the language has: a method of the file that is called like them says nothing. */
const common: ReadonlySet<string> = new Set([
  "push", "pop", "shift", "unshift", "slice", "splice", "concat", "join", "map", "filter", "forEach", "reduce", "some", "every", "find", "findIndex", "includes", "indexOf", "sort", "reverse", "keys", "values",
  "entries", "get", "set", "has", "add", "delete", "clear", "call", "apply", "bind", "toString", "valueOf", "then", "catch", "finally", "replace", "split", "trim", "match", "test", "exec", "next", "return", "throw",
  "constructor", "hasOwnProperty", "charCodeAt", "charAt", "substring", "substr", "toLowerCase", "toUpperCase", "startsWith", "endsWith", "fill", "flat", "flatMap", "at", "from", "of", "assign", "on", "emit",
]);

/** Methods of a file by name and by the module of its bundle: what calls with an unknown object may lead to. */
export class MethodNames {
  readonly #byName = new Map<string, Method[]>();

  /** Remembers a function that is the method of a class or of an object. */
  define(parent: SyntaxNode | undefined, method: Method & { readonly name: string; readonly module: number }): void {
    const isMember = parent?.type === "MethodDefinition" || parent?.type === "Property" || parent?.type === "PropertyDefinition" || parent?.type === "AssignmentExpression";
    if (!isMember || method.node < 0) return;
    const key = keyOf(method);
    const list = this.#byName.get(key) ?? [];
    this.#byName.set(key, list);
    list.push(method);
  }

  /** Ties the calls that wait for the names of the whole file. */
  resolve(calls: CallSites, table: SemanticTable): void {
    for (const call of calls.methods) this.#tie(call, calls, table);
  }

  #tie({ call, name, owner, module, arguments: given }: MethodCall, calls: CallSites, table: SemanticTable): void {
    const candidates = this.#byName.get(keyOf({ module, name })) ?? [];
    const own = owner === undefined ? [] : candidates.filter((one) => one.owner === owner);
    if (own.length === 1 && own[0] !== undefined) {
      calls.tie(call, own[0].node, { given, surety: { certainty: "high", reason: "A method of the same class or object of this name." } });
      return;
    }
    if (common.has(name) || candidates.length === 0) {
      table.tell(call, "unresolved", "The object is not known.");
      return;
    }
    const [only] = candidates;
    if (candidates.length === 1 && only !== undefined) {
      calls.tie(call, only.node, { given, surety: { certainty: "low", reason: "Recognised by the name of the method; the object is not known." } });
      return;
    }
    if (candidates.length > mostCandidates) table.tell(call, "unresolved", "Many functions have this name.");
    else for (const { node } of candidates) table.edge("calls", call, node, { certainty: "unknown", reason: "Several functions of the module have this name; which one is called is decided at run time." });
  }
}

function keyOf({ module, name }: { readonly module: number; readonly name: string }): string {
  return `${String(module)} ${name}`;
}
