import { constantText } from "../facts/constant.js";
import { argumentAt, bare, child, isFunction, nameOf, propertyOf, type SyntaxNode } from "../syntax/node.js";
import type { SeenCall } from "./call-sites.js";
import { methodRole, type KnownCall } from "./known-calls.js";
import type { SemanticReading } from "./reading.js";
import { valuesOf } from "./values.js";

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

function apply(seen: SeenCall, known: KnownCall, reading: SemanticReading): void {
  const { table, here } = reading;
  const { call, arguments: given } = seen;
  const firstValues = given[0] ?? [];
  switch (known.does) {
    case "request":
      request(seen, known.protocol, reading);
      return;
    case "timer": {
      const timer = made("timer", seen, reading);
      table.edge("schedules-timer", call, timer);
      handlers(seen, "dispatches", { from: timer, reading });
      return;
    }
    case "cancel-timer":
      for (const value of firstValues) table.edge("cancels-timer", call, value);
      return;
    case "process": {
      const process = made("process", seen, reading);
      table.edge("spawns", call, process);
      table.edge("owns", here, process);
      for (const value of firstValues) table.edge("consumed-by", value, process);
      return;
    }
    case "acquire": {
      const resource = made("resource", seen, reading);
      table.tell(resource, "resource", known.resource);
      table.edge("acquires", call, resource);
      table.edge("owns", here, resource);
      for (const value of firstValues) table.edge("consumed-by", value, resource);
      return;
    }
    case "release":
      for (const value of firstValues) table.edge("releases", call, value);
      return;
    case "parse":
      for (const value of firstValues) table.edge("parses", call, value);
      return;
    case "coerce":
      for (const value of firstValues) table.edge("coerces", call, value);
      return;
    case "validate":
      for (const value of firstValues) table.edge("validates", call, value);
      return;
    case "read-config":
    case "read-environment":
    case "read-argv":
      configured(seen, known.does, reading);
      return;
    case "send-message":
      for (const value of firstValues) table.edge("sends-message", call, value);
      return;
    case "register":
      handlers(seen, "registers", { from: call, reading });
      return;
    case "remove":
      handlers(seen, "removes", { from: call, reading });
      for (const value of firstValues) table.edge("removes", call, value);
      return;
    case "dispatch":
      for (const value of firstValues) table.edge("dispatches", call, value);
      return;
    case "dynamic-code": {
      const unknown = table.add({ kind: "unknown", name: "code put together at run time", start: seen.node.start, end: seen.node.end, within: here });
      table.edge("calls", call, unknown, { certainty: "unknown", reason: "The code is put together at run time." });
      return;
    }
    case "effect":
      return;
  }
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

/** What the name of a method says where the object is not known. */
function byMethod(seen: SeenCall, reading: SemanticReading): void {
  const { method, call, callee, node } = seen;
  if (method === undefined) return;
  const { table } = reading;
  const first = argumentAt(node, 0);
  const firstText = first === undefined ? undefined : reading.text(first);
  if (method === "open" && firstText !== undefined && verbs.test(firstText.value.toUpperCase())) {
    reading.effect("network");
    opened(seen, firstText.value.toUpperCase(), reading);
    return;
  }
  const role = methodRole(method);
  switch (role) {
    case "register":
      if (firstText !== undefined || isFunction(bare(first))) handlers(seen, "registers", { from: call, reading, surety: byName });
      return;
    case "remove":
      handlers(seen, "removes", { from: call, reading, surety: byName });
      return;
    case "dispatch":
      for (const value of seen.arguments[0] ?? []) table.edge("dispatches", call, value, byName);
      return;
    case "send-message":
      for (const value of seen.arguments[0] ?? []) table.edge("sends-message", call, value, byName);
      return;
    case "release":
      for (const value of valuesOf(child(callee, "object"), reading)) table.edge("releases", call, value, byName);
      return;
    default:
      if (method === "parseFromString") for (const value of seen.arguments[0] ?? []) table.edge("parses", call, value, byName);
  }
}

/** `xhr.open("GET", url)` */
function opened(seen: SeenCall, verb: string, reading: SemanticReading): void {
  const { table } = reading;
  const second: SyntaxNode | undefined = argumentAt(seen.node, 1);
  const url = second === undefined ? undefined : reading.text(second);
  const node = table.add({ kind: "request", name: `${verb} ${url?.value ?? "(put together at run time)"}`, start: seen.node.start, end: seen.node.end, within: reading.here });
  table.tell(node, "protocol", "http");
  table.tell(node, "method", verb);
  table.tell(node, "url", url?.value ?? null);
  table.edge("constructs-request", seen.call, node, byName);
  for (const value of seen.arguments[1] ?? []) table.edge("consumed-by", value, node, byName);
}
