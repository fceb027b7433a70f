import { diskPath, type Occurrence } from "@rea/artifact";
import { byPath, nodesOf, type InspectedArtifact } from "./inspected-artifact.js";

/**
 * Lines that `sha256sum -c` accepts (GNU coreutils, "cksum output modes"). For a directory they name its files and are
 * checked inside it; for anything else they name what an extraction writes and are checked inside its output directory.
 * Only contents that were read in full and hold what is declared of them are listed; comment lines say how many are not.
 */
export function* sha256sumLines(artifact: InspectedArtifact): Generator<string> {
  const nodes = nodesOf(artifact.graph);
  const placed = artifact.manifest.root_format === "directory" ? pathInDirectory : pathInExtraction;
  let left = 0;
  for (const occurrence of byPath(artifact.graph)) {
    if (!isFile(occurrence)) continue;
    const path = placed(occurrence);
    if (path === "inside") continue;
    const sha256 = occurrence.artifact_id === null ? undefined : nodes.get(occurrence.artifact_id)?.sha256;
    if (path === undefined || sha256 === undefined || occurrence.hash_status !== "verified") left += 1;
    else yield `${sha256}  ${path}\n`;
  }
  if (left > 0) yield `# ${String(left)} not listed: unsafe names, or contents that were not proved\n`;
  if (artifact.coverage.state !== "complete") yield "# The inventory is partial: there may be more members.\n";
}

function isFile({ entry_kind, logical_path }: Occurrence): boolean {
  return logical_path !== "." && (entry_kind === "file" || entry_kind === "slice" || entry_kind === "volume");
}

function isUnsafe({ logical_path, raw_name }: Occurrence): boolean {
  return raw_name !== null && /(?:^|\/)unsafe\/[0-9a-f]{16}$/u.test(logical_path);
}

/** A file's own name on disk; undefined when its path does not tell it; `inside` for members of containers. */
function pathInDirectory(occurrence: Occurrence): string | "inside" | undefined {
  const { logical_path, raw_name } = occurrence;
  const segments = logical_path.split("/");
  if (segments.slice(0, -1).some((segment) => marksOf(segment) % 2 === 1)) return "inside";
  const path = segments.map((segment) => segment.slice(0, segment.length - marksOf(segment) / 2)).join("/");
  // The name on disk was escaped or composed for the path; what is left of it does not open the file.
  return raw_name === null || raw_name === path ? path : undefined;
}

/** Exclamation marks at the end; an odd count marks a container. */
function marksOf(segment: string): number {
  return /!*$/u.exec(segment)?.[0].length ?? 0;
}

function pathInExtraction(occurrence: Occurrence): string | undefined {
  return isUnsafe(occurrence) ? undefined : diskPath(occurrence.logical_path, occurrence.duplicate_index);
}
