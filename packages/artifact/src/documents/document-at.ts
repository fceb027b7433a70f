import { existsSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { ReaError } from "@rea/core";
import { openHostDirectory } from "../disk/host-directory.js";
import { system, type HostFile } from "../disk/host-file.js";
import type { InventoryOptions } from "../inventory.js";
import { openArtifact, type Artifact } from "../open-artifact.js";
import { documentOf, lastName, type ArtifactDocument } from "./document.js";
import { findDocuments } from "./find-documents.js";

/**
 * The document at a logical path of a directory or container (`Payload/A.app/Info.plist`, `a.zip!/b.plist`); undefined
 * when there is none. Links inside a directory are followed as far as they stay in it.
 *
 * Throws `invalid_request` for a path that is absolute, empty or climbs, `target_unavailable` (`target_not_allowed`) when
 * a link leads out, and `truncated` for a file that is too large.
 */
export async function documentAt(
  artifact: Artifact,
  relativePath: string,
  options: InventoryOptions & { readonly operation: string },
): Promise<ArtifactDocument | undefined> {
  requireBelow(relativePath, options.operation);
  const { root } = artifact;
  if (root.kind !== "directory") return insideContainer(artifact, relativePath, options);
  const { host, inner } = splitAtContainer(relativePath);
  const real = realPathInside(root.path, host, options.operation);
  if (real === undefined) return undefined;
  if (inner === undefined) return readInside(root.path, real, { relativePath, operation: options.operation });
  const outer = openArtifact(real);
  try {
    const found = await insideContainer(outer, inner, options);
    return found === undefined ? undefined : { ...found, logicalPath: relativePath, localPath: null };
  } finally {
    outer.close();
  }
}

async function insideContainer(artifact: Artifact, path: string, options: InventoryOptions & { readonly operation: string }) {
  const search = { ...options, maximum: 1, firstOnly: true, wants: (logicalPath: string) => logicalPath === path };
  const { documents } = await findDocuments(artifact, search);
  return documents.find(({ logicalPath }) => logicalPath === path);
}

/** Throws `invalid_request` for a path that could lead anywhere but down. */
function requireBelow(path: string, operation: string): void {
  const climbs = path.split("/").some((segment) => segment === ".." || segment === "." || segment === "");
  if (!climbs && !/[\\\0]/.test(path) && !/^[A-Za-z]:/.test(path)) return;
  throw new ReaError("invalid_request", {
    message: `${operation} needs a relative_path below the artifact, without empty, "." and ".." segments. Correct it and call again.`,
    details: {
      operation,
      issues: [{ path: "relative_path", reason: "invalid_format", expected: "a path such as Contents/Info.plist or a.zip!/b.plist" }],
    },
  });
}

/** The part of a logical path that names a file of the host, and the part inside that file. */
function splitAtContainer(path: string): { readonly host: string; readonly inner: string | undefined } {
  const segments = path.split("/");
  const at = segments.findIndex((segment) => marksOf(segment) % 2 === 1);
  const own = at < 0 ? segments : segments.slice(0, at + 1);
  const rest = at < 0 ? [] : segments.slice(at + 1);
  return { host: own.map(hostSegment).join("/"), inner: rest.length === 0 ? undefined : rest.join("/") };
}

function marksOf(segment: string): number {
  return /!*$/.exec(segment)?.[0].length ?? 0;
}

/** Exclamation marks at the end of a name are doubled, and one more stands for the container. */
function hostSegment(segment: string): string {
  const marks = marksOf(segment);
  return segment.slice(0, segment.length - marks) + "!".repeat(Math.floor(marks / 2));
}

function realPathInside(root: string, below: string, operation: string): string | undefined {
  const path = join(root, below);
  if (!existsSync(path)) return undefined;
  const real = system(path, () => realpathSync.native(path));
  if (real.startsWith(root.endsWith(sep) ? root : root + sep)) return real;
  throw new ReaError("target_unavailable", {
    message: `A link on the way of relative_path leads out of the directory that ${operation} was given. Give the path it leads to as path.`,
    details: { reason: "target_not_allowed" },
  });
}

/** Descends without following links, so that nothing put there meanwhile can lead out. */
function readInside(root: string, real: string, of: { readonly relativePath: string; readonly operation: string }): ArtifactDocument {
  const segments = real.slice(root.length).split(sep).filter((segment) => segment !== "").map((segment) => Buffer.from(segment));
  let directory = openHostDirectory(root);
  try {
    for (const segment of segments.slice(0, -1)) {
      const next = directory.openDirectory(segment);
      directory.close();
      directory = next;
    }
    const file: HostFile = directory.openFile(segments.at(-1) ?? Buffer.from("."));
    try {
      return documentOf(file, { logicalPath: of.relativePath, name: lastName(real), localPath: real }, of.operation);
    } finally {
      file.close();
    }
  } finally {
    directory.close();
  }
}
