/** Contradictions inside a container that are no failed cryptographic check. */
export const anomalyKinds = [
  "central_local_mismatch",
  "orphan_local_entry",
  "gap",
  "overlap",
  "prefix_data",
  "trailing_data",
  "duplicate_name",
  "name_collision",
  "prefix_conflict",
  "unsafe_name",
  "crc_mismatch",
  "size_mismatch",
  "digest_mismatch",
  "fake_encryption_flag",
  "unknown_method",
  "multiple_end_records",
  "bad_checksum_header",
  "missing_end_marker",
  "header_size_mismatch",
  "unordered_offsets",
  "link_cycle",
  "unicode_path_conflict",
  "entry_count_mismatch",
  "concatenated_archive",
  "missing_integrity",
  "compressed_empty",
  "ambiguous_header",
  "zip64_conflict",
  "manifest_missing_member",
  "manifest_extra_member",
  "manifest_conflict",
  "broken_signature",
  "tree_mismatch",
] as const;
export type AnomalyKind = (typeof anomalyKinds)[number];

export interface Anomaly {
  readonly anomaly: AnomalyKind;
  readonly logical_path: string;
  readonly offset: number | null;
  readonly detail: string;
  readonly effect: string;
}
