import type { BridgeMember, ModuleName } from "../facts/electron-fact.js";
import type { BridgeUse } from "../link/bridge-uses.js";
import type { LinkedElectron } from "../link/electron.js";
import type { IpcCall } from "../link/ipc-channels.js";
import type { LinkedScript } from "../link/linked-application.js";
import { findingOf } from "./fact-nodes.js";
import type { Finding } from "./graph-builder.js";
import type { NodePlaces } from "./node-places.js";

type Bridge = LinkedElectron["bridges"][number];

const mostMembers = 256;
const byName = { authority: "static-relationship-inference", state: "inferred", confidence: "high", limitations: ["Concluded from the name that one preload script hands out; whether this page has that script is decided at run time."] } as const;
const byImport = { authority: "static-relationship-inference", state: "inferred", confidence: "high", limitations: ["What is handed out comes from another file of the application."] } as const;

/** APIs of preload scripts with their members: what hands them out, what they send, and which code of pages uses them. */
export function addBridges({ bridges, ipc, uses }: LinkedElectron, places: NodePlaces): void {
  const nodes = new Map<string, string | undefined>();
  for (const bridge of bridges) addBridge(bridge, { ipc, places, nodes });
  for (const use of uses) addUse(use, places, nodes);
}

interface Adding {
  readonly ipc: readonly IpcCall[];
  readonly places: NodePlaces;
  /** Nodes of members by where they stand. */
  readonly nodes: Map<string, string | undefined>;
}

function bridgeNode(bridge: Bridge, places: NodePlaces): string | undefined {
  return places.builder.node({
    kind: "context-bridge-api",
    strategy: "artifact-local-key",
    value: bridge.key ?? `${places.own(bridge.script.path)}@${String(bridge.at.start)}`,
    name: bridge.key ?? "(dynamic key)",
    properties: { members: bridge.members.slice(0, mostMembers).map(({ name }) => name), members_total: bridge.members.length },
    finding: findingOf(bridge.script, bridge),
  });
}

function addBridge(bridge: Bridge, adding: Adding): void {
  const { places } = adding;
  const finding = findingOf(bridge.script, bridge);
  const api = bridgeNode(bridge, places);
  places.builder.edge("exposes", places.owner(bridge.script, bridge.at), api, { finding });
  addSource(api, bridge.from, { script: bridge.script, finding, places });
  for (const member of bridge.members.slice(0, mostMembers)) addMember(bridge, member, { ...adding, api });
}

function addMember(bridge: Bridge, member: BridgeMember, { ipc, places, nodes, api }: Adding & { readonly api: string | undefined }): void {
  const finding = findingOf(bridge.script, { ...bridge, at: member.at });
  const name = `${bridge.key ?? "(dynamic key)"}.${member.name}`;
  const value = bridge.key === null ? `${places.own(bridge.script.path)}@${String(member.at.start)}` : name;
  const node = places.builder.node({ kind: "context-bridge-api", strategy: "artifact-local-key", value: `member:${value}`, name, properties: { member: member.name }, finding });
  nodes.set(memberKey(bridge.script, member), node);
  places.builder.edge("exposes", api, node, { finding });
  addSource(node, member.from, { script: bridge.script, finding, places });
  for (const call of ipc) {
    const relation = call.operation === "invoke" ? "invokes" : sending.has(call.operation) ? "sends" : undefined;
    if (relation === undefined || call.channel === null || call.script !== bridge.script || !holds(member, call)) continue;
    const channel = places.builder.node({ kind: "ipc-channel", strategy: "artifact-local-key", value: call.channel, name: call.channel, finding: findingOf(call.script, call) });
    places.builder.edge(relation, node, channel, { finding: findingOf(call.script, call), properties: { method: call.method } });
  }
}

const sending: ReadonlySet<IpcCall["operation"]> = new Set(["send", "send-sync", "post-message", "send-to-host"]);

function holds({ at, body }: BridgeMember, call: IpcCall): boolean {
  return [at, body].some((range) => range !== null && range.start <= call.at.start && call.at.end <= range.end);
}

function memberKey({ path }: LinkedScript, { at }: BridgeMember): string {
  return `${path}\0${String(at.start)}`;
}

/** An API, or a member, that another file of the application defines. */
function addSource(node: string | undefined, from: ModuleName | null, { script, finding, places }: { readonly script: LinkedScript; readonly finding: Finding; readonly places: NodePlaces }): void {
  if (from === null) return;
  const found = places.application.resolver.resolve(from.module, script.path, script.facts.dialect === "module" ? "import" : "require");
  if (found.kind === "file") places.builder.edge("calls", node, places.file(found.path), { finding: { ...finding, ...byImport } });
}

function addUse({ use, bridge, member }: BridgeUse, places: NodePlaces, nodes: ReadonlyMap<string, string | undefined>): void {
  const target = member === null ? bridgeNode(bridge, places) : (nodes.get(memberKey(bridge.script, member)) ?? bridgeNode(bridge, places));
  const finding: Finding = { file: { sha256: use.script.sha256, path: use.script.path }, at: use.at, extractor: "bridge-use", ...byName };
  places.builder.edge("calls", places.owner(use.script, use.at), target, { finding });
}
