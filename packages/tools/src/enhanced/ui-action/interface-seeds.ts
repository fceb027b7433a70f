import type { OperationResult } from "@rea/core";
import type { UiGraph } from "./ui-graph.js";

type Documents = OperationResult<"decode_interface_builder">;
type UiObject = Documents["objects"]["items"][number];
type Action = Documents["actions"]["items"][number];
type Outlet = Documents["outlets"]["items"][number];

export interface Seed {
  readonly kind: "selector" | "action" | "object_id";
  readonly value: string;
}

/** A message that the interface documents send: to whom, and of what class that is. */
export interface UiMessage {
  readonly node: string;
  readonly selector: string;
  /** Null where the receiver's class is not in the document. */
  readonly receiverClass: string | null;
  readonly receiver: "object" | "file_owner" | "responder_chain";
}

export interface SeedMatches {
  readonly messages: readonly UiMessage[];
  readonly actions: number;
  readonly outlets: readonly Outlet[];
  /** Actions and outlets that match beyond the bound. */
  readonly left: number;
}

const mostMatches = 50;

/** Puts what the seed means in the interface documents into the graph. */
export function matchSeed({ kind, value }: Seed, documents: Documents, graph: UiGraph): SeedMatches {
  const objects = new Map(documents.objects.items.map((object) => [object.id, object]));
  const ids = kind === "object_id" ? idsMeant(value, documents.objects.items) : new Set<string>();
  const touches = ({ source, destination }: Action | Outlet) => (source !== null && ids.has(source)) || (destination !== null && ids.has(destination));
  const fits = (action: Action) => {
    if (kind === "object_id") return touches(action);
    return action.selector === value || (kind === "action" && action.source !== null && objects.get(action.source)?.label === value);
  };
  const actions = documents.actions.items.filter(fits);
  const outlets = kind === "object_id" ? documents.outlets.items.filter(touches) : [];
  for (const id of ids) addObject(graph, objects.get(id), id);
  for (const outlet of outlets.slice(0, mostMatches)) addOutlet(graph, outlet, objects);
  const messages = actions.slice(0, mostMatches).flatMap((action) => addAction(graph, action, objects));
  const left = Math.max(0, actions.length - mostMatches) + Math.max(0, outlets.length - mostMatches);
  return { messages: distinct(messages), actions: actions.length, outlets, left };
}

/** The whole id, or the number alone where it is the only one. */
function idsMeant(value: string, objects: readonly UiObject[]): ReadonlySet<string> {
  const exact = objects.filter(({ id }) => id === value);
  if (exact.length > 0) return new Set([value]);
  const numbered = /^\d{1,10}$/.test(value) ? objects.filter(({ index }) => String(index) === value) : [];
  return new Set(numbered.length === 1 ? numbered.map(({ id }) => id) : []);
}

function addObject(graph: UiGraph, object: UiObject | undefined, id: string): string {
  const made = object?.custom_class ?? object?.class ?? null;
  return graph.node({ id, kind: "ui_object", name: object?.label ?? null, class: made, document: object?.document ?? null });
}

function addOutlet(graph: UiGraph, { source, destination, name }: Outlet, objects: ReadonlyMap<string, UiObject>): void {
  if (source === null) return;
  const from = addObject(graph, objects.get(source), source);
  if (destination === null) {
    graph.unknown(from, "outlet", "no_destination", "The document connects the outlet to nothing.");
    return;
  }
  const to = addObject(graph, objects.get(destination), destination);
  graph.join({ from, to, relation: "outlet", label: name, basis: "Outlet in the interface document.", confidence: "observed" });
}

function addAction(graph: UiGraph, action: Action, objects: ReadonlyMap<string, UiObject>): UiMessage[] {
  const { selector, source, destination, events } = action;
  if (selector === null) return [];
  const receiver = destination === null ? undefined : objects.get(destination);
  const to = destination === null ? graph.node({ id: "responder_chain", kind: "responder_chain" }) : addObject(graph, receiver, destination);
  const node = graph.node({ id: messageId(to, selector), kind: "message", name: selector });
  const label = events.length === 0 ? null : events.join(", ");
  const basis = "Action in the interface document.";
  if (source !== null) graph.join({ from: addObject(graph, objects.get(source), source), to: node, relation: "sends", label, basis, confidence: "observed" });
  graph.join({ from: node, to, relation: "received_by", basis, confidence: "observed" });
  return [{ node, selector, ...receiverOf(destination, receiver) }];
}

/** The stand-ins of UIKit say which object is meant, not its class. */
function receiverOf(destination: string | null, object: UiObject | undefined): Pick<UiMessage, "receiver" | "receiverClass"> {
  if (destination === null || object?.role === "first_responder") return { receiver: "responder_chain", receiverClass: null };
  const standIn = object?.class === "UIProxyObject";
  return {
    receiver: object?.role === "file_owner" ? "file_owner" : "object",
    receiverClass: object?.custom_class ?? (standIn ? null : (object?.class ?? null)),
  };
}

export function messageId(receiver: string, selector: string): string {
  return `${receiver} ${selector}`;
}

function distinct(messages: readonly UiMessage[]): UiMessage[] {
  return [...new Map(messages.map((message) => [message.node, message])).values()];
}
