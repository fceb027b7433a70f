import type { ApplicationNodeKind } from "@rea/core";
import type { LinkedElectron } from "../link/electron.js";
import type { In } from "../link/in-script.js";
import type { IpcCall, LinkedChannel } from "../link/ipc-channels.js";
import type { WindowFact } from "../facts/electron-fact.js";
import { addBridges } from "./bridge-nodes.js";
import { findingOf } from "./fact-nodes.js";
import type { Finding } from "./graph-builder.js";
import type { NodePlaces } from "./node-places.js";

/** Electron's processes, windows, bridges and messages. */
export function addElectron(electron: LinkedElectron, places: NodePlaces): void {
  if (!electron.isElectron) return;
  addRoles(electron, places);
  for (const window of electron.windows) addWindow(window, places);
  addLoads(electron, places);
  addBridges(electron, places);
  for (const channel of electron.channels) addChannel(channel, places);
}

function addRoles({ preloads, utilities, loads }: LinkedElectron, places: NodePlaces): void {
  const { application } = places;
  const main = application.root.manifest;
  const entry = main === undefined ? undefined : application.resolver.resolve(main.main === null ? "./index.js" : `./${main.main.replace(/^\.\//u, "")}`, `${main.directory === "" ? "" : `${main.directory}/`}package.json`, "require");
  if (entry?.kind === "file") addRole("electron-main", entry.path, { authority: "artifact-bytes", file: fileOf(entry.path, places), at: "The main entry of package.json.", extractor: "package-main" }, places);
  for (const { linked, script, at } of preloads) {
    if (linked.path !== null) addRole("electron-preload", linked.path, { ...concluded, file: { sha256: script.sha256, path: script.path }, at, extractor: "window-preload" }, places);
  }
  for (const one of utilities) {
    if (one.linked.path !== null) addRole("electron-utility", one.linked.path, { ...concluded, file: { sha256: one.script.sha256, path: one.script.path }, at: one.at, extractor: "utility-fork" }, places);
  }
  for (const { page, script, at } of loads) {
    if (page !== null) addRole("electron-renderer", page, { ...concluded, file: { sha256: script.sha256, path: script.path }, at, extractor: "window-load" }, places);
  }
}

const concluded = { authority: "static-relationship-inference", state: "inferred", confidence: "high", limitations: ["Concluded from a path in code that names the file."] } as const;

function fileOf(path: string, { application }: NodePlaces): Finding["file"] {
  const sha256 = application.entries.get(path)?.sha256;
  return sha256 === null || sha256 === undefined ? "The file has no digest." : { sha256, path };
}

function addRole(kind: ApplicationNodeKind, path: string, finding: Finding, places: NodePlaces): string | undefined {
  const node = places.builder.node({ kind, strategy: "canonical-path", value: places.own(path), name: path, finding });
  places.builder.edge("loads", node, places.file(path), { finding });
  return node;
}

function windowNode(window: In<WindowFact>, places: NodePlaces): string | undefined {
  const preferences = Object.fromEntries(window.preferences.slice(0, 48).map(({ name, value, state }) => [name, state === "literal" ? value : "(dynamic)"]));
  return places.builder.node({
    kind: "browser-window",
    strategy: "artifact-local-key",
    value: `${places.own(window.script.path)}@${String(window.at.start)}`,
    name: window.kind,
    properties: { options: window.options, web_preferences: preferences },
    finding: findingOf(window.script, window),
  });
}

function addWindow(window: LinkedElectron["windows"][number], places: NodePlaces): void {
  const finding = findingOf(window.script, window);
  const node = windowNode(window, places);
  places.builder.edge("loads", places.owner(window.script, window.at), node, { finding });
  const preload = window.preloadPath?.path ?? null;
  if (preload === null) return;
  const role = places.builder.node({ kind: "electron-preload", strategy: "canonical-path", value: places.own(preload), name: preload, finding: { ...finding, ...concluded } });
  places.builder.edge("loads", node, role, { finding: { ...finding, ...concluded } });
}

/** A script that makes one window and loads one page loads the page into the window; more than that is not told apart. */
function addLoads({ windows, loads }: LinkedElectron, places: NodePlaces): void {
  for (const load of loads) {
    if (load.page === null) continue;
    const own = windows.filter(({ script }) => script === load.script);
    const [window] = own;
    const finding = { ...findingOf(load.script, load), ...concluded };
    const role = places.builder.node({ kind: "electron-renderer", strategy: "canonical-path", value: places.own(load.page), name: load.page, finding });
    places.builder.edge("loads", window !== undefined && own.length === 1 ? windowNode(window, places) : places.owner(load.script, load.at), role, { finding });
  }
}

function channelNode(channel: string, call: IpcCall, places: NodePlaces): string | undefined {
  return places.builder.node({ kind: "ipc-channel", strategy: "artifact-local-key", value: channel, name: channel, finding: findingOf(call.script, call) });
}

function addChannel(channel: LinkedChannel, places: NodePlaces): void {
  const { builder } = places;
  for (const call of channel.senders) {
    builder.edge(channel.direction === "invoke" ? "invokes" : "sends", places.owner(call.script, call.at), channelNode(channel.channel, call, places), { finding: findingOf(call.script, call), properties: { method: call.method } });
  }
  for (const call of channel.handlers) {
    const finding = findingOf(call.script, call);
    const handler = builder.node({
      kind: "ipc-handler",
      strategy: "artifact-local-key",
      value: `${places.own(call.script.path)}@${String(call.at.start)}`,
      name: channel.channel,
      properties: { form: call.form, method: call.method, sender_checks: call.senderChecks.map(({ check }) => check), sender_enforcement: "unknown" },
      finding,
    });
    builder.edge("contains", places.owner(call.script, call.at), handler, { finding });
    const isJoined = channel.state === "paired";
    const joined: Finding = { ...finding, authority: "static-relationship-inference", state: "inferred", confidence: "high", limitations: channel.limitations.slice(0, 16) };
    if (isJoined) builder.edge("handles", handler, channelNode(channel.channel, call, places), { finding: joined, properties: { direction: channel.direction } });
    // Nothing is joined: that the handler names the channel is what stands there.
    else channelNode(channel.channel, call, places);
  }
}
