import type { ApplicationEntry } from "../application/application-files.js";
import type { PackageManifest } from "../resolve/manifest.js";
import { directoryOf } from "../resolve/module-tree.js";

/** Where the application proper begins inside what was read. */
export interface ApplicationRoot {
  /** "" for the top. */
  readonly directory: string;
  readonly manifest: PackageManifest | undefined;
}

/** In order: the top's own package, an Electron package's archive or directory, the package nearest the top. */
export function applicationRoot(manifests: readonly PackageManifest[], entries: ReadonlyMap<string, ApplicationEntry>): ApplicationRoot {
  const own = manifests.filter(({ directory }) => !/(?:^|\/)node_modules(?:\/|$)/u.test(directory));
  const top = own.find(({ directory }) => directory === "");
  const packed = own.filter(({ directory }) => /(?:^|\/)(?:app\.asar!|resources\/app|Resources\/app)$/u.test(directory)).sort(byDepth)[0];
  const isShell = packed !== undefined && (top === undefined || top.main === null);
  const found = isShell ? packed : (top ?? packed ?? [...own].sort(byDepth)[0]);
  if (found !== undefined) return { directory: found.directory, manifest: found };
  const pages = [...entries.keys()].filter((path) => /(?:^|\/)index\.html?$/iu.test(path)).sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  return { directory: pages[0] === undefined ? "" : directoryOf(pages[0]), manifest: undefined };
}

function byDepth(a: PackageManifest, b: PackageManifest): number {
  return depth(a.directory) - depth(b.directory) || (a.directory < b.directory ? -1 : 1);
}

function depth(path: string): number {
  return path === "" ? 0 : path.split("/").length;
}

/**
 * The path that a file has for itself: from the application's root, whatever the application is packed in. Files beside it
 * begin with `/`.
 */
export function ownPath(path: string, { directory }: Pick<ApplicationRoot, "directory">): string {
  if (directory === "") return path;
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : `/${path}`;
}
