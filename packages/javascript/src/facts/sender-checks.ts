import { bare, child, children, isFunction, memberName, nameOf, propertyKey, type SyntaxNode } from "../syntax/node.js";
import type { Scope } from "../syntax/scope.js";
import { walk } from "../syntax/walk.js";
import { spanOf } from "./detector.js";
import type { IpcFact } from "./electron-fact.js";

type Checks = IpcFact["senderChecks"];
type Check = Checks[number]["check"];

const mostNodes = 20_000;
const mostChecks = 16;

/** Where a handler looks at who sent a message. That it looks does not say that it refuses anybody. */
export function senderChecks(given: SyntaxNode, scope: Scope): Checks {
  const handler = functionOf(given, scope);
  const parameter = handler === undefined ? undefined : bare(children(handler, "params")[0]);
  const body = handler === undefined ? undefined : child(handler, "body");
  if (parameter === undefined || body === undefined) return [];
  const names = eventNames(parameter);
  if (names.event === undefined && names.parts.size === 0) return [];
  const found: Checks[number][] = [];
  let nodes = 0;
  walk(body, {
    enter: (node, ancestors) => {
      nodes += 1;
      if (nodes > mostNodes || found.length >= mostChecks) return false;
      const check = checkOf(node, names, ancestors);
      if (check === undefined) return undefined;
      found.push({ check, at: spanOf(node) });
      return false;
    },
    leave: () => undefined,
  });
  return found;
}

function functionOf(given: SyntaxNode, scope: Scope): SyntaxNode | undefined {
  if (isFunction(given)) return given;
  const value = scope.resolve(nameOf(given) ?? "")?.source?.value;
  return isFunction(value) ? value : undefined;
}

interface EventNames {
  readonly event: string | undefined;
  /** Names that parts of the event were taken apart into. */
  readonly parts: ReadonlyMap<string, string>;
}

function eventNames(parameter: SyntaxNode): EventNames {
  const event = nameOf(parameter);
  if (parameter.type !== "ObjectPattern") return { event, parts: new Map() };
  const parts = children(parameter, "properties").flatMap((property): readonly (readonly [string, string])[] => {
    const local = nameOf(child(property, "value"));
    const key = propertyKey(property);
    return local === undefined || key === undefined ? [] : [[local, key]];
  });
  return { event: undefined, parts: new Map(parts) };
}

/** What a member chain on the event looks at; the longest chain decides. */
function checkOf(node: SyntaxNode, names: EventNames, ancestors: readonly SyntaxNode[]): Check | undefined {
  if (node.type !== "MemberExpression" && node.type !== "Identifier") return undefined;
  const path = chainOf(node, names);
  if (path === undefined || path.length === 0) return undefined;
  const [first, ...rest] = path;
  if (first === "senderFrame") {
    if (rest.includes("url")) return "url";
    if (rest.includes("origin")) return "origin";
    if (rest.some((name) => name === "routingId" || name === "processId" || name === "frameTreeNodeId")) return "ids";
    return isSending(ancestors) ? undefined : "frame";
  }
  if (first === "frameId" || first === "processId") return "ids";
  if (first !== "sender") return undefined;
  if (rest.includes("getURL")) return "url";
  return rest.includes("id") ? "ids" : undefined;
}

/** `event.senderFrame.postMessage(…)` answers, it does not check. */
function isSending(ancestors: readonly SyntaxNode[]): boolean {
  const parent = ancestors.at(-1);
  return parent?.type === "MemberExpression" && /^(?:send|postMessage|executeJavaScript)$/u.test(memberName(parent) ?? "");
}

function chainOf(node: SyntaxNode, { event, parts }: EventNames): readonly string[] | undefined {
  const path: string[] = [];
  let now: SyntaxNode | undefined = node;
  while (now?.type === "MemberExpression" && path.length < 8) {
    const name = memberName(now);
    if (name === undefined) return undefined;
    path.unshift(name);
    now = bare(child(now, "object"));
  }
  const name = nameOf(now);
  if (name === undefined) return undefined;
  if (name === event) return path;
  const part = parts.get(name);
  return part === undefined ? undefined : [part, ...path];
}
