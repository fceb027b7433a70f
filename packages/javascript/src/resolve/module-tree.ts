import type { PackageManifest } from "./manifest.js";

const mostLinks = 16;

/** The files of an application as resolution sees them; nothing outside exists. */
export class ModuleTree {
  readonly #files: ReadonlySet<string>;
  readonly #directories = new Set<string>([""]);
  readonly #manifests: ReadonlyMap<string, PackageManifest>;
  readonly #links: ReadonlyMap<string, string>;

  /** `links`: symbolic links by path, with the path inside the tree that they lead to. */
  constructor(files: Iterable<string>, manifests: Iterable<PackageManifest>, links: ReadonlyMap<string, string> = new Map()) {
    this.#files = new Set(files);
    this.#manifests = new Map([...manifests].map((manifest) => [manifest.directory, manifest]));
    this.#links = links;
    for (const path of this.#files) this.#addDirectories(path);
  }

  #addDirectories(path: string): void {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const directory = path.slice(0, at);
      if (this.#directories.has(directory)) return;
      this.#directories.add(directory);
    }
  }

  /** The path with links followed; the path itself where there are none. */
  real(path: string): string {
    if (this.#links.size === 0) return path;
    let now = path;
    for (let turns = 0; turns < mostLinks; turns += 1) {
      const next = this.#followed(now);
      if (next === undefined) return now;
      now = next;
    }
    return path;
  }

  #followed(path: string): string | undefined {
    for (let at = path.indexOf("/"); ; at = path.indexOf("/", at + 1)) {
      const prefix = at < 0 ? path : path.slice(0, at);
      const target = this.#links.get(prefix);
      if (target !== undefined) return at < 0 ? target : target + path.slice(at);
      if (at < 0) return undefined;
    }
  }

  /** The real path of a file; undefined when there is none. */
  file(path: string): string | undefined {
    const real = this.real(path);
    return this.#files.has(real) ? real : undefined;
  }

  isDirectory(path: string): boolean {
    return this.#directories.has(this.real(path));
  }

  manifest(directory: string): PackageManifest | undefined {
    return this.#manifests.get(this.real(directory));
  }

  /** The nearest package.json at or above a directory; a node_modules directory ends the search. */
  scope(directory: string): PackageManifest | undefined {
    for (let now: string | undefined = directory; now !== undefined; now = parentOf(now)) {
      if (now === "node_modules" || now.endsWith("/node_modules")) return undefined;
      const found = this.manifest(now);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

export function parentOf(directory: string): string | undefined {
  if (directory === "") return undefined;
  const at = directory.lastIndexOf("/");
  return at < 0 ? "" : directory.slice(0, at);
}

export function directoryOf(path: string): string {
  return parentOf(path) ?? "";
}

/** Joins and settles `.` and `..`; undefined for a path that leaves the tree. */
export function joinPath(directory: string, path: string): string | undefined {
  const segments = directory === "" ? [] : directory.split("/");
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join("/");
}
