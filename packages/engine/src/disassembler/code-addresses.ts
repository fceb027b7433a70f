import type { Address } from "@rea/core";
import type { BinaryImage, ImageSymbol, Table } from "@rea/binary";

export interface CodeAddresses {
  /** The address of the instruction that an address in the file's tables means. */
  readonly codeOf: (va: Address) => Address;
  /** False for symbols that mark something else than a place in the program. */
  readonly keeps?: (symbol: ImageSymbol) => boolean;
}

/** The image with every address in its tables of symbols, exports, entries, unwind ranges and relocations as `codeOf` gives it. */
export function withCodeAddresses(image: BinaryImage, { codeOf, keeps = () => true }: CodeAddresses): BinaryImage {
  const moved = (va: Address | undefined) => (va === undefined ? undefined : codeOf(va));
  return {
    format: image.format,
    architecture: image.architecture,
    bits: image.bits,
    endian: image.endian,
    imageBase: image.imageBase,
    header: image.header,
    source: image.source,
    sourceOffset: image.sourceOffset,
    segments: () => image.segments(),
    sections: () => image.sections(),
    imports: () => image.imports(),
    libraries: () => image.libraries(),
    buildIds: () => image.buildIds(),
    mitigations: () => image.mitigations(),
    signatures: () => image.signatures(),
    anomalies: () => image.anomalies(),
    overlay: () => image.overlay(),
    symbols: mapped(
      () => image.symbols(),
      (symbol) => (keeps(symbol) ? { ...symbol, va: isData(symbol) ? symbol.va : moved(symbol.va) } : undefined),
    ),
    exports: mapped(() => image.exports(), (exported) => ({ ...exported, va: exported.type === "object" ? exported.va : moved(exported.va) })),
    relocations: mapped(() => image.relocations(), (relocation) => ({ ...relocation, target: moved(relocation.target) })),
    entryPoints: mapped(() => image.entryPoints(), (entry) => ({ ...entry, va: codeOf(entry.va) })),
    unwindRanges: mapped(() => image.unwindRanges(), (range) => ({ ...range, start: codeOf(range.start), primary: moved(range.primary) })),
  };
}

function isData({ type }: ImageSymbol): boolean {
  return type !== "function" && type !== "indirect-function";
}

/** A table made once, from items that `change` gives; those it gives undefined for fall away. */
function mapped<T>(table: () => Table<T>, change: (item: T) => T | undefined): () => Table<T> {
  let made: Table<T> | undefined;
  return () => {
    if (made === undefined) {
      const { items, omissions } = table();
      made = { omissions, items: items.flatMap((item) => change(item) ?? []) };
    }
    return made;
  };
}
