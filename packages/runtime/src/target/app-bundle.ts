import { lstat, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { isReaError } from "@rea/core";
import { propertyListString } from "@rea/binary";
import { openRegularFile } from "./open-file.js";

const maximumPlistBytes = 1 << 20;

/**
 * The executable of an application bundle: `CFBundleExecutable` of `Contents/Info.plist` (XML or binary) must be a plain
 * file name, and that file a regular one inside `Contents/MacOS`. Otherwise a note says why there is none.
 */
export async function bundleExecutable(root: string): Promise<{ readonly path: string } | { readonly note: string }> {
  const name = await executableName(root);
  if (name === undefined) return { note: "Contents/Info.plist is missing, unreadable or names no executable." };
  if (!isPlainFileName(name)) return { note: "CFBundleExecutable is not a plain file name." };
  const directory = join(root, "Contents", "MacOS");
  const path = join(directory, name);
  try {
    const [stats, real, realDirectory] = await Promise.all([lstat(path), realpath(path), realpath(directory)]);
    if (stats.isFile() && real.startsWith(`${realDirectory}${sep}`)) return { path };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return { note: "The executable that Contents/Info.plist names is not a regular file inside Contents/MacOS." };
}

async function executableName(root: string): Promise<string | undefined> {
  const plist = await readSmallFile(join(root, "Contents", "Info.plist"));
  return plist === undefined ? undefined : propertyListString(plist, "CFBundleExecutable");
}

async function readSmallFile(path: string): Promise<Uint8Array | undefined> {
  try {
    const file = await openRegularFile(path);
    try {
      return file.size > maximumPlistBytes ? undefined : file.source.read(0, file.size);
    } finally {
      await file.handle.close();
    }
  } catch (error) {
    if (isReaError(error)) return undefined;
    throw error;
  }
}

function isPlainFileName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);
}
