import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isReaError } from "@rea/core";
import { openFileSource } from "../file-source.js";
import { propertyListString } from "../plist.js";
import type { BundleFiles } from "./macho-slots.js";

const mostBytes = 64 << 20;

/** Where a program stands in its bundle, and from there its bundle's root for signatures and its Info.plist. */
const layouts: readonly { readonly root: string; readonly plist: string }[] = [
  // Application.app/Contents/MacOS/program
  { root: "..", plist: "Info.plist" },
  // Name.framework/Versions/A/Name
  { root: ".", plist: "Resources/Info.plist" },
  // Application.app/program, as on iOS
  { root: ".", plist: "Info.plist" },
];

/**
 * The files of the bundle around a Mach-O program that its code directory seals. "unknown" for a file that is not the
 * main program of a bundle: its signature seals none of them.
 */
export function bundleFilesOf(programPath: string): BundleFiles {
  const directory = dirname(programPath);
  for (const { root, plist } of layouts) {
    const base = join(directory, root);
    const infoPlist = fileInside(base, plist);
    if (infoPlist === undefined || propertyListString(infoPlist, "CFBundleExecutable") !== basename(programPath)) continue;
    return { infoPlist, codeResources: fileInside(base, "_CodeSignature/CodeResources") ?? "absent" };
  }
  return { infoPlist: "unknown", codeResources: "unknown" };
}

/** A regular file that no link leads out of the bundle. */
function fileInside(base: string, relative: string): Uint8Array | undefined {
  try {
    const path = realpathSync.native(join(base, relative));
    if (path !== join(realpathSync.native(base), relative)) return undefined;
    const source = openFileSource(path);
    try {
      return source.size > mostBytes ? undefined : Uint8Array.from(source.read(0, source.size));
    } finally {
      source.close();
    }
  } catch (error) {
    if (isReaError(error) || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}
