import type { CodeMap } from "./code-map.js";
import type { Extent } from "./extents.js";

/** Largest range of code that is read for the places it names. */
const mostBytes = 1 << 20;

/** The addresses that the instructions of functions name, each function read once from its start to its end. */
export class NamedPlaces {
  readonly #code: CodeMap;
  readonly #byExtent = new Map<number, ReadonlySet<number>>();

  constructor(code: CodeMap) {
    this.#code = code;
  }

  /** RVAs that instructions of the range read, write or form; empty for ranges that are too large. */
  of(extent: Extent): ReadonlySet<number> {
    const known = this.#byExtent.get(extent.start) ?? this.#read(extent);
    this.#byExtent.set(extent.start, known);
    return known;
  }

  #read({ start, end }: Extent): ReadonlySet<number> {
    const places = new Set<number>();
    const region = this.#code.regionAt(start);
    if (region === undefined || end - start > mostBytes) return places;
    const { decoder } = region;
    decoder.begin();
    for (let at = start - region.start; at < Math.min(end, region.end) - region.start; ) {
      const isDecoded = decoder.scan(at);
      for (let index = 0; isDecoded && index < decoder.referenceCount; index += 1) places.add(decoder.referenceTo(index));
      at += isDecoded ? decoder.length : this.#code.alignment;
    }
    decoder.begin();
    return places;
  }
}
