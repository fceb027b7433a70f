import type { ImportFact } from "../facts/fact.js";
import { directoryOf, joinPath, type ModuleTree } from "../resolve/module-tree.js";
import type { ModuleResolver, Resolution } from "../resolve/resolve-module.js";
import type { ApplicationRoot } from "./application-root.js";

/** What an import leads to. */
export type ImportTarget =
  | { readonly kind: "file"; readonly path: string; readonly by: "node" | "bundler" | "name" }
  | { readonly kind: "builtin"; readonly name: string }
  | { readonly kind: "external"; readonly name: string }
  | { readonly kind: "self" }
  | { readonly kind: "dynamic" }
  | { readonly kind: "missing"; readonly why: string };

interface Importing {
  readonly path: string;
  readonly dialect: string;
  readonly root: ApplicationRoot;
  readonly tree: ModuleTree;
  readonly resolver: ModuleResolver;
}

const reasons = {
  no_such_file: "No such file is part of what was read.",
  not_exported: "The package does not export it.",
  outside: "It leads out of what was read.",
  not_a_path: "It is no module specifier.",
} as const;

/** Modules that Electron itself provides. */
const provided: ReadonlySet<string> = new Set(["electron", "electron/main", "electron/renderer", "electron/common", "electron/utility", "original-fs"]);

export function linkImport(fact: ImportFact, importing: Importing): ImportTarget {
  const { specifier, kind } = fact;
  if (kind === "native-addon") return linkAddon(specifier, importing);
  if (specifier === null) return { kind: "dynamic" };
  if (provided.has(specifier)) return { kind: "builtin", name: specifier };
  if (fact.base === "page") return fromPage(specifier, importing);
  if (kind === "worker" || kind === "shared-worker" || kind === "service-worker" || kind === "worklet" || kind === "import-scripts" || kind === "url" || kind === "child-script") {
    return asPath(specifier, importing);
  }
  const mode = kind === "require" || kind === "require-resolve" ? "require" : "import";
  return settled(importing.resolver.resolve(specifier, importing.path, mode), importing);
}

function settled(resolution: Resolution, { path }: Importing): ImportTarget {
  if (resolution.kind === "missing") return { kind: "missing", why: reasons[resolution.why] };
  if (resolution.kind === "file" && resolution.path === path) return { kind: "self" };
  return resolution;
}

function asPath(specifier: string, importing: Importing): ImportTarget {
  const { path, resolver } = importing;
  if (/^(?:https?|data|blob):/iu.test(specifier)) return { kind: "missing", why: "It is not part of the application." };
  const relative = /^\.{0,2}\//u.test(specifier) || specifier.startsWith("..") ? specifier : `./${specifier}`;
  const found = resolver.resolve(relative, path, "require");
  if (found.kind === "file") return settled(found, importing);
  return specifier.startsWith(".") ? settled(found, importing) : settled(resolver.resolve(specifier, path, "require"), importing);
}

/** Addresses count from the page; which page is not known here, so the places that pages usually have are tried. */
function fromPage(specifier: string, { path, root, tree }: Importing): ImportTarget {
  if (/^(?:[a-z][\w+.-]*:|\/\/)/iu.test(specifier)) return { kind: "missing", why: "It is not part of the application." };
  const plain = specifier.replace(/[?#].*$/su, "");
  const starts = plain.startsWith("/") ? [root.directory, directoryOf(path), directoryOf(directoryOf(path)), ""] : [directoryOf(path), directoryOf(directoryOf(path)), root.directory];
  for (const start of starts) {
    const candidate = joinPath(start, plain);
    const found = candidate === undefined ? undefined : tree.file(candidate);
    if (found === path) return { kind: "self" };
    if (found !== undefined) return { kind: "file", path: found, by: "name" };
  }
  return { kind: "missing", why: reasons.no_such_file };
}

/** Addons are named by path, or found by helpers below the package that asks. */
function linkAddon(specifier: string | null, { path, tree, resolver }: Importing): ImportTarget {
  if (specifier !== null && /^\.{1,2}\//u.test(specifier)) {
    const found = resolver.resolve(specifier, path, "require");
    return found.kind === "file" ? { kind: "file", path: found.path, by: "node" } : { kind: "missing", why: reasons.no_such_file };
  }
  if (specifier !== null && specifier.endsWith(".node") && specifier.includes("/")) {
    const found = resolver.resolve(specifier, path, "require");
    if (found.kind === "file") return { kind: "file", path: found.path, by: "node" };
  }
  return addonByName(specifier, path, tree);
}

/** Where the helpers that find addons look, below the package that asks. */
function addonByName(specifier: string | null, path: string, tree: ModuleTree): ImportTarget {
  const scope = tree.scope(directoryOf(path));
  const name = specifier === null ? null : (specifier.split("/").at(-1) ?? "").replace(/\.node$/u, "");
  const names = name === null ? ["binding", "addon", ...(scope?.name === null || scope === undefined ? [] : [scope.name.split("/").at(-1) ?? ""])] : [name];
  for (const directory of ["build/Release", "build/Debug", "build/default", "build", "out/Release", "Release", "lib/binding", "bin"]) {
    for (const one of names) {
      const candidate = joinPath(scope?.directory ?? directoryOf(path), `${directory}/${one}.node`);
      const found = candidate === undefined ? undefined : tree.file(candidate);
      if (found !== undefined) return { kind: "file", path: found, by: "name" };
    }
  }
  return specifier === null ? { kind: "dynamic" } : { kind: "missing", why: "No addon of this name lies where such helpers look." };
}
