import type { OperationResult } from "@rea/core";
import { byteSize, grouped } from "./figures.js";
import type { Style } from "./style.js";

type Inspection = OperationResult<"inspect_artifact">;
type Row = Inspection["occurrences"]["items"][number];
type Extraction = OperationResult<"extract_artifact">;

const nameWidth = 56;

/** An artifact as a tree: what is inside what, how large, of which kind, and what does not hold. */
export function artifactText(found: Inspection, style: Style): string {
  const { occurrences, anomalies, integrity_contradictions, observations, unexplored_branches, coverage } = found;
  return [
    ...occurrences.items.flatMap((row) => [treeLine(row, style), ...hintLines(row, style)]),
    ...moreLine(occurrences),
    ...section(style, "contradictions", integrity_contradictions.length, integrity_contradictions.map((one) => {
      return `${style.bad(one.logical_path)}: declared ${one.declared_sha256}, found ${one.observed_sha256} (${one.provenance})`;
    })),
    ...section(style, "anomalies", anomalies.total, anomalies.items.map((one) => {
      return `${style.warn(one.anomaly)} ${one.logical_path}: ${one.detail} ${style.dim(one.effect)}`;
    })),
    ...section(style, "not looked into", unexplored_branches.total, unexplored_branches.items.map((one) => `${one.logical_path}: ${one.reason}`)),
    ...section(style, "observations", observations.total, observations.items.map((one) => {
      return one.paths.length === 0 ? one.statement : `${one.statement} ${style.dim(one.paths.join(", "))}`;
    })),
    ...section(style, "left out", coverage.omissions.length, coverage.omissions.map((one) => {
      const amount = one.count === null ? "" : ` (${grouped(one.count)})`;
      return `${one.scope}${amount} ${style.dim(one.how_to_continue ?? "")}`;
    })),
    "",
    `${grouped(found.manifest.counts.occurrences)} places, ${grouped(found.manifest.counts.nodes)} contents · ${found.manifest.manifest_id}`,
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function treeLine(row: Row, style: Style): string {
  const { indent, name } = placeInTree(row);
  const duplicate = row.duplicate_index === 0 ? "" : ` (${String(row.duplicate_index + 1)}. of that name)`;
  const label = `${indent}${name}${duplicate}`.padEnd(nameWidth);
  const size = row.bytes === null || row.entry_kind === "directory" ? "" : `${grouped(row.bytes)}`;
  return `${label} ${size.padStart(13)}  ${formatOf(row).padEnd(18)} ${verdict(row, style)}`;
}

/** What a program or script carries, below its line. */
function hintLines(row: Row, style: Style): string[] {
  const { indent } = placeInTree(row);
  return row.container_hints.map(({ format, offset, length, basis }) => {
    return `${indent}  ${style.warn(`holds ${format === "unknown" ? "data" : format}`)} at ${grouped(offset)}, ${byteSize(length)}, not opened ${style.dim(`(${basis})`)}`;
  });
}

function placeInTree({ logical_path, entry_kind, link_target }: Row): { readonly indent: string; readonly name: string } {
  const segments = logical_path.split("/");
  const name = segments.at(-1) ?? logical_path;
  const marked = entry_kind === "directory" && logical_path !== "." ? `${name}/` : name;
  const depth = logical_path === "." ? 0 : segments.length;
  return { indent: "  ".repeat(depth), name: link_target === null ? marked : `${marked} -> ${link_target}` };
}

function formatOf({ artifact_format, entry_kind, architecture, executable }: Row): string {
  const plain = entry_kind === "symlink" || entry_kind === "special" || entry_kind === "hardlink" ? entry_kind : artifact_format;
  return [plain, architecture ?? "", executable ? "exec" : ""].filter((word) => word !== "").join(" ");
}

function verdict({ hash_status, declared_checks, encrypted, entry_kind }: Row, style: Style): string {
  if (encrypted) return style.warn("encrypted");
  switch (hash_status) {
    case "verified":
      return entry_kind === "directory" ? "" : style.good(declared_checks > 0 ? "verified" : "read");
    case "mismatched":
      return style.bad("MISMATCH");
    case "not-hashed-limit":
      return style.warn("above a bound, not read");
    case "unavailable":
      return entry_kind === "file" || entry_kind === "slice" || entry_kind === "volume" ? style.warn("not readable") : "";
  }
}

function moreLine({ total, offset, items, next_offset }: Inspection["occurrences"]): string[] {
  if (next_offset === null && offset === 0) return [];
  const end = offset + items.length;
  const more = next_offset === null ? "" : `; continue with --offset ${String(next_offset)}`;
  return [`… ${grouped(offset)} to ${grouped(end)} of ${total === null ? "an unknown number" : grouped(total)} places${more}`];
}

function section(style: Style, title: string, total: number, lines: readonly string[]): string[] {
  if (total === 0) return [];
  const more = lines.length < total ? [`  … and ${grouped(total - lines.length)} more; --json shows the first fifty`] : [];
  return ["", style.heading(`${title} (${grouped(total)})`), ...lines.map((line) => `  ${line}`), ...more];
}

const shownFiles = 40;

/** Where everything went, and what did not go. */
export function extractionText(found: Extraction, style: Style): string {
  const { artifacts, skipped, output_root, extraction, artifacts_total, skipped_total } = found;
  const files = artifacts.slice(0, shownFiles).map((one) => `  ${one.relative_path}  ${style.dim(grouped(one.bytes_written))}`);
  const more = artifacts_total > files.length ? [`  … and ${grouped(artifacts_total - files.length)} more`] : [];
  return [
    `${style.heading(output_root)}  ${grouped(extraction.file_count)} files, ${byteSize(extraction.bytes)}`,
    ...files,
    ...more,
    ...section(style, "not written", skipped_total, skipped.slice(0, shownFiles).map((one) => `${one.logical_path}: ${one.reason}`)),
    ...section(style, "left out", found.coverage.omissions.length, found.coverage.omissions.map((one) => one.scope)),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}
