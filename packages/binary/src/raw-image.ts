import { address, type Address, type ByteSource } from "@rea/core";
import type { Architecture, BinaryImage, EntryPoint, Segment } from "./image.js";
import { once } from "./once.js";
import { vectorTable } from "./vector-table.js";

export interface RawOptions {
  readonly architecture: Architecture;
  /** Address of the first byte. */
  readonly base: Address;
  readonly endian: "little" | "big";
}

const wide: ReadonlySet<Architecture> = new Set<Architecture>(["x86_64", "arm64", "riscv64", "mips64", "powerpc64"]);
const empty = { items: [], omissions: [] };

/**
 * A file without headers as one readable, writable and executable mapping. It declares nothing else; execution is taken to
 * begin at its first byte, or with the handlers of a Cortex-M vector table where one stands there.
 */
export function rawImage(source: ByteSource, options: RawOptions): BinaryImage {
  const file = { offset: 0, size: source.size };
  const segment: Segment = {
    name: "raw",
    va: options.base,
    virtualSize: BigInt(source.size),
    file,
    readable: true,
    writable: true,
    executable: true,
    flags: [],
  };
  return {
    format: "raw",
    architecture: options.architecture,
    bits: wide.has(options.architecture) ? 64 : 32,
    endian: options.endian,
    imageBase: address(options.base),
    header: { machine: "raw", type: "raw", flags: [], interpreter: undefined, subsystem: undefined, timestamp: undefined, file: { offset: 0, size: 0 } },
    source,
    sourceOffset: 0,
    segments: () => ({ items: [segment], omissions: [] }),
    sections: () => empty,
    symbols: () => empty,
    imports: () => empty,
    exports: () => empty,
    relocations: () => empty,
    libraries: () => ({ needed: [], runPaths: [], ownName: undefined, omissions: [] }),
    entryPoints: once(() => ({ items: entriesOf(source, options), omissions: [] })),
    unwindRanges: () => empty,
    buildIds: () => empty,
    mitigations: () => empty,
    signatures: () => empty,
    anomalies: () => empty,
    overlay: () => undefined,
  };
}

function entriesOf(source: ByteSource, { architecture, base, endian }: RawOptions): readonly EntryPoint[] {
  const handlers = architecture === "arm" && endian === "little" ? vectorTable(source, base) : [];
  return handlers.length > 0 ? handlers : [{ va: base, kind: "entry" }];
}
