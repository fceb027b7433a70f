import type { BridgeFact, BridgeMember } from "../facts/electron-fact.js";
import type { GlobalUse } from "../facts/global-uses.js";
import type { In } from "./in-script.js";
import type { IpcCall } from "./ipc-channels.js";
import type { LinkedScript } from "./linked-application.js";

/** Code of a page uses what a preload script hands out. */
export interface BridgeUse {
  readonly use: In<GlobalUse>;
  readonly bridge: In<BridgeFact>;
  /** Null where the API is named and none of its known members. */
  readonly member: BridgeMember | null;
}

/** Joins uses of globals with the one bridge of their name; a name that several preload scripts give joins nothing. */
export function bridgeUses(bridges: readonly In<BridgeFact>[], scripts: readonly LinkedScript[]): readonly BridgeUse[] {
  const byKey = new Map<string, In<BridgeFact>[]>();
  for (const bridge of bridges) if (bridge.key !== null) byKey.set(bridge.key, [...(byKey.get(bridge.key) ?? []), bridge]);
  return scripts.flatMap((script) => script.facts.globals.flatMap((use) => joined({ ...use, script }, byKey) ?? []));
}

function joined(use: In<GlobalUse>, byKey: ReadonlyMap<string, readonly In<BridgeFact>[]>): BridgeUse | undefined {
  const [key = "", ...path] = use.path;
  const candidates = byKey.get(key) ?? [];
  const [first] = candidates;
  if (first === undefined || candidates.some(({ script }) => script !== first.script) || first.script === use.script) return undefined;
  for (const bridge of candidates) {
    const member = memberOf(bridge, path);
    if (member !== undefined) return { use, bridge, member };
  }
  return { use, bridge: first, member: null };
}

/** `save.call` is still the member `save`. */
function memberOf({ members }: BridgeFact, path: readonly string[]): BridgeMember | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const name = path.slice(0, length).join(".");
    const found = members.find((member) => member.name === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Messages whose channel a page names and a function of the bridge passes on: `api.invoke("save")`. */
export function passedMessages(uses: readonly BridgeUse[], ipc: readonly IpcCall[]): readonly IpcCall[] {
  const passing = ipc.filter(({ channel, channelGiver }) => channel === null && channelGiver !== null);
  if (passing.length === 0) return [];
  return uses.flatMap(({ use, bridge, member }): IpcCall[] => {
    const body = member?.body;
    if (use.first === null || body === undefined || body === null) return [];
    return passing
      .filter(({ script, channelGiver }) => script === bridge.script && channelGiver?.start === body.start && channelGiver.end === body.end)
      .map((call) => ({ ...call, channel: use.first, channelGiver: null, form: call.form === null ? null : "dynamic", basis: "bridge-call", confidence: "inferred", at: use.at, script: use.script }));
  });
}
