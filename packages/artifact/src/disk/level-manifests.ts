import type { MemberManifest } from "../integrity/manifest.js";
import { manifestsIn } from "../integrity/manifests-in.js";
import { mostManifestBytes } from "../integrity/read-content.js";
import { attempt, type Level } from "./directory-steps.js";
import type { HostDirectory } from "./host-directory.js";
import { nameBytes, nameText, type ListedChild } from "./host-listing.js";

/** Lists of digests that a directory, which is about to be gone through, holds of what lies in it. */
export async function levelManifests(level: Level): Promise<readonly MemberManifest[]> {
  const names = level.list.flatMap((child) => manifestNames(level, child));
  if (names.length === 0) return [];
  const prefix = nameText(level.prefix);
  // A prefix that is no text names nothing that a list could name.
  if (!Buffer.from(prefix).equals(nameBytes(level.prefix))) return [];
  return manifestsIn({
    names: names.map((name) => prefix + name),
    open: (name) => Promise.resolve(name.startsWith(prefix) ? attempt(() => level.directory.openFile(Buffer.from(name.slice(prefix.length)))) : undefined),
    read: (name) => Promise.resolve(name.startsWith(prefix) ? readInside(level.directory, name.slice(prefix.length).split("/")) : undefined),
  });
}

const fileNames: ReadonlySet<string> = new Set(["AppxBlockMap.xml", "AppxSignature.p7x", "package-lock.json", "npm-shrinkwrap.json"]);

function manifestNames({ directory, prefix }: Level, child: ListedChild): readonly string[] {
  const { kind } = child;
  const isFile = kind === "file";
  if (!isFile && kind !== "directory") return none;
  const name = nameText(child.name);
  // A Windows program of an Electron application declares what its archives are.
  if (isFile && /\.exe$/iu.test(name)) return [name];
  if (isFile) return fileNames.has(name) || (name === "Info.plist" && /(?:^|\/)Contents\/$/u.test(prefix)) ? [name] : none;
  if (name === "_CodeSignature") return ["_CodeSignature/CodeResources"];
  if (name === "resources") return (attempt(() => childrenOf(directory, child.name)) ?? []).filter((one) => one.endsWith(".asar")).map((one) => `resources/${one}`);
  if (name.endsWith(".dist-info")) return [`${name}/RECORD`];
  // An unpacked JAR: its signature files have any name.
  return name === "META-INF" && prefix === "" ? (attempt(() => childrenOf(directory, child.name)) ?? []).map((one) => `META-INF/${one}`) : none;
}

const none: readonly never[] = [];

function childrenOf(directory: HostDirectory, name: string): readonly string[] {
  const inner = directory.openDirectory(nameBytes(name));
  try {
    return inner.list().map((one) => nameText(one.name));
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
