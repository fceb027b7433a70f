import type { ArtifactDocumentFormat } from "@rea/core";
import { cycloneDxPieces } from "./cyclonedx.js";
import { inTotoPieces } from "./in-toto.js";
import type { InspectedArtifact } from "./inspected-artifact.js";
import { sarifPieces } from "./sarif.js";
import { sha256sumLines } from "./sha256sum.js";

const documents = {
  sarif: sarifPieces,
  cyclonedx: cycloneDxPieces,
  sha256sum: sha256sumLines,
  "in-toto": inTotoPieces,
} as const satisfies { readonly [F in ArtifactDocumentFormat]: (artifact: InspectedArtifact) => Iterable<string> };

/** An inventory as a document of another tool's format, in pieces of text; equal inventories give equal text. */
export function artifactDocument(format: ArtifactDocumentFormat, artifact: InspectedArtifact): Iterable<string> {
  return documents[format](artifact);
}
