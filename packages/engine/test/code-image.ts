import { address, memorySource } from "@rea/core";
import type { Architecture, BinaryImage, ImageSymbol, ImportedSymbol, Relocation, UnwindRange } from "@rea/binary";

const base = 0x400000n;
export const codeRva = 0x1000;

export interface CodeImageOptions {
  readonly code: Uint8Array;
  readonly architecture?: Architecture;
  readonly endian?: "little" | "big";
  /** RVAs. */
  readonly entries?: readonly number[];
  readonly symbols?: readonly { readonly name: string; readonly rva: number; readonly size?: number; readonly binding?: ImageSymbol["binding"] }[];
  readonly unwind?: readonly { readonly start: number; readonly end?: number; readonly primary?: number }[];
  readonly imports?: readonly { readonly name: string; readonly slots?: readonly number[]; readonly stubs?: readonly number[] }[];
  readonly pointers?: readonly { readonly cell: number; readonly target: number }[];
  /** Bytes behind the code at the next page, readable and writable. */
  readonly data?: Uint8Array;
}

const table = <T>(items: readonly T[]) => () => ({ items, omissions: [] });
const at = (rva: number) => address(base + BigInt(rva));
const nowhere = { offset: 0, size: 0 };

/** RVA of the data of an image with this much code. */
export function dataRva(codeBytes: number): number {
  return codeRva + Math.ceil(codeBytes / 4096) * 4096;
}

/** An image of a hand-made program: code at 0x401000, data behind it, and whatever tables a test wants. */
export function codeImage(options: CodeImageOptions): BinaryImage {
  const { code } = options;
  const data = options.data ?? new Uint8Array(16);
  const bytes = new Uint8Array(code.length + data.length);
  bytes.set(code);
  bytes.set(data, code.length);
  const segment = (name: string, rva: number, offset: number, size: number, executable: boolean) => ({
    name,
    va: at(rva),
    virtualSize: BigInt(size),
    file: { offset, size },
    readable: true,
    writable: !executable,
    executable,
    flags: [],
  });
  return {
    format: "raw",
    architecture: options.architecture ?? "x86_64",
    bits: 64,
    endian: options.endian ?? "little",
    imageBase: address(base),
    header: {
      machine: "test",
      type: "test",
      flags: [],
      interpreter: undefined,
      subsystem: undefined,
      timestamp: undefined,
      file: nowhere,
    },
    source: memorySource(bytes),
    sourceOffset: 0,
    segments: table([
      segment("headers", 0, 0, 0, false),
      segment("code", codeRva, 0, code.length, true),
      segment("data", dataRva(code.length), code.length, data.length, false),
    ]),
    sections: table([]),
    symbols: table((options.symbols ?? []).map(symbol)),
    imports: table((options.imports ?? []).map(imported)),
    exports: table([]),
    relocations: table((options.pointers ?? []).map(relocation)),
    libraries: () => ({ needed: [], runPaths: [], ownName: undefined, omissions: [] }),
    entryPoints: table((options.entries ?? [codeRva]).map((rva) => ({ va: at(rva), kind: "entry" as const }))),
    unwindRanges: table((options.unwind ?? []).map(unwindRange)),
    buildIds: table([]),
    mitigations: table([]),
    signatures: table([]),
    anomalies: table([]),
    overlay: () => undefined,
  };
}

function symbol(one: NonNullable<CodeImageOptions["symbols"]>[number]): ImageSymbol {
  return {
    name: one.name,
    va: at(one.rva),
    size: BigInt(one.size ?? 0),
    type: "function",
    binding: one.binding ?? "global",
    defined: true,
    section: undefined,
    table: "symtab",
    version: undefined,
    library: undefined,
    file: nowhere,
  };
}

function imported(one: NonNullable<CodeImageOptions["imports"]>[number]): ImportedSymbol {
  return {
    name: one.name,
    library: undefined,
    ordinal: undefined,
    version: undefined,
    slots: (one.slots ?? []).map(at),
    stubs: (one.stubs ?? []).map(at),
    binding: "global",
    type: "function",
    delayed: false,
    file: undefined,
  };
}

function relocation(one: { readonly cell: number; readonly target: number }): Relocation {
  return { va: at(one.cell), type: "test", section: "", symbol: undefined, target: at(one.target), addend: undefined };
}

function unwindRange(one: NonNullable<CodeImageOptions["unwind"]>[number]): UnwindRange {
  return {
    start: at(one.start),
    end: one.end === undefined ? undefined : at(one.end),
    source: "eh_frame",
    primary: one.primary === undefined ? undefined : at(one.primary),
    lsda: undefined,
  };
}

/** Bytes from hexadecimal text; spaces are for the reader. */
export function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll(/\s+/g, ""), "hex"));
}
