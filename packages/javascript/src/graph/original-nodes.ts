import type { LinkedApplication } from "../link/linked-application.js";
import type { Original } from "../link/originals.js";
import type { Finding } from "./graph-builder.js";
import type { NodePlaces } from "./node-places.js";

/** Originals that maps name, tied to the modules or files that hold their code. */
export function addOriginals({ originals, originalEdges, scriptsByPath, maps }: LinkedApplication, places: NodePlaces): void {
  const { builder } = places;
  const digests = new Map(maps.map(({ path, sha256 }) => [path, sha256]));
  const nodes = new Map<Original, string | undefined>();
  for (const original of originals.values()) {
    if (original.isBundlers) continue;
    for (const { map, script, original: place } of original.in) {
      const digest = digests.get(map) ?? null;
      const finding: Finding = { authority: "artifact-bytes", file: digest === null ? "The map has no digest." : { sha256: digest, path: map }, at: "A source map is read as a whole.", extractor: "source-map" };
      const properties = { bytes: original.bytes, first_party: original.isFirstParty, path: original.path, sha256: original.sha256 };
      const id = builder.node({ kind: "source-module", strategy: "source-map-original", value: original.key, name: original.path, properties, finding });
      nodes.set(original, id);
      if (map !== script) builder.edge("contains", places.file(map), id, { finding });
      const owner = script === null ? undefined : scriptsByPath.get(script);
      if (owner === undefined || place.segments === 0) continue;
      const at = place.module === null ? undefined : places.modules(owner.path)[place.module];
      const mapping: Finding = {
        authority: "static-relationship-inference",
        state: "inferred",
        confidence: "high",
        file: { sha256: owner.sha256, path: owner.path },
        at: at?.at ?? "Its code is spread over the file.",
        extractor: "source-map-mappings",
        limitations: ["Concluded from the mappings of a source map, which nothing proves."],
      };
      builder.edge("maps_to", at?.node ?? places.file(owner.path), id, { finding: mapping, properties: { segments: place.segments } });
    }
  }
  for (const { from, to, specifier, confidence } of originalEdges) {
    const [place] = from.in;
    const digest = place === undefined ? null : (digests.get(place.map) ?? null);
    builder.edge("imports", nodes.get(from), nodes.get(to), {
      finding: {
        authority: "static-relationship-inference",
        state: "inferred",
        confidence,
        file: digest === null || place === undefined ? "The map has no digest." : { sha256: digest, path: place.map },
        at: "The place is one of the original's text.",
        extractor: "original-imports",
        limitations: ["Resolved among the originals of source maps by path."],
      },
      properties: { specifier },
    });
  }
}
