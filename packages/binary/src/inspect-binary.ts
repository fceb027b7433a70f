import { binaryFacets, type BinaryFacet, type ByteSource, type OperationResult } from "@rea/core";
import { ContentReader } from "./inspect/content.js";
import { Display } from "./inspect/display.js";
import * as facts from "./inspect/fact-facets.js";
import * as layout from "./inspect/layout-facets.js";
import * as payload from "./inspect/payload-facets.js";
import * as symbols from "./inspect/symbol-facets.js";
import { availableArchitectures } from "./list-architectures.js";
import { openImage } from "./open-image.js";

type Result = OperationResult<"inspect_binary">;

/** The parsed input of `inspect_binary` without its path. */
export interface InspectBinaryParams {
  /** Facets wanted; all by default. */
  readonly facets?: readonly BinaryFacet[] | undefined;
  /** First symbol, import and export; 0 by default. */
  readonly symbol_offset?: number | undefined;
  /** Symbols, imports and exports in a page; 100 by default. */
  readonly symbol_limit?: number | undefined;
  /** Slice of a universal file. */
  readonly architecture?: string | undefined;
}

/**
 * Describes an executable, facet by facet, as `inspect_binary` returns it: deterministic, with every text of the file escaped
 * and every facet saying what it left out. Offsets count from the start of the file, also for a slice of a universal
 * Mach-O. Reads and hashes all sections, so a large file takes seconds: run it in a worker.
 *
 * Throws what `openImage` throws.
 */
export function inspectBinary(source: ByteSource, params: InspectBinaryParams = {}): Result {
  const image = openImage(source, { architecture: params.architecture });
  const display = new Display(image);
  const content = new ContentReader(image.source);
  const request = { offset: params.symbol_offset ?? 0, limit: params.symbol_limit ?? 100 };
  const wanted = new Set(params.facets ?? binaryFacets);
  const make: { readonly [F in BinaryFacet]: () => Result[F] } = {
    header: () => layout.headerFacet(image, display),
    segments: () => layout.segmentsFacet(image, content, display),
    sections: () => layout.sectionsFacet(image, content, display),
    symbols: () => symbols.symbolsFacet(image, request, display),
    imports: () => symbols.importsFacet(image, request, display),
    exports: () => symbols.exportsFacet(image, request, display),
    relocations: () => facts.relocationsFacet(image, display),
    libraries: () => facts.librariesFacet(image, display),
    mitigations: () => facts.mitigationsFacet(image),
    build_ids: () => facts.buildIdsFacet(image, display),
    signatures: () => facts.signaturesFacet(image, display),
    overlay: () => payload.overlayFacet(image, content, display),
    anomalies: () => facts.anomaliesFacet(image, display),
    strings_summary: () => payload.stringsFacet(image),
    container_hints: () => payload.hintsFacet(image, display),
  };
  const made = Object.fromEntries(binaryFacets.filter((facet) => wanted.has(facet)).map((facet) => [facet, make[facet]()]));
  return {
    format: image.format,
    architecture: image.architecture ?? null,
    available_architectures: [...availableArchitectures(source)],
    ...made,
    limitations: limitationsOf(Object.entries(made)),
  };
}

function limitationsOf(facets: readonly (readonly [string, object | undefined])[]): string[] {
  const partial = facets.filter(([, facet]) => isPartial(facet)).map(([name]) => name);
  return partial.length === 0 ? [] : [`Not complete: ${partial.join(", ")}; the coverage of each says what is missing.`];
}

function isPartial(facet: object | undefined): boolean {
  if (facet === undefined || !("coverage" in facet)) return false;
  const { coverage } = facet;
  return typeof coverage === "object" && coverage !== null && "state" in coverage && coverage.state !== "complete";
}
