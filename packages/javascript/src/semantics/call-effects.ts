import type { SemanticRelation } from "@rea/core";
import { constantText } from "../facts/constant.js";
import { argumentAt, bare, child, isFunction, nameOf, propertyOf, type SyntaxNode } from "../syntax/node.js";
import { methodRole, type KnownCall, type MethodRole } from "./known-calls.js";
import type { SemanticReading } from "./reading.js";
import { valuesOf } from "./values.js";

/** One call with what was found about it. */
export interface SeenCall {
  readonly node: SyntaxNode;
  readonly call: number;
  readonly callee: SyntaxNode;
  readonly arguments: readonly (readonly number[])[];
  readonly known: KnownCall | undefined;
  readonly method: string | undefined;
}

const byName = { certainty: "medium", reason: "Recognised by the name of the method; the object is not known." } as const;
const verbs = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/u;

/** Requests, timers, processes, resources, events and configuration that a call stands for. */
export function callEffects(seen: SeenCall, reading: SemanticReading): void {
  const { known } = seen;
  if (known === undefined) {
    byMethod(seen, reading);
    return;
  }
  if (known.effect !== null) reading.effect(known.effect);
  apply(seen, known, reading);
}

/** What a call does to its first argument. */
const ofFirst: { readonly [D in KnownCall["does"]]?: SemanticRelation } = {
  "cancel-timer": "cancels-timer",
  release: "releases",
  parse: "parses",
  coerce: "coerces",
  validate: "validates",
  "send-message": "sends-message",
  dispatch: "dispatches",
  remove: "removes",
};

function apply(seen: SeenCall, known: KnownCall, reading: SemanticReading): void {
  const relation = ofFirst[known.does];
  if (relation !== undefined) for (const value of seen.arguments[0] ?? []) reading.table.edge(relation, seen.call, value);
  switch (known.does) {
    case "request":
      request(seen, known.protocol, reading);
      return;
    case "timer":
      timer(seen, reading);
      return;
    case "process":
      held(seen, { relation: "spawns", node: made("process", seen, reading), reading });
      return;
    case "acquire": {
      const resource = made("resource", seen, reading);
      reading.table.tell(resource, "resource", known.resource);
      held(seen, { relation: "acquires", node: resource, reading });
      return;
    }
    case "read-config":
    case "read-environment":
    case "read-argv":
      configured(seen, known.does, reading);
      return;
    case "register":
      handlers(seen, "registers", { from: seen.call, reading });
      return;
    case "remove":
      handlers(seen, "removes", { from: seen.call, reading });
      return;
    case "dynamic-code":
      dynamic(seen, reading);
      return;
    default:
      return;
  }
}

function timer(seen: SeenCall, reading: SemanticReading): void {
  const node = made("timer", seen, reading);
  reading.table.edge("schedules-timer", seen.call, node);
  handlers(seen, "dispatches", { from: node, reading });
}

/** The function around a call owns what the call starts or opens. */
function held(seen: SeenCall, { relation, node, reading }: { readonly relation: "spawns" | "acquires"; readonly node: number; readonly reading: SemanticReading }): void {
  const { table, here } = reading;
  table.edge(relation, seen.call, node);
  table.edge("owns", here, node);
  for (const value of seen.arguments[0] ?? []) table.edge("consumed-by", value, node);
}

function dynamic({ node, call }: SeenCall, { table, here }: SemanticReading): void {
  const unknown = table.add({ kind: "unknown", name: "code put together at run time", start: node.start, end: node.end, within: here });
  table.edge("calls", call, unknown, { certainty: "unknown", reason: "The code is put together at run time." });
}

function request(seen: SeenCall, protocol: string, reading: SemanticReading): void {
  const { table, scope } = reading;
  const first = argumentAt(seen.node, 0);
  const url = first === undefined ? undefined : reading.text(first);
  const options = argumentAt(seen.node, 1) ?? first;
  const method = constantText(propertyOf(bare(options), "method"), scope) ?? (seen.method !== undefined && /^(?:get|post|put|patch|delete|head)$/u.test(seen.method) ? seen.method.toUpperCase() : null);
  const node = table.add({ kind: "request", name: `${method === null ? "" : `${method} `}${url?.value ?? "(put together at run time)"}`, start: seen.node.start, end: seen.node.end, within: reading.here });
  table.tell(node, "protocol", protocol);
  table.tell(node, "url", url === undefined ? null : url.value);
  if (url?.isDynamic === true) table.tell(node, "partial", true);
  if (method !== null) table.tell(node, "method", method);
  table.edge("constructs-request", seen.call, node);
  for (const values of seen.arguments) for (const value of values) table.edge("consumed-by", value, node);
}

function configured(seen: SeenCall, does: "read-config" | "read-environment" | "read-argv", reading: SemanticReading): void {
  const { table, scope } = reading;
  const key = constantText(argumentAt(seen.node, 0), scope);
  const node = table.add({ kind: "configuration-read", name: key ?? does, start: seen.node.start, end: seen.node.end, within: reading.here });
  table.edge(does === "read-config" ? "reads-config" : does === "read-environment" ? "reads-environment" : "reads-argv", seen.call, node);
  table.edge("returns-to-call", node, seen.call);
}

function made(kind: "timer" | "process" | "resource", { node, callee }: SeenCall, { table, here }: SemanticReading): number {
  const name = nameOf(callee) ?? nameOf(bare(child(callee, "property"))) ?? kind;
  return table.add({ kind, name, start: node.start, end: node.end, within: here });
}

interface Handling {
  readonly from: number;
  readonly reading: SemanticReading;
  readonly surety?: typeof byName;
}

/** Functions among the arguments. */
function handlers({ node }: SeenCall, relation: "registers" | "removes" | "dispatches", { from, reading, surety }: Handling): void {
  for (let position = 0; position < 4; position += 1) {
    const argument = bare(argumentAt(node, position));
    if (argument === undefined) return;
    if (isFunction(argument) || argument.type === "Identifier") {
      for (const value of valuesOf(argument, reading)) reading.table.edge(relation, from, value, surety);
    }
  }
}

const ofNamed: { readonly [R in MethodRole]?: SemanticRelation } = { dispatch: "dispatches", "send-message": "sends-message" };

/** What the name of a method says where the object is not known. */
function byMethod(seen: SeenCall, reading: SemanticReading): void {
  const { method, call, callee, node } = seen;
  if (method === undefined) return;
  const { table } = reading;
  const first = argumentAt(node, 0);
  const firstText = first === undefined ? undefined : reading.text(first);
  if (method === "open" && firstText !== undefined && verbs.test(firstText.value.toUpperCase())) opened(seen, firstText.value.toUpperCase(), reading);
  const role = methodRole(method);
  const relation = method === "parseFromString" ? "parses" : role === undefined ? undefined : ofNamed[role];
  if (relation !== undefined) for (const value of seen.arguments[0] ?? []) table.edge(relation, call, value, byName);
  else if (role === "register" && (firstText !== undefined || isFunction(bare(first)))) handlers(seen, "registers", { from: call, reading, surety: byName });
  else if (role === "remove") handlers(seen, "removes", { from: call, reading, surety: byName });
  else if (role === "release") for (const value of valuesOf(child(callee, "object"), reading)) table.edge("releases", call, value, byName);
}

/** `xhr.open("GET", url)` */
function opened(seen: SeenCall, verb: string, reading: SemanticReading): void {
  const { table } = reading;
  reading.effect("network");
  const second: SyntaxNode | undefined = argumentAt(seen.node, 1);
  const url = second === undefined ? undefined : reading.text(second);
  const node = table.add({ kind: "request", name: `${verb} ${url?.value ?? "(put together at run time)"}`, start: seen.node.start, end: seen.node.end, within: reading.here });
  table.tell(node, "protocol", "http");
  table.tell(node, "method", verb);
  table.tell(node, "url", url?.value ?? null);
  table.edge("constructs-request", seen.call, node, byName);
  for (const value of seen.arguments[1] ?? []) table.edge("consumed-by", value, node, byName);
}
