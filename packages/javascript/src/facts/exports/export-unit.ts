import { unknownExport, type ExportFacts, type ExportValue } from "./export-fact.js";

const mostExports = 200;
const mostPlaces = 600;

/** Exports of one file or module as they are found. */
export class ExportUnit {
  readonly #exports = new Map<string, ExportValue>();
  readonly #stars = new Set<string>();
  #places = 0;
  #isComplete = true;

  add(name: string, fact: ExportValue): void {
    const known = this.#exports.get(name);
    if (known === undefined && this.#exports.size >= mostExports) {
      this.#isComplete = false;
      return;
    }
    // Given twice: which of them holds is decided when the program runs; `exports.a = void 0` is only a declaration.
    const isEmpty = known?.kind === "value" && known.variants.every((shape) => shape.every(([, token]) => token === "undefined"));
    const chosen = known === undefined || isEmpty ? fact : unknownExport;
    const places = chosen.variants.reduce((sum, shape) => sum + shape.length, 0);
    const hasRoom = this.#places + places <= mostPlaces;
    if (hasRoom) this.#places += places;
    this.#exports.set(name, hasRoom ? chosen : { ...chosen, variants: [], isComplete: false });
  }

  star(specifier: string): void {
    if (this.#stars.size < mostExports) this.#stars.add(specifier);
    else this.#isComplete = false;
  }

  /** Names are put together at run time. */
  dynamic(): void {
    this.#isComplete = false;
  }

  /** Takes over what another unit hands out. */
  take(other: ExportUnit): void {
    for (const [name, fact] of other.#exports) if (!this.#exports.has(name)) this.add(name, fact);
    for (const star of other.#stars) this.star(star);
    if (!other.#isComplete) this.dynamic();
  }

  facts(): ExportFacts {
    return {
      exports: [...this.#exports].map(([name, fact]) => ({ name, ...fact })).sort((a, b) => (a.name < b.name ? -1 : 1)),
      stars: [...this.#stars].sort(),
      isComplete: this.#isComplete,
    };
  }
}
