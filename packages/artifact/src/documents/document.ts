import { basename } from "node:path";
import { detectFormat } from "@rea/binary";
import { memorySource, ReaError, sha256Hex, type ByteSource, type SubjectFormat } from "@rea/core";
import { isOpened } from "../formats/format-titles.js";
import type { Artifact } from "../open-artifact.js";

/** One file in or of an artifact, read whole. */
export interface ArtifactDocument {
  /** Where it stands in the artifact; `.` when it is the artifact itself. */
  readonly logicalPath: string;
  /** Last segment of its name, as stored. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly format: SubjectFormat;
  /** Its path on the host when it is a file of its own. */
  readonly localPath: string | null;
}

/** Bytes of one document, and of all documents of one call together. */
export const mostDocumentBytes = 256 * 1024 * 1024;

interface Named {
  readonly logicalPath: string;
  readonly name: string;
  readonly localPath: string | null;
}

/** Reads a source whole; throws `truncated` for one beyond the bound. */
export function documentOf(source: ByteSource, named: Named, operation: string): ArtifactDocument {
  if (source.size > mostDocumentBytes) throw tooLarge(operation, source.size);
  return documentOfBytes(source.read(0, source.size), named);
}

export function documentOfBytes(bytes: Uint8Array, named: Named): ArtifactDocument {
  return { ...named, bytes, sha256: sha256Hex(bytes), format: detectFormat(memorySource(bytes), named.name).format };
}

/** The artifact itself when it is a plain file, not a directory and not a container that is opened. */
export function ownDocument({ name, root }: Artifact, operation: string): ArtifactDocument | undefined {
  if (root.kind === "directory" || isOpened(root.format)) return undefined;
  const named = { logicalPath: ".", name, localPath: root.kind === "file" ? root.path : null };
  return documentOf(root.kind === "file" ? root.file : root.source, named, operation);
}

export function lastName(path: string): string {
  return basename(path);
}

function tooLarge(operation: string, size: number): ReaError {
  return new ReaError("truncated", {
    message: `The file is larger than ${operation} reads (${String(mostDocumentBytes)} bytes).`,
    details: { operation, limit: mostDocumentBytes, actual_bytes: size },
    action: "Give a smaller file.",
  });
}
