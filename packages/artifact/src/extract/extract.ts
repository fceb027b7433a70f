import { canonicalSha256, coverageOf, ReaError, type Coverage } from "@rea/core";
import { isOpened } from "../formats/format-titles.js";
import type { EntryKind } from "../format.js";
import type { Manifest } from "../graph/graph.js";
import { walkArtifact, type FinishedWalk, type InventoryOptions } from "../inventory.js";
import type { Artifact } from "../open-artifact.js";
import { MemberWriter, type SkipReason } from "./member-writer.js";
import { OutputTree } from "./output-tree.js";
import { removeTree } from "./remove-tree.js";
import { Selection } from "./selection.js";

export interface ExtractOptions extends InventoryOptions {
  /** Exact logical paths, or prefixes ending in `/`; everything when absent. */
  readonly select?: readonly string[];
}

export interface ExtractedFile {
  readonly artifact_id: string;
  readonly occurrence_id: string;
  /** `/`-separated, below `output_root`. */
  readonly relative_path: string;
  readonly sha256: string;
  readonly bytes_written: number;
}

export interface Extraction {
  readonly manifest: Manifest;
  readonly extraction: {
    readonly extraction_id: string;
    readonly source_manifest_id: string;
    readonly files_sha256: string;
    readonly file_count: number;
    readonly bytes: number;
  };
  /** A fresh directory (0700) that belongs to the caller from now on. */
  readonly output_root: string;
  /** Sorted by path. */
  readonly artifacts: readonly ExtractedFile[];
  readonly skipped: readonly { readonly logical_path: string; readonly reason: SkipReason }[];
  readonly containment_verified: boolean;
  readonly cleanup: { readonly attempted: boolean; readonly verified: boolean; readonly residual_paths: readonly string[] };
  readonly coverage: Coverage;
  readonly limitations: readonly string[];
}

/**
 * Writes members whose names are safe and whose bytes hold what is declared of them into a fresh private directory in the
 * system's temporary place. Every file is created exclusively, made durable, read back and hashed again. Links,
 * permissions and times are not restored. On failure or cancel everything written is removed and its absence verified;
 * `cleanup_incomplete` names what is left otherwise. Throws `capability_unavailable` for a format without a reader, and
 * what `inventory` throws.
 */
export async function extract(artifact: Artifact, options: ExtractOptions = {}): Promise<Extraction> {
  requireReader(artifact);
  const tree = new OutputTree();
  try {
    return await extractInto(tree, artifact, options);
  } catch (error) {
    const residue = await tree.remove();
    throw residue.length === 0 ? error : cleanupIncomplete(residue, error);
  }
}

/**
 * Removes the directory of an extraction that nobody wants after all, and verifies its absence. Throws
 * `cleanup_incomplete` that names what is left.
 */
export async function discardExtraction({ output_root }: Pick<Extraction, "output_root">): Promise<void> {
  const residue = await removeTree(output_root);
  if (residue.length > 0) throw cleanupIncomplete(residue, undefined);
}

async function extractInto(tree: OutputTree, artifact: Artifact, options: ExtractOptions): Promise<Extraction> {
  const selection = new Selection(options.select);
  const writer = new MemberWriter(tree, selection);
  const found = await finished(walkArtifact(artifact, { ...options, sink: writer }), writer);
  const artifacts = writer.written
    .map(({ place, relativePath, sha256, bytes }) => ({
      ...found.idsOf(place),
      relative_path: relativePath,
      sha256,
      bytes_written: bytes,
    }))
    .sort((a, b) => (a.relative_path < b.relative_path ? -1 : 1));
  const notRestored = found.inventory.graph.occurrences
    .filter(({ entry_kind, logical_path }) => neverRestored.has(entry_kind) && selection.has(logical_path))
    .map(({ logical_path }) => ({ logical_path, reason: "not_restored" as const }))
    .sort((a, b) => (a.logical_path < b.logical_path ? -1 : 1));
  const files_sha256 = canonicalSha256(artifacts.map(({ relative_path, sha256, bytes_written }) => ({ relative_path, sha256, bytes_written })));
  const source_manifest_id = found.inventory.manifest.manifest_id;
  return {
    manifest: found.inventory.manifest,
    extraction: {
      extraction_id: `aex_${canonicalSha256({ source_manifest_id, files_sha256 })}`,
      source_manifest_id,
      files_sha256,
      file_count: artifacts.length,
      bytes: artifacts.reduce((sum, { bytes_written }) => sum + bytes_written, 0),
    },
    output_root: tree.root,
    artifacts,
    skipped: [
      ...notRestored,
      ...writer.skipped.map(({ place, reason }) => ({ logical_path: place.logicalPath, reason })),
      ...selection.unmatched().map((path) => ({ logical_path: path, reason: "not_found" as const })),
    ],
    containment_verified: true,
    cleanup: { attempted: false, verified: true, residual_paths: [] },
    coverage: coverageOf(found.inventory.omissions),
    limitations: ["Symbolic and hard links, permissions and times are not restored."],
  };
}

const neverRestored: ReadonlySet<EntryKind> = new Set<EntryKind>(["symlink", "hardlink", "special"]);

/** Waits for the files, also when the walk fails: nothing may write after the removal. */
async function finished(walk: Promise<FinishedWalk>, writer: MemberWriter): Promise<FinishedWalk> {
  try {
    return await walk;
  } finally {
    await writer.settled();
  }
}

function requireReader({ root }: Artifact): void {
  if (root.kind === "directory" || isOpened(root.format)) return;
  throw new ReaError("capability_unavailable", {
    message: `There is no reader for content of format ${root.format}, so nothing can be extracted from it.`,
    details: { operation: "extract_artifact", reason: "unsupported_format" },
  });
}

function cleanupIncomplete(residue: readonly string[], cause: unknown): ReaError {
  return new ReaError("cleanup_incomplete", {
    message: "An extraction that did not succeed left its directory, which could not be removed. Remove it by hand.",
    details: { residual_paths: residue },
    cause,
  });
}
