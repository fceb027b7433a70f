import { ReaError, type OperationContext } from "@rea/core";
import type { Artifact, ArtifactDocument } from "@rea/artifact";
import { noSuchDocument } from "./document-answer.js";

export interface WantedDocument {
  readonly operation: string;
  readonly relativePath: string | undefined;
  /** What it is, for messages. */
  readonly what: string;
  /** By place and first bytes. */
  readonly wants: (logicalPath: string, head: Uint8Array) => boolean;
  /** By the whole content. */
  readonly fits: (document: ArtifactDocument) => boolean | Promise<boolean>;
}

const mostCandidates = 64;
const namedCandidates = 20;

/**
 * The document a call is about: the file itself, the one at `relative_path`, or the only one of its kind in the artifact.
 * Throws `target_unavailable` when there is none and `invalid_request` with the candidates when there are several.
 */
export async function chooseDocument(artifact: Artifact, wanted: WantedDocument, context: OperationContext): Promise<ArtifactDocument> {
  const { documentAt, findDocuments, ownDocument } = await import("@rea/artifact");
  const { operation, relativePath } = wanted;
  const own = ownDocument(artifact, operation);
  if (own !== undefined) return own;
  if (relativePath !== undefined) {
    const found = await documentAt(artifact, relativePath, { ...context, operation });
    if (found === undefined) throw noSuchDocument(operation, "no file at that relative_path");
    return found;
  }
  const { documents } = await findDocuments(artifact, { ...context, operation, wants: wanted.wants, maximum: mostCandidates });
  const candidates: ArtifactDocument[] = [];
  for (const document of documents) if (await wanted.fits(document)) candidates.push(document);
  const [only] = candidates;
  if (only === undefined) throw noSuchDocument(operation, `no ${wanted.what} in the artifact`);
  if (candidates.length > 1) throw several(wanted, candidates);
  return only;
}

function several({ operation, what }: WantedDocument, candidates: readonly ArtifactDocument[]): ReaError {
  const named = candidates.slice(0, namedCandidates).map(({ logicalPath }) => logicalPath);
  return new ReaError("invalid_request", {
    message: `The artifact holds more than one ${what} (${String(candidates.length)}), so ${operation} needs relative_path. The details name them.`,
    details: { operation, issues: [{ path: "relative_path", reason: "missing_argument", expected: named.join(", ") }] },
  });
}
