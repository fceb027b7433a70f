import { builtinModules } from "node:module";
import { exportTarget, importTarget } from "./package-exports.js";
import type { PackageManifest } from "./manifest.js";
import { directoryOf, joinPath, parentOf, type ModuleTree } from "./module-tree.js";

/** Which of Node's two algorithms asks. */
export type ResolutionMode = "import" | "require";

export type Resolution =
  | { readonly kind: "file"; readonly path: string; /** How: by Node's rules, or by those that bundlers add to them. */ readonly by: "node" | "bundler" }
  | { readonly kind: "builtin"; readonly name: string }
  /** A package that is not part of what was read. */
  | { readonly kind: "external"; readonly name: string }
  | { readonly kind: "missing"; readonly why: "no_such_file" | "not_exported" | "outside" | "not_a_path" };

const builtins: ReadonlySet<string> = new Set(builtinModules);
const conditionsOf: { readonly [M in ResolutionMode]: ReadonlySet<string> } = {
  import: new Set(["node", "import", "module-sync", "node-addons"]),
  require: new Set(["node", "require", "module-sync", "node-addons"]),
};
const requireExtensions = [".js", ".json", ".node"] as const;
const bundlerExtensions = [".ts", ".tsx", ".mts", ".cts", ".mjs", ".js", ".cjs", ".jsx", ".json", ".node", ".vue", ".svelte"] as const;

/** Resolves specifiers in a tree as Node does. Nothing outside the tree is looked at. */
export class ModuleResolver {
  readonly #tree: ModuleTree;

  constructor(tree: ModuleTree) {
    this.#tree = tree;
  }

  /** What `specifier` means in the file at `from`. */
  resolve(specifier: string, from: string, mode: ResolutionMode): Resolution {
    const directory = directoryOf(this.#tree.real(from));
    const strict = this.#strict(specifier, directory, mode);
    if (strict.kind === "file" || strict.kind === "builtin") return strict;
    return this.#asBundler(specifier, directory, mode) ?? strict;
  }

  #strict(specifier: string, directory: string, mode: ResolutionMode): Resolution {
    if (specifier === "") return { kind: "missing", why: "not_a_path" };
    if (specifier.startsWith("node:")) return { kind: "builtin", name: specifier.slice(5) };
    if (builtins.has(specifier)) return { kind: "builtin", name: specifier };
    if (isRelative(specifier)) return this.#relative(specifier, directory, mode);
    if (/^(?:[a-z][\w+.-]*:|\/)/iu.test(specifier)) return { kind: "missing", why: "outside" };
    if (specifier.startsWith("#")) return this.#imported(specifier, directory, mode);
    return this.#package(specifier, directory, mode);
  }

  #relative(specifier: string, directory: string, mode: ResolutionMode): Resolution {
    const path = joinPath(directory, mode === "import" ? urlPath(specifier) : specifier);
    if (path === undefined) return { kind: "missing", why: "outside" };
    if (mode === "import") return this.#exact(path);
    const endsAsDirectory = /(?:^|\/)\.{0,2}$/u.test(specifier);
    const found = (endsAsDirectory ? undefined : this.#asFile(path)) ?? this.#asDirectory(path);
    return found === undefined ? { kind: "missing", why: "no_such_file" } : file(found);
  }

  #exact(path: string): Resolution {
    const found = this.#tree.file(path);
    return found === undefined ? { kind: "missing", why: "no_such_file" } : file(found);
  }

  /** LOAD_AS_FILE */
  #asFile(path: string): string | undefined {
    const exact = this.#tree.file(path);
    if (exact !== undefined) return exact;
    for (const extension of requireExtensions) {
      const found = this.#tree.file(path + extension);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** LOAD_INDEX */
  #asIndex(directory: string): string | undefined {
    for (const extension of requireExtensions) {
      const found = this.#tree.file(below(directory, `index${extension}`));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** LOAD_AS_DIRECTORY */
  #asDirectory(path: string): string | undefined {
    const main = this.#tree.manifest(path)?.main;
    const target = main === null || main === undefined || main === "" ? undefined : joinPath(path, main);
    if (target !== undefined) {
      const found = this.#asFile(target) ?? this.#asIndex(target);
      if (found !== undefined) return found;
    }
    return this.#asIndex(path);
  }

  #imported(specifier: string, directory: string, mode: ResolutionMode): Resolution {
    const scope = this.#tree.scope(directory);
    if (scope === undefined) return { kind: "missing", why: "not_exported" };
    const target = importTarget(scope.imports, specifier, conditionsOf[mode]);
    if (target.kind === "none") return { kind: "missing", why: "not_exported" };
    if (target.kind === "package") return this.#strict(target.specifier, scope.directory, mode);
    return this.#target(scope, target.path);
  }

  #package(specifier: string, directory: string, mode: ResolutionMode): Resolution {
    const { name, subpath } = splitSpecifier(specifier);
    if (name === undefined) return { kind: "missing", why: "not_a_path" };
    const scope = this.#tree.scope(directory);
    if (scope?.name === name && scope.exports !== undefined && scope.exports !== null) return this.#exported(scope, subpath, mode);
    for (let now: string | undefined = directory; now !== undefined; now = parentOf(now)) {
      if (now === "node_modules" || now.endsWith("/node_modules")) continue;
      const found = this.#inModules(below(now, `node_modules/${name}`), subpath, mode);
      if (found !== undefined) return found;
    }
    return { kind: "external", name };
  }

  /** Undefined: look further up. */
  #inModules(directory: string, subpath: string, mode: ResolutionMode): Resolution | undefined {
    const manifest = this.#tree.manifest(directory);
    if (manifest?.exports !== undefined && manifest.exports !== null) return this.#exported(manifest, subpath, mode);
    if (mode === "require") {
      const path = subpath === "." ? directory : below(directory, subpath.slice(2));
      const found = (subpath.endsWith("/") ? undefined : this.#asFile(path)) ?? this.#asDirectory(path);
      return found === undefined ? undefined : file(found);
    }
    if (!this.#tree.isDirectory(directory)) return undefined;
    if (subpath === ".") return this.#legacyMain(directory, manifest);
    const path = joinPath(directory, urlPath(subpath));
    return path === undefined ? { kind: "missing", why: "outside" } : this.#exact(path);
  }

  /** What `import` takes of a package without `exports`: its main, with the endings that are tried, or its index. */
  #legacyMain(directory: string, manifest: PackageManifest | undefined): Resolution {
    const main = manifest?.main;
    if (main !== null && main !== undefined) {
      for (const ending of ["", ".js", ".json", ".node", "/index.js", "/index.json", "/index.node"]) {
        const path = joinPath(directory, main + ending);
        const found = path === undefined ? undefined : this.#tree.file(path);
        if (found !== undefined) return file(found);
      }
    }
    const index = this.#asIndex(directory);
    return index === undefined ? { kind: "missing", why: "no_such_file" } : file(index);
  }

  #exported(manifest: PackageManifest, subpath: string, mode: ResolutionMode): Resolution {
    const target = exportTarget(manifest.exports, subpath, conditionsOf[mode]);
    return target.kind === "path" ? this.#target(manifest, target.path) : { kind: "missing", why: "not_exported" };
  }

  #target({ directory }: PackageManifest, target: string): Resolution {
    const path = joinPath(directory, urlPath(target));
    return path === undefined ? { kind: "missing", why: "outside" } : this.#exact(path);
  }

  /** What bundlers and TypeScript add: more endings, `module` and `browser`, `.js` that stands for `.ts`. */
  #asBundler(specifier: string, directory: string, mode: ResolutionMode): Resolution | undefined {
    const plain = specifier.replace(/[?#].*$/su, "");
    const base = isRelative(plain) ? joinPath(directory, plain) : plain.startsWith("#") ? undefined : this.#installed(plain, directory, mode);
    const found = base === undefined ? undefined : this.#endings(base);
    return found === undefined ? undefined : { kind: "file", path: found, by: "bundler" };
  }

  #endings(base: string): string | undefined {
    const exact = this.#tree.file(base);
    if (exact !== undefined) return exact;
    const source = base.replace(/\.([cm]?)jsx?$/u, ".$1ts");
    const candidates = [
      ...bundlerExtensions.map((extension) => base + extension),
      ...(source === base ? [] : [source, `${source.slice(0, -2)}tsx`]),
      ...bundlerExtensions.map((extension) => below(base, `index${extension}`)),
    ];
    for (const candidate of candidates) {
      const found = this.#tree.file(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #installed(specifier: string, directory: string, mode: ResolutionMode): string | undefined {
    const { name, subpath } = splitSpecifier(specifier);
    if (name === undefined) return undefined;
    for (let now: string | undefined = directory; now !== undefined; now = parentOf(now)) {
      const place = below(now, `node_modules/${name}`);
      if (!this.#tree.isDirectory(place)) continue;
      const manifest = this.#tree.manifest(place);
      if (manifest?.exports !== undefined && manifest.exports !== null) {
        const target = exportTarget(manifest.exports, subpath, new Set([...conditionsOf[mode], "browser", "module", "development", "production"]));
        return target.kind === "path" ? joinPath(place, target.path) : undefined;
      }
      if (subpath !== ".") return joinPath(place, subpath);
      const browser = typeof manifest?.browser === "string" ? manifest.browser : undefined;
      return joinPath(place, browser ?? manifest?.module ?? manifest?.main ?? ".");
    }
    return undefined;
  }
}

function file(path: string): Resolution {
  return { kind: "file", path, by: "node" };
}

function isRelative(specifier: string): boolean {
  return /^\.{1,2}(?:\/|$)/u.test(specifier);
}

function below(directory: string, path: string): string {
  return directory === "" ? path : `${directory}/${path}`;
}

/** Specifiers of `import` are URLs: queries fall off, escapes are decoded; an escaped separator is refused. */
function urlPath(specifier: string): string {
  const path = specifier.replace(/[?#].*$/su, "");
  if (!path.includes("%") || /%2f|%5c/iu.test(path)) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign stands for itself.
    return path;
  }
}

/** Name of the package and `.` or `./rest`. */
export function splitSpecifier(specifier: string): { readonly name: string | undefined; readonly subpath: string } {
  const parts = specifier.split("/");
  const length = specifier.startsWith("@") ? 2 : 1;
  const name = parts.slice(0, length).join("/");
  const isValid = parts.length >= length && name !== "" && !name.startsWith(".") && !/[\\%]/u.test(name) && (length === 1 || (name.length > 2 && (parts[1] ?? "") !== ""));
  const rest = parts.slice(length).join("/");
  return { name: isValid ? name : undefined, subpath: parts.length > length ? `./${rest}` : "." };
}
