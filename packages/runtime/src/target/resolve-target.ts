import { basename } from "node:path";
import type { ByteSource, OperationContext } from "@rea/core";
import type { Target } from "@rea/provider";
import { bundleExecutable } from "./app-bundle.js";
import { requireLocalPath } from "./local-path.js";
import { fileKind, hashOpenFile, openRegularFile, realPathOf, stampAt, type FileStamp } from "./open-file.js";

/** How the caller wants the file read. */
export interface TargetRequest {
  readonly path: string;
  /** Slice of a universal file. */
  readonly architecture?: string | undefined;
  readonly raw?: Target["raw"] | undefined;
  /** Tool name for messages. */
  readonly operation: string;
}

/** What the content says; everything of a target that does not need its path or digest. */
export type DetectedFile = Pick<
  Target,
  "kind" | "format" | "architecture" | "available_architectures" | "role" | "managed" | "raw" | "note"
>;

/** Judges a file by its content; names only refine. Throws `invalid_request` for a slice or raw value that does not fit. */
export type DetectFile = (
  source: ByteSource,
  request: Omit<TargetRequest, "path"> & { readonly name: string },
) => DetectedFile;

export interface ResolvedTarget {
  readonly target: Target;
  readonly stamp: FileStamp;
}

/**
 * Finds out what a path leads to: real path, size, format and SHA-256 from one handle (contract 03 §7). A directory
 * named `*.app` with a readable executable stands for that executable.
 *
 * Throws `invalid_request` for paths that are not absolute and local, `target_unavailable` with the reason, `cancelled`.
 */
export async function resolveTarget(
  request: TargetRequest,
  detect: DetectFile,
  context: OperationContext,
): Promise<ResolvedTarget> {
  requireLocalPath(request.path, "path", request.operation);
  const { path } = request;
  if ((await fileKind(path)) === "file") return resolveFile(path, request, { detect, context, bundleRoot: null });
  const root = await realPathOf(request.path);
  if (!root.endsWith(".app")) return resolveDirectory(root, null);
  const found = await bundleExecutable(root);
  if ("note" in found) return resolveDirectory(root, found.note);
  return resolveFile(found.path, request, { detect, context, bundleRoot: root });
}

interface Reading {
  readonly detect: DetectFile;
  readonly context: OperationContext;
  readonly bundleRoot: string | null;
}

async function resolveFile(path: string, request: TargetRequest, reading: Reading): Promise<ResolvedTarget> {
  const reportAs = request.path;
  const file = await openRegularFile(path, reportAs);
  try {
    const name = basename(file.realPath);
    const detected = reading.detect(file.source, { ...request, name });
    const sha256 = await hashOpenFile(file, reading.context, { operation: request.operation, reportAs });
    const place = { path: file.realPath, name, bytes: file.size, bundle_root: reading.bundleRoot };
    return { target: { ...detected, ...place, sha256 }, stamp: file.stamp };
  } finally {
    await file.handle.close();
  }
}

async function resolveDirectory(path: string, note: string | null): Promise<ResolvedTarget> {
  const target: Target = {
    path,
    name: basename(path) || path,
    sha256: null,
    bytes: 0,
    kind: "directory",
    format: "directory",
    architecture: null,
    available_architectures: [],
    role: null,
    managed: false,
    raw: null,
    note,
    bundle_root: null,
  };
  return { target, stamp: await stampAt(path) };
}

/** True when both stand for the same content read the same way; stamps decide for directories, which have no digest. */
export function sameTarget(a: ResolvedTarget, b: ResolvedTarget): boolean {
  const same = a.target.path === b.target.path && a.target.sha256 === b.target.sha256;
  const sameReading = a.target.architecture === b.target.architecture && sameRaw(a.target.raw, b.target.raw);
  const sameDirectory = a.stamp.dev === b.stamp.dev && a.stamp.ino === b.stamp.ino;
  return same && sameReading && a.target.bundle_root === b.target.bundle_root && (a.target.sha256 !== null || sameDirectory);
}

function sameRaw(a: Target["raw"], b: Target["raw"]): boolean {
  if (a === null || b === null) return a === b;
  return a.architecture === b.architecture && a.base === b.base && a.endian === b.endian;
}
