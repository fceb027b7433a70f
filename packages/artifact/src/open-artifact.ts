import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { detectFormat } from "@rea/binary";
import { memorySource, type ByteSource, type SubjectFormat } from "@rea/core";
import { openHostFile, system, type HostFile } from "./disk/host-file.js";
import type { OpenedSource } from "./format.js";

/** Something to look into: a directory, a file, or bytes in memory. Close it when done; closing twice is safe. */
export interface Artifact {
  /** Name without directories; "" for bytes in memory without one. */
  readonly name: string;
  readonly root: ArtifactRoot;
  close(): void;
}

export type ArtifactRoot =
  | { readonly kind: "directory"; readonly path: string }
  | { readonly kind: "file"; readonly path: string; readonly file: HostFile; readonly format: SubjectFormat }
  | { readonly kind: "memory"; readonly source: ByteSource; readonly format: SubjectFormat };

/**
 * Opens the file or directory at an absolute or relative path; a symbolic link there is resolved once, now. Throws
 * `target_unavailable` with reason `missing`, `unreadable` or `not_regular`.
 */
export function openArtifact(path: string): Artifact {
  const real = system(path, () => realpathSync.native(path));
  const name = basename(path);
  if (system(real, () => lstatSync(real)).isDirectory()) {
    return { name, root: { kind: "directory", path: real }, close: () => undefined };
  }
  const file = openHostFile(real);
  const { format } = detectFormat(file, name);
  return { name, root: { kind: "file", path: real, file, format }, close: () => file.close() };
}

/** An artifact of bytes at hand. `name` decides only what content cannot (a zip's suffix, a script's). */
export function artifactOfBytes(bytes: Uint8Array, name = ""): Artifact {
  const source = memorySource(bytes);
  return { name, root: { kind: "memory", source, format: detectFormat(source, name).format }, close: () => undefined };
}

/** A regular file beside the artifact, never outside its directory; undefined when there is none. */
export function openBesideFile(artifactPath: string, relative: string): OpenedSource | undefined {
  const directory = realpathSync.native(dirname(artifactPath));
  const path = join(directory, relative);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return undefined;
  // Links on the way must not lead out.
  if (!realpathSync.native(path).startsWith(directory + sep)) return undefined;
  return openHostFile(path);
}
