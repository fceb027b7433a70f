import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MemberDifference, OperationContext } from "@rea/core";

interface Sides {
  readonly left: string;
  readonly right: string;
  readonly paths: readonly string[];
}

const maximumTextBytes = 1 << 20;
const notWritten = "It could not be read in full on both sides, its name is not safe, or its bytes are not what is declared of them.";

/** Writes the members of both sides into private directories, compares them there, and removes the directories. */
export async function memberDifferences({ left, right, paths }: Sides, context: OperationContext): Promise<readonly MemberDifference[]> {
  if (paths.length === 0) return [];
  const before = await extracted(left, paths, context);
  try {
    const after = await extracted(right, paths, context);
    try {
      const found: MemberDifference[] = [];
      for (const logicalPath of paths) {
        found.push(await difference({ logicalPath, left: before.files.get(logicalPath), right: after.files.get(logicalPath) }, context));
      }
      return found;
    } finally {
      await after.discard();
    }
  } finally {
    await before.discard();
  }
}

interface Extracted {
  /** Places on disk by logical path. */
  readonly files: ReadonlyMap<string, string>;
  discard(): Promise<void>;
}

async function extracted(path: string, select: readonly string[], context: OperationContext): Promise<Extracted> {
  const { discardExtraction, diskPath, extract, openArtifact } = await import("@rea/artifact");
  const artifact = openArtifact(path);
  try {
    const found = await extract(artifact, { ...context, select, integrityPolicy: "record-and-continue" });
    const written = new Set(found.artifacts.map(({ relative_path }) => relative_path));
    const places = select.map((logicalPath) => [logicalPath, diskPath(logicalPath, 0)] as const);
    const files = places.filter(([, place]) => written.has(place)).map(([logicalPath, place]) => [logicalPath, join(found.output_root, place)] as const);
    return { files: new Map(files), discard: () => discardExtraction(found) };
  } finally {
    artifact.close();
  }
}

interface Member {
  readonly logicalPath: string;
  readonly left: string | undefined;
  readonly right: string | undefined;
}

async function difference({ logicalPath, left, right }: Member, { signal }: OperationContext): Promise<MemberDifference> {
  if (left === undefined || right === undefined) return { logicalPath, kind: "unknown", why: notWritten };
  const { changedRanges, unifiedDifference } = await import("@rea/compare");
  const { openHostFile } = await import("@rea/artifact");
  const files = [openHostFile(left), openHostFile(right)] as const;
  try {
    const [before, after] = [textOf(left, files[0].size), textOf(right, files[1].size)];
    const hunks = before === undefined || after === undefined ? undefined : unifiedDifference({ left: before, right: after });
    if (hunks !== undefined) return { logicalPath, kind: "text", hunks };
    const { ranges, total } = await changedRanges(files[0], files[1], { signal });
    return { logicalPath, kind: "bytes", ranges, total };
  } finally {
    for (const file of files) file.close();
  }
}

/** The text of a small file that is text throughout. */
function textOf(path: string, sizeBytes: number): string | undefined {
  if (sizeBytes > maximumTextBytes) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    return text.includes("\0") ? undefined : text;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
