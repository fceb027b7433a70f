import { unescapeUntrusted } from "@rea/core";
import type { Inventory } from "@rea/artifact";
import type { ApplicationEntry, ApplicationFile, ReadApplication } from "../application/application-files.js";
import type { ReadText } from "../application/read-texts.js";
import { mapPath } from "../application/read-texts.js";
import type { ImportFact } from "../facts/fact.js";
import type { ScriptFacts } from "../facts/script-facts.js";
import type { PageFacts } from "../files/file-facts.js";
import type { PackageManifest } from "../resolve/manifest.js";
import { directoryOf, joinPath, ModuleTree } from "../resolve/module-tree.js";
import { ModuleResolver } from "../resolve/resolve-module.js";
import { applicationRoot, type ApplicationRoot } from "./application-root.js";
import { linkImport, type ImportTarget } from "./link-import.js";
import { collectOriginals, originalEdges, type MapInApplication, type Original, type OriginalEdge } from "./originals.js";

export interface LinkedImport {
  readonly fact: ImportFact;
  readonly target: ImportTarget;
}

export interface LinkedScript {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly facts: ScriptFacts;
  readonly encoding: string;
  readonly imports: readonly LinkedImport[];
  /** Path of its map: in the application, its own for an inline one; null without a link. */
  readonly map: string | null;
}

export interface LinkedPage {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly facts: PageFacts;
  /** By position in `facts.scripts`: the file in the application, null for another host, inline ones and what is missing. */
  readonly targets: readonly (string | null)[];
}

export interface LinkedMap extends Omit<MapInApplication, "facts"> {
  readonly sha256: string | null;
  readonly verdict: "complete" | "partial" | "contradicting" | "unreadable" | "missing";
  readonly facts: MapInApplication["facts"] | null;
}

/** An application with its parts tied together. Lists are in order of paths. */
export interface LinkedApplication {
  readonly inventory: Inventory;
  readonly entries: ReadonlyMap<string, ApplicationEntry>;
  readonly root: ApplicationRoot;
  readonly manifests: readonly { readonly path: string; readonly sha256: string; readonly manifest: PackageManifest }[];
  readonly badManifests: readonly ApplicationFile[];
  readonly tree: ModuleTree;
  readonly resolver: ModuleResolver;
  readonly scripts: readonly LinkedScript[];
  readonly scriptsByPath: ReadonlyMap<string, LinkedScript>;
  readonly pages: readonly LinkedPage[];
  readonly maps: readonly LinkedMap[];
  readonly originals: ReadonlyMap<string, Original>;
  readonly originalsLeft: number;
  readonly originalEdges: readonly OriginalEdge[];
  readonly failures: readonly { readonly path: string; readonly sha256: string; readonly sizeBytes: number; readonly why: string }[];
  readonly settings: readonly ApplicationFile[];
}

export interface ManifestFile {
  readonly file: ApplicationFile;
  readonly manifest: PackageManifest | undefined;
}

export function linkApplication(read: ReadApplication, texts: ReadonlyMap<string, ReadText>, manifestFiles: readonly ManifestFile[], most: { readonly originals: number }): LinkedApplication {
  const manifests = manifestFiles.flatMap(({ file, manifest }) => (manifest === undefined ? [] : [{ path: file.path, sha256: file.sha256, manifest }]));
  const tree = new ModuleTree(read.entries.keys(), manifests.map(({ manifest }) => manifest), linksOf(read.inventory));
  const resolver = new ModuleResolver(tree);
  const root = applicationRoot(manifests.map(({ manifest }) => manifest), read.entries);
  const scripts: LinkedScript[] = [];
  const pages: LinkedPage[] = [];
  const failures: LinkedApplication["failures"][number][] = [];
  const maps: LinkedMap[] = [];
  for (const { path, sha256, sizeBytes } of read.files) {
    const text = texts.get(path);
    if (text?.kind === "failed") failures.push({ path, sha256, sizeBytes, why: text.failure });
    else if (text?.kind === "script") {
      const { facts, encoding } = text.facts;
      const map = mapOf({ path, sha256, text }, read);
      if (map !== undefined) maps.push(map);
      const imports = facts.imports.map((fact) => ({ fact, target: linkImport(fact, { path, dialect: facts.dialect, root, tree, resolver }) }));
      scripts.push({ path, sha256, sizeBytes, facts, encoding, imports, map: map?.path ?? null });
    } else if (text?.kind === "page") {
      const { inline } = text.facts;
      // What stands in a page is a script of the page's own path.
      if (inline !== null) {
        const imports = inline.imports.map((fact) => ({ fact, target: linkImport(fact, { path, dialect: inline.dialect, root, tree, resolver }) }));
        scripts.push({ path, sha256, sizeBytes, facts: inline, encoding: "utf-8", imports, map: null });
      }
      pages.push({ path, sha256, sizeBytes, facts: text.facts, targets: text.facts.scripts.map(({ target }) => pageScript(path, target, { tree, root })) });
    } else if (text?.kind === "map") maps.push({ path, sha256, script: null, verdict: text.facts.verdict, facts: text.facts });
  }
  const known = maps.flatMap(({ path, script, facts }) => (facts === null ? [] : [{ path, script, facts }]));
  const { originals, left } = collectOriginals(known, most.originals);
  return {
    inventory: read.inventory,
    entries: read.entries,
    root,
    manifests,
    badManifests: manifestFiles.flatMap(({ file, manifest }) => (manifest === undefined ? [file] : [])),
    tree,
    resolver,
    scripts,
    scriptsByPath: new Map(scripts.map((script) => [script.path, script])),
    pages,
    maps,
    originals,
    originalsLeft: left,
    originalEdges: originalEdges(originals),
    failures,
    settings: read.files.filter(({ role }) => role === "settings"),
  };
}

/** The map of a script, also the one it names and that is not there. */
function mapOf({ path, sha256, text }: { readonly path: string; readonly sha256: string; readonly text: Extract<ReadText, { kind: "script" }> }, { entries }: ReadApplication): LinkedMap | undefined {
  const { facts, map } = text.facts;
  if (text.mapPath !== null && map !== null) return { path: text.mapPath, sha256: entries.get(text.mapPath)?.sha256 ?? null, script: path, verdict: map.verdict, facts: map };
  if (facts.sourceMap?.inline !== null && facts.sourceMap?.inline !== undefined && map !== null) return { path, sha256, script: path, verdict: map.verdict, facts: map };
  const url = facts.sourceMap?.url;
  if (url === null || url === undefined || url === "") return undefined;
  const target = mapPath(path, url);
  return { path: target ?? url, sha256: null, script: path, verdict: "missing", facts: null };
}

function pageScript(page: string, target: string | null, { tree, root }: { readonly tree: ModuleTree; readonly root: ApplicationRoot }): string | null {
  if (target === null) return null;
  const candidates = target.startsWith("/") ? [joinPath(root.directory, target), joinPath(directoryOf(page), target), joinPath("", target)] : [joinPath(directoryOf(page), target)];
  for (const candidate of candidates) {
    const found = candidate === undefined ? undefined : tree.file(candidate);
    if (found !== undefined) return found;
  }
  return null;
}

/** Symbolic links with the paths inside the tree that they lead to; links that lead out are not followed. */
function linksOf({ graph }: Inventory): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const { entry_kind, link_target, logical_path } of graph.occurrences) {
    if (entry_kind !== "symlink" || link_target === null) continue;
    const target = unescapeUntrusted(link_target);
    const container = logical_path.lastIndexOf("!/");
    // In an ASAR targets count from the archive's root.
    const isAsar = container >= 0 && logical_path.slice(0, container).endsWith(".asar");
    const from = isAsar ? logical_path.slice(0, container + 1) : directoryOf(logical_path);
    const path = target.startsWith("/") ? undefined : joinPath(from, target);
    if (path !== undefined && path !== logical_path) links.set(logical_path, path);
  }
  return links;
}
