import type { MapFacts, OriginalFact } from "../files/file-facts.js";
import { directoryOf, joinPath } from "../resolve/module-tree.js";
import { splitSpecifier } from "../resolve/resolve-module.js";
import { isBundlerSource, packageOfPath, sourcePath } from "./source-name.js";

/** An original as the application has it: once for each path and content. */
export interface Original {
  /** Path, with `#` and the begin of the digest for a second content under the same name. */
  readonly key: string;
  readonly path: string;
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly isFirstParty: boolean;
  readonly isBundlers: boolean;
  readonly imports: OriginalFact["imports"];
  /** Maps that name it, with its position in their lists. */
  readonly in: { readonly map: string; readonly script: string | null; readonly original: OriginalFact }[];
}

export interface MapInApplication {
  /** Path of the map, or of the script that holds it. */
  readonly path: string;
  readonly script: string | null;
  readonly facts: MapFacts;
}

/** All originals of an application's maps; `maps` in order of their paths. */
export function collectOriginals(maps: readonly MapInApplication[], most: number): { readonly originals: ReadonlyMap<string, Original>; readonly left: number } {
  const originals = new Map<string, Original>();
  let left = 0;
  for (const { path: map, script, facts } of maps) {
    for (const original of facts.originals) {
      const path = sourcePath(original.name);
      if (path === "") continue;
      const key = keyOf(originals, path, original.sha256);
      const known = originals.get(key);
      if (known !== undefined) known.in.push({ map, script, original });
      else if (originals.size >= most) left += 1;
      else {
        const isBundlers = isBundlerSource(original.name);
        const isFirstParty = !isBundlers && !original.ignored && packageOfPath(path) === undefined;
        originals.set(key, { key, path, sha256: original.sha256, bytes: original.bytes, isFirstParty, isBundlers, imports: original.imports, in: [{ map, script, original }] });
      }
    }
  }
  return { originals, left };
}

function keyOf(originals: ReadonlyMap<string, Original>, path: string, sha256: string | null): string {
  const known = originals.get(path);
  if (known === undefined || known.sha256 === sha256 || sha256 === null) return path;
  return `${path}#${sha256.slice(0, 16)}`;
}

export interface OriginalEdge {
  readonly from: Original;
  readonly to: Original;
  readonly specifier: string;
  readonly confidence: "high" | "medium";
}

const endings = ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".json", ".vue", ".svelte", "/index.ts", "/index.tsx", "/index.js", "/index.jsx", "/index.mjs", "/index.cjs"] as const;

/** Imports among originals: relative ones by path, packages by what of them nothing else of the package leads to. */
export function originalEdges(originals: ReadonlyMap<string, Original>): readonly OriginalEdge[] {
  const linker = new OriginalLinker(originals);
  const edges: OriginalEdge[] = [];
  for (const from of originals.values()) {
    const seen = new Set<string>();
    for (const { specifier, isTypeOnly } of from.imports) {
      const found = isTypeOnly ? undefined : linker.find(specifier, from);
      if (found === undefined || found.to === from || seen.has(found.to.key)) continue;
      seen.add(found.to.key);
      edges.push({ from, specifier, ...found });
    }
  }
  return edges;
}

class OriginalLinker {
  readonly #byPath = new Map<string, Original>();
  /** Originals of each package by its directory. */
  readonly #packages = new Map<string, Original[]>();
  readonly #entries = new Map<string, Original | undefined>();

  constructor(originals: ReadonlyMap<string, Original>) {
    for (const original of originals.values()) {
      if (original.key === original.path) this.#byPath.set(original.path, original);
      const owner = packageOfPath(original.path);
      if (owner === undefined) continue;
      const list = this.#packages.get(owner.directory) ?? [];
      if (list.length === 0) this.#packages.set(owner.directory, list);
      list.push(original);
    }
  }

  find(specifier: string, from: Original): { readonly to: Original; readonly confidence: "high" | "medium" } | undefined {
    const plain = specifier.replace(/[?#].*$/su, "");
    if (/^\.{1,2}(?:\/|$)/u.test(plain)) {
      const to = this.#path(joinPath(directoryOf(from.path), plain));
      return to === undefined ? undefined : { to, confidence: "high" };
    }
    const { name, subpath } = splitSpecifier(plain);
    if (name === undefined) return undefined;
    for (const directory of this.#places(name, from)) {
      const to = subpath === "." ? this.#entry(directory) : (this.#path(`${directory}/${subpath.slice(2)}`) ?? undefined);
      if (to !== undefined) return { to, confidence: "medium" };
    }
    return undefined;
  }

  #path(path: string | undefined): Original | undefined {
    if (path === undefined) return undefined;
    for (const ending of endings) {
      const found = this.#byPath.get(path + ending);
      if (found !== undefined) return found;
    }
    // `./a.js` of TypeScript stands for `./a.ts`.
    const source = path.replace(/\.([cm]?)jsx?$/u, ".$1ts");
    return source === path ? undefined : (this.#byPath.get(source) ?? this.#byPath.get(`${source.slice(0, -2)}tsx`));
  }

  /** Directories of a package's copies: nested ones of the importing package first. */
  #places(name: string, from: Original): readonly string[] {
    const own = packageOfPath(from.path);
    const nested = own === undefined ? [] : [...this.#packages.keys()].filter((directory) => directory === `${own.directory}/node_modules/${name}`);
    const others = [...this.#packages.keys()].filter((directory) => directory.endsWith(`node_modules/${name}`) && !nested.includes(directory));
    return nested.length > 0 ? nested : others.length === 1 ? others : others.filter((directory) => directory === `node_modules/${name}`);
  }

  /** The one original of a package that no other of it imports. */
  #entry(directory: string): Original | undefined {
    if (this.#entries.has(directory)) return this.#entries.get(directory);
    const all = this.#packages.get(directory) ?? [];
    const inner = new Set<Original>();
    for (const one of all) {
      for (const { specifier } of one.imports) {
        const target = /^\.{1,2}(?:\/|$)/u.test(specifier) ? this.#path(joinPath(directoryOf(one.path), specifier)) : undefined;
        if (target !== undefined && target !== one) inner.add(target);
      }
    }
    const roots = all.filter((one) => !inner.has(one));
    const found = roots.length === 1 ? roots[0] : (this.#path(`${directory}/index`) ?? undefined);
    this.#entries.set(directory, found);
    return found;
  }
}
