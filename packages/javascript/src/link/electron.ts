import type { BridgeFact, GuardFact, IpcFact, LoadFact, ProtocolFact, UpdaterFact, UtilityFact, WindowFact } from "../facts/electron-fact.js";
import type { PathText } from "../facts/path-text.js";
import { directoryOf, joinPath } from "../resolve/module-tree.js";
import { bridgeUses, passedMessages, type BridgeUse } from "./bridge-uses.js";
import { pairChannels, type IpcCall, type LinkedChannel } from "./ipc-channels.js";
import type { In } from "./in-script.js";
import type { LinkedApplication, LinkedScript } from "./linked-application.js";

export interface LinkedPath {
  /** As the code names it; null when it is put together at run time. */
  readonly requested: string | null;
  readonly path: string | null;
  readonly reason: string | null;
}

export interface LinkedElectron {
  /** Something in the application is Electron's own. */
  readonly isElectron: boolean;
  readonly windows: readonly (In<WindowFact> & { readonly preloadPath: LinkedPath | null })[];
  readonly loads: readonly (In<LoadFact> & { readonly page: string | null })[];
  readonly bridges: readonly In<BridgeFact>[];
  /** Code of pages that uses them. */
  readonly uses: readonly BridgeUse[];
  readonly ipc: readonly IpcCall[];
  readonly channels: readonly LinkedChannel[];
  readonly guards: readonly In<GuardFact>[];
  readonly protocols: readonly In<ProtocolFact>[];
  readonly updaters: readonly In<UpdaterFact>[];
  readonly utilities: readonly (In<UtilityFact> & { readonly linked: LinkedPath })[];
  readonly preloads: readonly { readonly script: LinkedScript; readonly at: WindowFact["at"]; readonly linked: LinkedPath }[];
}

export function linkElectron(application: LinkedApplication): LinkedElectron {
  const { scripts, root } = application;
  const all = <T>(pick: (script: LinkedScript) => readonly T[]): readonly In<T>[] => scripts.flatMap((script) => pick(script).map((fact) => ({ ...fact, script })));
  const find = (path: PathText | null, script: LinkedScript): LinkedPath => linkedPath(path, script, application);
  const windows = all(({ facts }) => facts.electron.windows).map((window) => ({ ...window, preloadPath: window.preload === null ? null : find(window.preload.path, window.script) }));
  const loads = all(({ facts }) => facts.electron.loads).map((load) => ({ ...load, page: loadedPage(load, application) }));
  const utilities = all(({ facts }) => facts.electron.utilities).map((one) => ({ ...one, linked: find(one.entry, one.script) }));
  const ipc = all(({ facts }) => facts.electron.ipc).map((fact) => ({ ...fact, channel: fact.channel ?? referenced(fact, application) }));
  const bridges = all(({ facts }) => facts.electron.bridges);
  const uses = bridgeUses(bridges, scripts);
  const preloads = [
    ...windows.flatMap(({ preload, preloadPath, script }) => (preload === null || preloadPath === null ? [] : [{ script, at: preload.at, linked: preloadPath }])),
    ...all(({ facts }) => facts.electron.sessionPreloads).map(({ path, at, script }) => ({ script, at, linked: find(path, script) })),
  ];
  const asksForElectron = scripts.some(({ imports }) => imports.some(({ target }) => target.kind === "builtin" && target.name.startsWith("electron")));
  return {
    isElectron: asksForElectron || root.manifest?.dependencies.has("electron") === true || root.directory.endsWith("app.asar!"),
    windows,
    loads,
    bridges,
    uses,
    ipc,
    channels: pairChannels([...ipc, ...passedMessages(uses, ipc)]),
    guards: all(({ facts }) => facts.electron.guards),
    protocols: all(({ facts }) => facts.electron.protocols),
    updaters: all(({ facts }) => facts.electron.updaters),
    utilities,
    preloads,
  };
}

/** A channel that another file of the application exports as a constant. */
function referenced({ channelReference: reference, script }: In<IpcFact>, { resolver, scriptsByPath }: LinkedApplication): string | null {
  if (reference === null) return null;
  const found = resolver.resolve(reference.module, script.path, script.facts.dialect === "module" ? "import" : "require");
  const exporter = found.kind === "file" ? scriptsByPath.get(found.path) : undefined;
  return exporter?.facts.constants.find(([name]) => name === reference.path.join("."))?.[1] ?? null;
}

const dynamic: LinkedPath = { requested: null, path: null, reason: "The path is put together at run time." };

/** The file that a path leads to: from the file's directory, the application's root, or by name alone. */
function linkedPath(path: PathText | null, script: LinkedScript, { tree, root, resolver }: LinkedApplication): LinkedPath {
  if (path === null) return dynamic;
  const requested = path.base === "file" || path.base === "none" ? path.path : `<${path.base}>/${path.path}`;
  if (path.base === "resources" || path.base === "user-data") return { requested, path: null, reason: "It lies outside the application." };
  if (path.base === "module") {
    const found = resolver.resolve(path.path, script.path, "require");
    return found.kind === "file" ? { requested, path: found.path, reason: null } : { requested, path: null, reason: "No such file is part of what was read." };
  }
  const starts = path.base === "application" ? [root.directory] : path.base === "none" ? [root.directory, directoryOf(script.path)] : [directoryOf(script.path)];
  for (const start of starts) {
    const candidate = joinPath(start, path.path);
    for (const ending of ["", ".js", ".cjs", ".mjs", ".ts"]) {
      const found = candidate === undefined ? undefined : tree.file(candidate + ending);
      if (found !== undefined) return { requested, path: found, reason: null };
    }
    // A source names what its build will write.
    const source = candidate?.replace(/\.[cm]?js$/u, ".ts");
    const found = source === undefined ? undefined : tree.file(source);
    if (found !== undefined) return { requested, path: found, reason: null };
  }
  return { requested, path: null, reason: "No such file is part of what was read." };
}

function loadedPage(load: In<LoadFact>, application: LinkedApplication): string | null {
  const { target, path, method, script } = load;
  if (method === "loadFile") return linkedPath(path, script, application).path;
  if (target === null) return null;
  const file = /^(?:file:\/\/\/?|app:\/\/[^/]*\/)(.*)$/iu.exec(target)?.[1];
  const asked: PathText | null = path !== null && path.base !== "none" ? path : file === undefined ? null : { base: "none", path: file.replace(/^\{\}\/?/u, "") };
  if (asked === null) return null;
  const clean = { ...asked, path: asked.path.replace(/^(?:\.\/)?file:\/*/iu, "./").replace(/[?#].*$/su, "") };
  return linkedPath(clean, script, application).path;
}
