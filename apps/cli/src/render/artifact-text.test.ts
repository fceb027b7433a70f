import type { OperationResult } from "@rea/core";
import { expect, test } from "vitest";
import { artifactText } from "./artifact-text.js";
import { styleFor } from "./style.js";

type Inspection = OperationResult<"inspect_artifact">;

const list = { items: [], returned: 0, total: 0, truncated: false };
const coverage = { state: "complete" as const, omissions: [] };

const row: Inspection["occurrences"]["items"][number] = {
  occurrence_id: "occ_1",
  artifact_id: "art_1",
  parent_occurrence_id: null,
  logical_path: "bin/setup",
  duplicate_index: 0,
  raw_name: null,
  entry_kind: "file",
  artifact_kind: "executable",
  artifact_format: "elf",
  media_type: null,
  architecture: "x86_64",
  executable: true,
  declared_bytes: null,
  compressed_bytes: null,
  encrypted: false,
  link_target: null,
  hash_status: "verified",
  declared_checks: 0,
  source_location: null,
  limitations: [],
  sha256: null,
  bytes: 5000,
  trust: "verified",
  container_hints: [
    { format: "squashfs", offset: 1000, length: 4096, basis: "signature at the start of the overlay" },
    { format: "unknown", offset: 5096, length: 10, basis: "bytes behind everything the headers account for" },
  ],
};

const found: Inspection = {
  inspection_id: "ins_1",
  manifest: { manifest_id: "agm_1", root_artifact_id: null, root_sha256: null, root_format: "directory", graph_sha256: "0".repeat(64), counts: { nodes: 1, occurrences: 1, edges: 0, integrity_contradictions: 0 } },
  graph: { state: "inline", nodes: [], occurrences: [], edges: [] },
  occurrences: { items: [row], coverage, offset: 0, limit: 25, total: 1, next_offset: null, has_more: false },
  integrity_contradictions: [],
  anomalies: list,
  observations: list,
  derived_relationships: list,
  unexplored_branches: list,
  next_probes: [],
  coverage,
  limitations: [],
};

test("what a program carries stands below its line", () => {
  const lines = artifactText(found, styleFor(false)).split("\n");
  expect(lines[0]).toContain("setup");
  expect(lines[1]?.trim()).toBe("holds squashfs at 1,000, 4.0 KiB (4,096 bytes), not opened (signature at the start of the overlay)");
  expect(lines[2]?.trim()).toBe("holds data at 5,096, 10 bytes, not opened (bytes behind everything the headers account for)");
});
