/** A section header of a made ELF file. */
export interface ElfPiece {
  readonly va: number;
  readonly offset: number;
  readonly size: number;
}

const headerBytes = 64;
const programBytes = 56;
const sectionBytes = 64;

export interface ElfOptions {
  readonly entry: number;
  /** The bytes behind the headers, from file offset 0x1000 on. */
  readonly code: Uint8Array;
  readonly segments: readonly ElfPiece[];
  /** Sections of code. */
  readonly sections: readonly ElfPiece[];
}

export const elfCodeOffset = 0x1000;

/** A little-endian x86-64 ELF program; headers say whatever is asked. Counts of sections beyond the field stand in section 0. */
export function elfFile({ entry, code, segments, sections }: ElfOptions): Uint8Array {
  const count = sections.length + 1;
  const table = elfCodeOffset + code.length;
  const bytes = new Uint8Array(table + count * sectionBytes);
  const view = new DataView(bytes.buffer);
  const many = count >= 0xff00;
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  for (const [at, value] of [[16, 2], [18, 62], [52, headerBytes], [54, programBytes], [56, segments.length], [58, sectionBytes], [60, many ? 0 : count]] as const) {
    view.setUint16(at, value, true);
  }
  view.setUint32(20, 1, true);
  put64(view, [[24, entry], [32, headerBytes], [40, table]]);
  for (const [index, { va, offset, size }] of segments.entries()) {
    const at = headerBytes + index * programBytes;
    view.setUint32(at, 1, true);
    view.setUint32(at + 4, 5, true);
    put64(view, [[at + 8, offset], [at + 16, va], [at + 24, va], [at + 32, size], [at + 40, size], [at + 48, 0x1000]]);
  }
  bytes.set(code, elfCodeOffset);
  if (many) put64(view, [[table + 32, count]]);
  for (const [index, { va, offset, size }] of sections.entries()) {
    const at = table + (index + 1) * sectionBytes;
    view.setUint32(at + 4, 1, true);
    put64(view, [[at + 8, 6], [at + 16, va], [at + 24, offset], [at + 32, size], [at + 48, 1]]);
  }
  return bytes;
}

function put64(view: DataView, fields: readonly (readonly [number, number])[]): void {
  for (const [at, value] of fields) view.setBigUint64(at, BigInt(value), true);
}

export const peBase = 0x1_4000_0000n;
export const peCodeRva = 0x2000;
const peHeaders = 0x2000;

/** An x64 PE program whose sections of code all claim the same bytes, each at its own RVA `step` bytes after the one before. */
export function peFile(code: Uint8Array, sections: number, step: number): Uint8Array {
  const bytes = new Uint8Array(peHeaders + code.length);
  const view = new DataView(bytes.buffer);
  const u16 = (at: number, value: number): void => {
    view.setUint16(at, value, true);
  };
  const u32 = (at: number, value: number): void => {
    view.setUint32(at, value, true);
  };
  bytes.set([0x4d, 0x5a]);
  u32(0x3c, 0x40);
  bytes.set([0x50, 0x45], 0x40);
  for (const [at, value] of [[0x44, 0x8664], [0x46, sections], [0x54, 240], [0x56, 0x22], [0x58, 0x20b], [0x9c, 3]] as const) u16(at, value);
  view.setBigUint64(0x70, peBase, true);
  for (const [at, value] of [[0x68, peCodeRva], [0x78, 0x1000], [0x7c, 0x200], [0x90, 0x10_0000], [0x94, peHeaders], [0xc4, 16]] as const) u32(at, value);
  for (let index = 0; index < sections; index += 1) {
    const at = 0x148 + index * 40;
    bytes.set([0x2e, 0x74], at);
    for (const [field, value] of [[8, code.length], [12, peCodeRva + index * step], [16, code.length], [20, peHeaders], [36, 0x6000_0020]] as const) u32(at + field, value);
  }
  bytes.set(code, peHeaders);
  return bytes;
}
