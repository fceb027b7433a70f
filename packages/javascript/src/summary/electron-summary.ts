import type { ElectronVerdict } from "@rea/artifact";
import type { ApplicationSummary } from "@rea/core";
import type { LinkedElectron } from "../link/electron.js";
import type { LinkedChannel } from "../link/ipc-channels.js";
import type { LinkedApplication } from "../link/linked-application.js";
import { cite, firstOf, shown, shownOrNull } from "./cite.js";
import type { Sizes } from "./sizes.js";

type ElectronSummary = NonNullable<ApplicationSummary["electron"]>;

const sends: ReadonlySet<string> = new Set(["invoke", "send", "send-sync", "post-message", "send-to-host"]);
const listens: ReadonlySet<string> = new Set(["renderer-on", "renderer-once"]);
const handles: ReadonlySet<string> = new Set(["handle", "handle-once", "on", "once"]);

/** What an application does with Electron; null when it does not use it. */
export function electronSummary(electron: LinkedElectron, { application, verdicts }: { readonly application: LinkedApplication; readonly verdicts: readonly ElectronVerdict[] }, sizes: Sizes): ElectronSummary | null {
  if (!electron.isElectron) return null;
  const { windows, ipc, channels, bridges, preloads, utilities } = electron;
  const counted = (which: ReadonlySet<string>) => ipc.filter(({ operation }) => which.has(operation)).length;
  const states = (state: LinkedChannel["state"]) => channels.filter((channel) => channel.state === state).length;
  const addons = application.scripts.flatMap(({ imports }) => imports.filter(({ fact }) => fact.kind === "native-addon"));
  return {
    browser_windows: windows.length,
    explicit_web_preferences: windows.reduce((sum, { preferences, preload }) => sum + preferences.length + (preload === null ? 0 : 1), 0),
    preload_entrypoints: preloads.length,
    context_bridge_apis: bridges.length,
    exposed_api_members: bridges.reduce((sum, { members }) => sum + members.length, 0),
    ipc: {
      operations: ipc.length,
      literal_channels: new Set(ipc.flatMap(({ channel }) => channel ?? [])).size,
      dynamic_channel_operations: ipc.filter(({ channel }) => channel === null).length,
      renderer_transmissions: counted(sends),
      renderer_listeners: counted(listens),
      main_handlers: counted(handles),
      paired: states("paired"),
      ambiguous: states("ambiguous"),
      unpaired: states("unpaired"),
    },
    sender_validation_observations: ipc.reduce((sum, { senderChecks }) => sum + senderChecks.length, 0),
    utility_processes: { total: utilities.length, resolved: utilities.filter(({ linked }) => linked.path !== null).length },
    native_addon_bindings: { total: addons.length, resolved: addons.filter(({ target }) => target.kind === "file").length },
    ...lists(electron, sizes),
    fuses: verdicts.flatMap(({ program, fuses }) => fuses.map(({ name, state }) => ({ path: shown(program ?? ""), name: shown(name), state }))),
    asar_integrity: asarVerdicts(application, verdicts),
  };
}

type Lists = Pick<ElectronSummary, "windows" | "preloads" | "bridges" | "channels" | "protocols" | "updaters">;

function lists({ windows, loads, channels, bridges, preloads, protocols, updaters }: LinkedElectron, sizes: Sizes): Lists {
  const linked = (path: { readonly requested: string | null; readonly path: string | null; readonly reason: string | null }) => ({ requested: shownOrNull(path.requested), path: shownOrNull(path.path), reason: path.reason });
  return {
    windows: firstOf(
      windows.map(({ kind, options, preferences, preloadPath, script, at }) => ({
        kind,
        options,
        web_preferences: preferences.slice(0, 32).map(({ name, value, state }) => ({ name: shown(name), value: typeof value === "string" ? shown(value) : value, state })),
        preload: preloadPath === null ? null : linked(preloadPath),
        loads: loads.filter((load) => load.script === script).slice(0, 4).map(({ method, target, page }) => ({ method, target: shownOrNull(target), path: shownOrNull(page) })),
        at: cite(script, at),
      })),
      sizes.items,
    ),
    preloads: firstOf(preloads.map(({ linked: path, script, at }) => ({ ...linked(path), at: cite(script, at) })), sizes.items),
    bridges: firstOf(
      bridges.map(({ key, members, script, at }) => ({ key: shownOrNull(key), members: members.slice(0, sizes.members).map(({ name }) => shown(name)), members_total: members.length, at: cite(script, at) })),
      sizes.items,
    ),
    channels: firstOf([...channels].sort(byState).map((channel) => channelItem(channel, sizes)), sizes.channels),
    protocols: firstOf(protocols.map(({ scheme, method, script, at }) => ({ scheme: shownOrNull(scheme), method: shown(method), at: cite(script, at) })), sizes.items),
    updaters: firstOf(updaters.map(({ kind, value, script, at }) => ({ kind: shown(kind), value: shownOrNull(value), at: cite(script, at) })), sizes.items),
  };
}

const stateOrder = ["paired", "ambiguous", "unpaired", "listed"] as const;

function byState(a: LinkedChannel, b: LinkedChannel): number {
  return stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state) || (a.channel < b.channel ? -1 : a.channel > b.channel ? 1 : 0);
}

function channelItem({ channel, direction, state, senders, handlers, limitations }: LinkedChannel, { sites }: Sizes): ElectronSummary["channels"]["items"][number] {
  return {
    channel: shown(channel),
    direction,
    state,
    senders: senders.slice(0, sites).map(({ script, at }) => cite(script, at)),
    handlers: handlers.slice(0, sites).map(({ script, at, method, form, senderChecks }) => ({
      ...cite(script, at),
      method,
      form: form ?? "dynamic",
      sender_checks: [...new Set(senderChecks.map(({ check }) => check))].sort(),
    })),
    limitations: [...limitations],
  };
}

/** What Electron would make of each archive, and where that is not known, whether its members have their declared digests. */
function asarVerdicts({ inventory }: LinkedApplication, electron: readonly ElectronVerdict[]): { path: string; verdict: string }[] {
  const verdicts = new Map<string, { checked: number; broken: number }>();
  const isAsarRoot = inventory.manifest.root_format === "asar";
  for (const { logical_path, declared_checks, hash_status, entry_kind } of inventory.graph.occurrences) {
    const at = logical_path.lastIndexOf("!/");
    const archive = at >= 0 ? logical_path.slice(0, at) : isAsarRoot && logical_path !== "." ? "." : undefined;
    if (archive === undefined || entry_kind !== "file" || (archive !== "." && !archive.endsWith(".asar"))) continue;
    const known = verdicts.get(archive) ?? { checked: 0, broken: 0 };
    verdicts.set(archive, known);
    // The size of a member is always declared; a digest is a second check.
    if (declared_checks > 1) known.checked += 1;
    if (hash_status === "mismatched") known.broken += 1;
  }
  return [...verdicts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { checked, broken }]) => {
      const known = electron.find(({ logical_path, verdict }) => logical_path === path && verdict !== "unknown");
      const ofMembers = broken > 0 ? "contradicted" : checked > 0 ? "members-verified" : "not-declared";
      return { path: shown(path), verdict: known === undefined ? ofMembers : `${ofMembers}, ${known.verdict}` };
    });
}
