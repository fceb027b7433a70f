import { basename } from "node:path";
import type { ByteSource, OperationContext } from "@rea/core";
import type { Target } from "@rea/provider";
import { bundleExecutable } from "./app-bundle.js";
import { requireLocalPath } from "./local-path.js";
import { fileKind, hashOpenFile, openRegularFile, realPathOf, stampAt, type FileStamp, type OpenFile } from "./open-file.js";

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

/**
 * What stands at a path, for operations that establish its digest while they read it: not hashed here, and an application
 * bundle is the directory that it is. Throws as `resolveTarget` does.
 */
export async function resolveAsGiven(request: TargetRequest, detect: DetectFile): Promise<Target> {
  requireLocalPath(request.path, "path", request.operation);
  const { path } = request;
  if ((await fileKind(path)) === "directory") return directoryTarget(await realPathOf(path), null);
  const file = await openRegularFile(path);
  try {
    return { ...placedFile(file, { request, detect, bundleRoot: null }), sha256: null };
  } finally {
    await file.handle.close();
  }
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
    const placed = placedFile(file, { ...reading, request });
    const sha256 = await hashOpenFile(file, reading.context, { operation: request.operation, reportAs });
    return { target: { ...placed, sha256 }, stamp: file.stamp };
  } finally {
    await file.handle.close();
  }
}

function placedFile(
  file: OpenFile,
  { request, detect, bundleRoot }: Pick<Reading, "detect" | "bundleRoot"> & { readonly request: TargetRequest },
): Omit<Target, "sha256"> {
  const name = basename(file.realPath);
  const detected = detect(file.source, { ...request, name });
  return { ...detected, path: file.realPath, name, bytes: file.size, bundle_root: bundleRoot };
}

async function resolveDirectory(path: string, note: string | null): Promise<ResolvedTarget> {
  return { target: directoryTarget(path, note), stamp: await stampAt(path) };
}

/** A directory as a target; its digest is not known before it was read. */
export function directoryTarget(path: string, note: string | null): Target {
  return {
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
