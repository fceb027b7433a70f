import type { Dirent } from "node:fs";
import { isReaError } from "@rea/core";
import type { MemberManifest } from "../integrity/manifest.js";
import { manifestsIn } from "../integrity/manifests-in.js";
import { mostManifestBytes } from "../integrity/read-content.js";
import type { HostDirectory } from "./host-directory.js";

/** A directory that is about to be listed. */
export interface ListedDirectory {
  readonly directory: HostDirectory;
  /** Path from the root, with a slash at its end; empty for the root. */
  readonly prefix: Buffer;
  readonly list: readonly Dirent<Buffer>[];
}

/** Lists of digests that a directory holds of what lies in it. */
export async function levelManifests(level: ListedDirectory): Promise<readonly MemberManifest[]> {
  const names = level.list.flatMap((child) => manifestNames(level, child));
  if (names.length === 0) return [];
  const prefix = level.prefix.toString();
  // A prefix that is no text names nothing that a list could name.
  if (!Buffer.from(prefix).equals(level.prefix)) return [];
  return manifestsIn({
    names: names.map((name) => prefix + name),
    open: (name) => Promise.resolve(name.startsWith(prefix) ? attempt(() => level.directory.openFile(Buffer.from(name.slice(prefix.length)))) : undefined),
    read: (name) => Promise.resolve(name.startsWith(prefix) ? readInside(level.directory, name.slice(prefix.length).split("/")) : undefined),
  });
}

const fileNames: ReadonlySet<string> = new Set(["AppxBlockMap.xml", "AppxSignature.p7x", "package-lock.json", "npm-shrinkwrap.json"]);

function manifestNames({ directory, prefix }: ListedDirectory, child: Dirent<Buffer>): readonly string[] {
  const name = child.name.toString();
  // A Windows program of an Electron application declares what its archives are.
  if (child.isFile() && /\.exe$/iu.test(name)) return [name];
  if (child.isFile()) return fileNames.has(name) || (name === "Info.plist" && /(?:^|\/)Contents\/$/u.test(prefix.toString())) ? [name] : [];
  if (!child.isDirectory()) return [];
  if (name === "_CodeSignature") return ["_CodeSignature/CodeResources"];
  if (name === "resources") return (attempt(() => childrenOf(directory, child.name)) ?? []).filter((one) => one.endsWith(".asar")).map((one) => `resources/${one}`);
  if (name.endsWith(".dist-info")) return [`${name}/RECORD`];
  // An unpacked JAR: its signature files have any name.
  return name === "META-INF" && prefix.byteLength === 0 ? (attempt(() => childrenOf(directory, child.name)) ?? []).map((one) => `META-INF/${one}`) : [];
}

function childrenOf(directory: HostDirectory, name: Buffer): readonly string[] {
  const inner = directory.openDirectory(name);
  try {
    return inner.list().map((one) => one.name.toString());
  } finally {
    inner.close();
  }
}

function readInside(directory: HostDirectory, [first = "", ...rest]: readonly string[]): Uint8Array | undefined {
  return attempt(() => {
    if (rest.length === 0) return readFile(directory, first);
    const inner = directory.openDirectory(Buffer.from(first));
    try {
      return readInside(inner, rest);
    } finally {
      inner.close();
    }
  });
}

function readFile(directory: HostDirectory, name: string): Uint8Array | undefined {
  const file = directory.openFile(Buffer.from(name));
  try {
    return file.size > mostManifestBytes ? undefined : file.read(0, file.size);
  } finally {
    file.close();
  }
}

/** What is missing or refused is no list. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (isReaError(error) && (error.code === "target_unavailable" || error.code === "artifact_operation_failed")) return undefined;
    throw error;
  }
}
