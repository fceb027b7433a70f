import {
  replayMachineShape,
  type ReplayMachineAction,
  type ReplayMachineGuard,
  type ReplayMachineTransition,
  type ReplayPart,
  type ReplayTrigger,
} from "./replay-machine-shape.js";
import { aliasesIn, headersOf, isBase64 } from "./replay-text.js";

/** JSON of all actions together. */
const maximumActionBytes = 4 * 1024 * 1024;
/** Values kept at a time, so that memory is bounded. */
const maximumAliases = 256;

type Report = (path: (string | number)[], message: string) => void;

/** Strict; also refuses names that lead nowhere, parts that a trigger does not have, and more than 4 MiB of actions. */
export const replayMachineSchema = replayMachineShape.superRefine((machine, context) => {
  const report: Report = (path, message) => void context.addIssue({ code: "custom", path, message });
  const states = new Set(machine.states);
  if (states.size < machine.states.length) report(["states"], "expected unique states");
  if (!states.has(machine.initial_state)) report(["initial_state"], "expected one of the states");
  const ids = new Set<string>();
  const aliases = new Set(machine.transitions.flatMap(({ captures }) => captures.map(({ alias }) => alias)));
  if (aliases.size > maximumAliases) report(["transitions"], `expected at most ${String(maximumAliases)} aliases`);
  machine.transitions.forEach((one, index) => {
    const at: Report = (path, message) => report(["transitions", index, ...path], message);
    if (ids.has(one.id)) at(["id"], "expected unique ids");
    ids.add(one.id);
    for (const end of ["from", "to"] as const) if (!states.has(one[end])) at([end], "expected one of the states");
    one.guards.forEach((each, position) => checkGuard(each, one.trigger, { at: (path, message) => at(["guards", position, ...path], message), aliases }));
    one.captures.forEach((each, position) => checkPart(each, one.trigger, (path, message) => at(["captures", position, ...path], message)));
    one.actions.forEach((each, position) => checkAction(each, one, { at: (path, message) => at(["actions", position, ...path], message), aliases, position }));
  });
  const actions = machine.transitions.reduce((sum, one) => sum + actionBytes(one), 0);
  if (actions > maximumActionBytes) report(["transitions"], `expected at most ${String(maximumActionBytes)} bytes of actions`);
});

/** What an event of a trigger has. */
const partsOfTrigger: { readonly [T in ReplayTrigger]: readonly ReplayPart[] } = {
  http: ["method", "path", "query", "header", "body", "body_json"],
  websocket_connect: ["path", "query", "header"],
  websocket_message: ["message", "message_json"],
};

const named = new Set<string>(["query", "header", "body_json", "message_json", "capture"]);

interface Place {
  readonly at: Report;
  readonly aliases: ReadonlySet<string>;
}

function checkGuard(guard: ReplayMachineGuard, trigger: ReplayTrigger, { at, aliases }: Place): void {
  if (guard.source !== "capture") checkPart({ ...guard, source: guard.source }, trigger, at);
  else if (guard.name === undefined || !aliases.has(guard.name)) at(["name"], "expected an alias that a transition captures");
  const compares = guard.test !== "present" && guard.test !== "absent";
  if (compares && guard.value === undefined) at(["value"], "expected a value for this test");
  if (!compares && guard.value !== undefined) at(["value"], "expected no value for this test");
}

function checkPart(part: { readonly source: ReplayPart; readonly name?: string | undefined }, trigger: ReplayTrigger, at: Report): void {
  if (!partsOfTrigger[trigger].includes(part.source)) at(["source"], `expected one of ${partsOfTrigger[trigger].join(", ")} for this trigger`);
  if (named.has(part.source) && part.name === undefined) at(["name"], "expected a name for this source");
  if (!named.has(part.source) && part.name !== undefined) at(["name"], "expected no name for this source");
  const pointer = part.source.endsWith("_json") && part.name !== undefined && part.name !== "/";
  if (pointer && !/^(?:\/(?:[^~/]|~[01])*)+$/.test(part.name)) at(["name"], "expected a JSON pointer such as /user/id");
}

const kindsOfTrigger: { readonly [T in ReplayTrigger]: readonly string[] } = {
  http: ["http_response", "disconnect"],
  websocket_connect: ["websocket_message", "websocket_close", "disconnect", "continue"],
  websocket_message: ["websocket_message", "websocket_close", "disconnect", "continue"],
};

const fieldsOfKind: { readonly [kind in ReplayMachineAction["kind"]]: readonly string[] } = {
  http_response: ["status", "headers", "data"],
  websocket_message: ["data"],
  websocket_close: ["code"],
  disconnect: [],
  continue: [],
};

function checkAction(action: ReplayMachineAction, { trigger, actions }: ReplayMachineTransition, place: Place & { readonly position: number }): void {
  const { at, position } = place;
  if (!kindsOfTrigger[trigger].includes(action.kind)) at(["kind"], `expected one of ${kindsOfTrigger[trigger].join(", ")} for this trigger`);
  const last = position === actions.length - 1;
  if (trigger === "http" && !last) at([], "expected one action for http");
  if ((action.kind === "websocket_close" || action.kind === "disconnect") && !last) at([], "expected no action after the end of the connection");
  checkFields(action, at);
  if (action.template) checkTemplate(action, place);
}

function checkFields(action: ReplayMachineAction, at: Report): void {
  for (const field of ["status", "headers", "data", "code"] as const) {
    if (action[field] !== undefined && !fieldsOfKind[action.kind].includes(field)) at([field], "expected no such field for this kind");
  }
  if (action.code !== undefined && !isSendableCode(action.code)) at(["code"], "expected a close code that may be sent");
  if (action.headers !== undefined && headersOf(action.headers) === undefined) at(["headers"], "expected lines of the form Name: value");
  if (action.encoding === "base64" && !isBase64(action.data ?? "")) at(["data"], "expected base64");
}

function checkTemplate({ encoding, data, headers }: ReplayMachineAction, { at, aliases }: Place): void {
  if (encoding === "base64") at(["template"], "expected no template in base64");
  const used = aliasesIn(`${data ?? ""}\n${headers ?? ""}`);
  if (used.some((alias) => !aliases.has(alias))) at(["template"], "expected only aliases that a transition captures");
}

/** RFC 6455 §7.4: 1004 to 1006 and 1015 are never sent. */
function isSendableCode(code: number): boolean {
  return (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || code >= 3000;
}

function actionBytes({ actions }: ReplayMachineTransition): number {
  return Buffer.byteLength(JSON.stringify(actions));
}
