import type { IpcFact } from "../facts/electron-fact.js";
import type { In } from "./in-script.js";

/** A message call with its channel as far as the application shows it. */
export type IpcCall = In<IpcFact>;

export interface LinkedChannel {
  readonly channel: string;
  readonly direction: "invoke" | "send" | "to-renderer" | "to-host" | "message-port";
  readonly state: "paired" | "ambiguous" | "unpaired" | "listed";
  readonly senders: readonly IpcCall[];
  readonly handlers: readonly IpcCall[];
  readonly limitations: readonly string[];
}

type Direction = LinkedChannel["direction"];

const sending: { readonly [O in IpcFact["operation"]]?: Direction } = {
  invoke: "invoke",
  send: "send",
  "send-sync": "send",
  "post-message": "send",
  "send-to-host": "to-host",
  "send-to-renderer": "to-renderer",
};
const handling: { readonly [O in IpcFact["operation"]]?: Direction } = {
  handle: "invoke",
  "handle-once": "invoke",
  on: "send",
  once: "send",
  "renderer-on": "to-renderer",
  "renderer-once": "to-renderer",
};

interface Sides {
  readonly senders: IpcCall[];
  readonly handlers: IpcCall[];
}

/**
 * Joins by literal channel: `invoke` with exactly one `handle`, `send` and its kin with exactly one `on`. Several handlers
 * are ambiguous; what the main process sends and what goes to a host is listed only. Always a conclusion.
 */
export function pairChannels(ipc: readonly IpcCall[]): readonly LinkedChannel[] {
  const groups = new Map<string, Sides>();
  for (const call of ipc) {
    const { channel } = call;
    const direction = sending[call.operation] ?? handling[call.operation];
    if (channel === null || direction === undefined) continue;
    const key = `${direction}\0${channel}`;
    const sides = groups.get(key) ?? { senders: [], handlers: [] };
    groups.set(key, sides);
    (sending[call.operation] === undefined ? sides.handlers : sides.senders).push(call);
  }
  const removed = removals(ipc);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, sides]) => {
      const [direction, channel] = [key.slice(0, key.indexOf("\0")), key.slice(key.indexOf("\0") + 1)];
      return linked(channel, directions[direction] ?? "send", sides, removed);
    });
}

const directions: { readonly [name: string]: Direction } = { invoke: "invoke", send: "send", "to-renderer": "to-renderer", "to-host": "to-host" };

function linked(channel: string, direction: Direction, { senders, handlers }: Sides, removed: Removals): LinkedChannel {
  const joins = direction === "invoke" || direction === "send";
  const state = !joins ? "listed" : handlers.length > 1 ? "ambiguous" : senders.length > 0 && handlers.length === 1 ? "paired" : "unpaired";
  const limitations: string[] = [];
  if (state === "paired") limitations.push("Concluded from equal channel names; whether the message arrives depends on which pages and handlers live at the same time.");
  if (removed.has(channel, direction)) limitations.push("A handler of this channel is removed somewhere; the pair may not hold all the time.");
  return { channel, direction, state, senders, handlers, limitations };
}

interface Removals {
  has(channel: string, direction: Direction): boolean;
}

/** Channels whose handlers are taken away, `null` for removals that name none. */
function removals(ipc: readonly IpcCall[]): Removals {
  const handlers = new Set(ipc.filter(({ operation }) => operation === "remove-handler").map(({ channel }) => channel));
  const listeners = new Set(ipc.filter(({ operation }) => operation === "remove-listener").map(({ channel }) => channel));
  return {
    has: (channel, direction) => {
      const removed = direction === "invoke" ? handlers : listeners;
      return removed.has(channel) || removed.has(null);
    },
  };
}
