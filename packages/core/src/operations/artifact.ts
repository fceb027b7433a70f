import { z } from "../z.js";
import { citedRecordSchema } from "../cited-record.js";
import { coverageSchema, pageSchema } from "../coverage.js";
import { subjectFormats } from "../evidence-words.js";
import { defineOperation } from "./define.js";
import { count } from "./values.js";
import { pathInput } from "./binary-format.js";

const text = z.string();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const bound = (least: number, greatest: number, normal: number, what: string) =>
  z.number().int().min(least).max(greatest).default(normal).describe(what);

/** Bounds of one recursive walk, in the caller's words. */
const limitsInput = z
  .strictObject({
    max_entries: bound(1, 1_000_000, 10_000, "Members looked at"),
    max_total_bytes: bound(1, 17_179_869_184, 1_073_741_824, "Bytes of all member contents read"),
    max_entry_bytes: bound(1, 4_294_967_296, 268_435_456, "Bytes of one member's content"),
    max_compression_ratio: bound(1, 100_000, 1000, "Bytes out for each byte in"),
    max_depth: bound(0, 100, 20, "Containers inside containers"),
    max_path_bytes: bound(1, 65_535, 4096, "Bytes of one logical path"),
  })
  .prefault({})
  .describe("Bounds of the whole walk");

const walkInput = {
  path: pathInput.optional(),
  integrity_policy: z
    .enum(["fail", "record-and-continue"])
    .default("fail")
    .describe("What a disproved digest does: end the call, or be recorded"),
  limits: limitsInput,
};

const manifest = z.strictObject({
  manifest_id: text,
  root_artifact_id: text.nullable(),
  root_sha256: sha256.nullable(),
  root_format: text,
  graph_sha256: sha256,
  counts: z.strictObject({ nodes: count, occurrences: count, edges: count, integrity_contradictions: count }),
});

const entryKind = z.enum(["file", "directory", "symlink", "hardlink", "special", "slice", "volume"]);

const occurrence = z.strictObject({
  occurrence_id: text,
  artifact_id: text.nullable(),
  parent_occurrence_id: text.nullable(),
  logical_path: text,
  duplicate_index: count,
  raw_name: text.nullable(),
  entry_kind: entryKind,
  artifact_kind: z.enum([
    "container",
    "executable",
    "dynamic-library",
    "framework",
    "native-addon",
    "javascript",
    "source-map",
    "plist",
    "entitlements",
    "resource",
    "universal-slice",
    "package-metadata",
    "unknown",
  ]),
  artifact_format: z.enum(subjectFormats),
  media_type: text.nullable(),
  architecture: text.nullable(),
  executable: z.boolean(),
  declared_bytes: count.nullable(),
  compressed_bytes: count.nullable(),
  encrypted: z.boolean(),
  link_target: text.nullable(),
  hash_status: z.enum(["verified", "mismatched", "not-hashed-limit", "unavailable"]),
  declared_checks: count,
  source_location: z.strictObject({ offset: count, length: count }).nullable(),
  limitations: z.array(text),
});

const node = z.strictObject({
  artifact_id: text,
  sha256,
  bytes: count,
  content_state: z.enum(["materialized", "embedded", "virtual"]),
  trust: z.enum(["verified", "observed-untrusted"]),
  limitations: z.array(text),
});

const edge = z.strictObject({
  edge_id: text,
  parent_artifact_id: text,
  child_artifact_id: text,
  relation: z.enum(["contains", "extracts", "slice-of", "embeds", "maps-source", "derived-from"]),
  occurrence_id: text,
  ordinal: count,
});

const contradiction = z.strictObject({
  contradiction_id: text,
  occurrence_id: text,
  parent_artifact_id: text.nullable(),
  logical_path: text,
  declared_sha256: text,
  observed_sha256: text,
  entry_kind: entryKind,
  unpacked: z.boolean(),
  trust: z.enum(["verified", "observed-untrusted"]),
  provenance: text,
  limitations: z.array(text),
});

/** Something packed into a leaf, which is not opened: a format or runtime, and its bytes from the leaf's start. */
const containerHint = z.strictObject({ format: text, offset: count, length: count, basis: text });

const bounded = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), returned: count, total: count, truncated: z.boolean() });

const inspectArtifactOperation = defineOperation(
  z.strictObject({
    ...walkInput,
    prefix: z.string().min(1).max(4096).optional().describe("Only occurrences whose logical path starts with it"),
    offset: z.number().int().min(0).default(0).describe("First occurrence to return"),
    limit: z.number().int().min(1).max(500).default(25).describe("Occurrences to return"),
  }),
  z.strictObject({
    inspection_id: text,
    manifest,
    graph: z.discriminatedUnion("state", [
      z.strictObject({ state: z.literal("inline"), nodes: z.array(node), occurrences: z.array(occurrence), edges: z.array(edge) }),
      z.strictObject({ state: z.literal("retained"), manifest_id: text, graph_sha256: sha256, bytes: count }),
    ]),
    occurrences: pageSchema(
      occurrence.extend({
        sha256: sha256.nullable(),
        bytes: count.nullable(),
        trust: z.enum(["verified", "observed-untrusted"]).nullable(),
        container_hints: z.array(containerHint),
      }),
    ),
    integrity_contradictions: z.array(contradiction),
    anomalies: bounded(
      z.strictObject({ anomaly: text, logical_path: text, offset: count.nullable(), detail: text, effect: text }),
    ),
    observations: bounded(z.strictObject({ observation: text, statement: text, count: count.nullable(), paths: z.array(text) })),
    derived_relationships: bounded(z.strictObject({ relation: text, from: text, to: text, basis: text })),
    unexplored_branches: bounded(z.strictObject({ occurrence_id: text, logical_path: text, reason: text })),
    next_probes: z.array(z.strictObject({ operation: text, input: z.record(z.string(), z.unknown()), rationale: text })),
    coverage: coverageSchema,
    limitations: z.array(text),
  }),
);

const extractArtifactOperation = defineOperation(
  z.strictObject({
    ...walkInput,
    select: z
      .array(z.string().min(1).max(65_535))
      .min(1)
      .max(500)
      .optional()
      .describe("Exact logical paths, or prefixes ending in /; default all"),
    extraction_id: z.string().regex(/^aex_[0-9a-f]{64}$/).optional().describe("Read on in an extraction of this session; extracts nothing again"),
    offset: z.number().int().min(0).default(0).describe("First entry to return: written files, then skipped ones"),
    limit: z.number().int().min(1).max(500).default(40).describe("Entries to return"),
  }),
  z.strictObject({
    manifest,
    extraction: z.strictObject({
      extraction_id: text,
      source_manifest_id: text,
      files_sha256: sha256,
      file_count: count,
      bytes: count,
    }),
    output_root: text,
    artifacts: z.array(
      z.strictObject({ artifact_id: text, occurrence_id: text, relative_path: text, sha256, bytes_written: count }),
    ),
    artifacts_total: count,
    skipped: z.array(z.strictObject({ logical_path: text, reason: text })),
    skipped_total: count,
    offset: count,
    next_offset: count.nullable(),
    containment_verified: z.boolean(),
    cleanup: z.strictObject({ attempted: z.boolean(), verified: z.boolean(), residual_paths: z.array(text) }),
    coverage: coverageSchema,
    limitations: z.array(text),
  }),
);

/** A whole of kind `artifact-graph`. */
export const artifactGraphSchema = z.strictObject({
  nodes: z.array(node),
  occurrences: z.array(occurrence),
  edges: z.array(edge),
  integrity_contradictions: z.array(contradiction),
});

const side = z.strictObject({
  artifact_id: text.nullable(),
  sha256: sha256.nullable(),
  bytes: count.nullable(),
  entry_kind: text,
  artifact_format: text,
});

/** What `compare_artifacts` answers; a page of its changes. */
export const artifactComparisonSchema = z.strictObject({
  /** Left, then right: whether this session produced them. */
  cited_records: z.array(citedRecordSchema),
  status: z.enum(["unchanged", "changed", "unknown", "contradiction", "truncated"]),
  left_manifest_id: text,
  right_manifest_id: text,
  summary: z.strictObject({
    unchanged: count,
    added: count,
    removed: count,
    changed: count,
    unknown: count,
    contradiction: count,
  }),
  changes: z.array(
    z.strictObject({
      logical_path: text,
      duplicate_index: count,
      state: z.enum(["added", "removed", "changed", "unknown", "contradiction"]),
      dimensions: z.array(z.enum(["content", "kind", "format", "bytes", "executable", "relations", "metadata"])),
      left: side.nullable(),
      right: side.nullable(),
    }),
  ),
  changes_total: count,
  next_offset: count.nullable(),
  /** Those of which this page shows an end. */
  moves: z.array(z.strictObject({ from: text, to: text, artifact_id: text })),
  moves_total: count,
  limitations: z.array(text),
});

/** Operations of the artifact engine. */
export const artifactOperations = {
  inspect_artifact: inspectArtifactOperation,
  extract_artifact: extractArtifactOperation,
} as const;
