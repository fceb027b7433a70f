import { escapeUntrusted, ReaError, type Subject } from "@rea/core";
import type { ArtifactDocument } from "@rea/artifact";
import type { Target } from "@rea/provider";
import type { StaticReply } from "../static-calls.js";

/** The result of reading one document, about that document whatever it was found in. */
export function documentAnswer(
  result: { readonly limitations: readonly string[] },
  document: ArtifactDocument,
  target: Target,
): StaticReply {
  return {
    result,
    confidence: "observed",
    limitations: result.limitations,
    locations: document.logicalPath === "." ? [] : [{ kind: "artifact-path", path: document.logicalPath }],
    raw_result: null,
    resolved_parameters: {},
    subject: subjectOfDocument(document, target),
  };
}

function subjectOfDocument({ name, sha256, format, localPath }: ArtifactDocument, target: Target): Subject {
  return {
    name: escapeUntrusted(name),
    digest: { sha256 },
    format,
    architecture: null,
    local_path: escapeUntrusted(localPath ?? target.path),
  };
}

/** How results name the document. */
export function shownDocument({ logicalPath, sha256, bytes }: ArtifactDocument) {
  return { logical_path: logicalPath, sha256, bytes: bytes.byteLength };
}

export function noSuchDocument(operation: string, what: string): ReaError {
  return new ReaError("target_unavailable", {
    message: `${operation} found ${what}. See the logical paths with inspect_artifact and give one as relative_path.`,
    details: { reason: "target_not_found" },
  });
}

export function notOfTheFormat(operation: string, what: string): ReaError {
  return new ReaError("artifact_operation_failed", {
    message: `The file that ${operation} was given is no ${what}. inspect_artifact tells what it is.`,
    details: { operation, reason: "format" },
  });
}

/** The first of many, with how many there are. */
export function boundedList<T>(all: readonly T[], most: number) {
  const items = all.slice(0, most);
  return { items, returned: items.length, total: all.length, truncated: items.length < all.length };
}
