import type { ApplicationSummary } from "@rea/core";
import type { LinkedApplication } from "../link/linked-application.js";
import { exportTarget } from "../resolve/package-exports.js";
import type { LinkedElectron, LinkedPath } from "../link/electron.js";
import { shown } from "./cite.js";

type Entry = ApplicationSummary["entry_points"]["items"][number];

/** Where an application begins: what its package names, its pages, and what Electron is told to start. */
export function entryPoints({ root, resolver, pages, scripts }: LinkedApplication, electron: LinkedElectron): Entry[] {
  const { manifest } = root;
  const found: Entry[] = [];
  if (manifest !== undefined) {
    const from = manifest.directory === "" ? "package.json" : `${manifest.directory}/package.json`;
    const add = (role: string, requested: string): void => {
      const target = resolver.resolve(requested.startsWith(".") ? requested : `./${requested}`, from, "require");
      found.push({ role, requested: shown(requested), path: target.kind === "file" ? shown(target.path) : null, reason: target.kind === "file" ? null : "No such file is part of what was read." });
    };
    if (manifest.main !== null) add("main", manifest.main);
    else if (resolver.resolve("./index.js", from, "require").kind === "file") add("main", "./index.js");
    if (manifest.module !== null) add("module", manifest.module);
    if (typeof manifest.browser === "string") add("browser", manifest.browser);
    for (const path of manifest.bin) add("bin", path);
    for (const [subpath, requested] of exported(manifest.exports)) add(`exports ${subpath}`, requested);
  }
  for (const { path } of pages) found.push({ role: "page", requested: shown(path), path: shown(path), reason: null });
  if (!electron.isElectron) return found;
  if (manifest?.main === null) for (const path of mainProcesses(scripts)) found.push({ role: "electron main", requested: shown(path), path: shown(path), reason: "Concluded: it uses what only the main process has, and no file imports it." });
  const started = (role: string, { requested, path, reason }: LinkedPath): void => {
    found.push({ role, requested: shown(requested ?? path ?? "(decided at run time)"), path: path === null ? null : shown(path), reason });
  };
  for (const { linked } of electron.preloads) started("preload", linked);
  for (const { linked } of electron.utilities) started("utility process", linked);
  return [...new Map(found.map((entry) => [JSON.stringify(entry), entry])).values()];
}

/** Scripts of the application itself that open windows or take messages and that no other imports; a starter may run one as a program. */
function mainProcesses(scripts: LinkedApplication["scripts"]): readonly string[] {
  const asked = new Set(scripts.flatMap(({ imports }) => imports.flatMap(({ fact, target }) => (target.kind === "file" && fact.kind !== "child-script" ? [target.path] : []))));
  return scripts.flatMap(({ path, facts: { electron } }) => {
    const isMain = electron.windows.length > 0 || electron.ipc.some(({ side }) => side === "main");
    return isMain && !asked.has(path) && !/(?:^|\/)node_modules\//u.test(path) ? [path] : [];
  });
}

const conditions: ReadonlySet<string> = new Set(["node", "import", "module-sync", "node-addons"]);

function exported(exports: unknown): readonly (readonly [string, string])[] {
  if (exports === undefined || exports === null) return [];
  const keys = typeof exports === "object" && !Array.isArray(exports) ? Object.keys(exports).filter((key) => key.startsWith(".") && !key.includes("*")) : [];
  return (keys.length === 0 ? ["."] : keys).flatMap((key): (readonly [string, string])[] => {
    const target = exportTarget(exports, key, conditions);
    return target.kind === "path" ? [[key, target.path]] : [];
  });
}
