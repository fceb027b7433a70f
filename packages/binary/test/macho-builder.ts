/** Places of the small sample: an arm64 program with one import, one initialiser, one export and an unwind page. */
export const smallMachO = {
  base: 0x1_0000_0000n,
  text: 0x800,
  stubs: 0x840,
  unwind: 0x880,
  data: 0x1000,
  fixups: 0x1200,
  trie: 0x1280,
  functionStarts: 0x12c0,
  symbols: 0x12d0,
  indirect: 0x1310,
  strings: 0x1320,
  opcodes: 0x1360,
  fileSize: 0x1400,
} as const;

export interface SmallMachO {
  /** Pointer format of the chain in `__DATA`; default `DYLD_CHAINED_PTR_64_OFFSET`. */
  readonly format?: number;
  /** Raw pointers from the start of `__DATA`; default a bind of import 0 and a rebase to the initialiser. */
  readonly pointers?: readonly bigint[];
  readonly trie?: readonly number[];
  /** Opcode streams instead of chained fix-ups, at most 32 bytes each. */
  readonly opcodes?: { readonly rebase?: readonly number[]; readonly bind?: readonly number[]; readonly lazy?: readonly number[] };
}

const strings = "\0_main\0_imported\0_first\0";
const defaultTrie = [0x00, 0x01, ...Buffer.from("_main\0"), 0x09, 0x03, 0x00, 0x80, 0x10, 0x00];
/** Bind of import 0 with the next pointer 8 bytes on, then a rebase to offset 0x820. */
const defaultPointers = [(1n << 63n) | (2n << 51n), 0x820n];

export function buildSmallMachO(options: SmallMachO = {}): Buffer {
  const bytes = Buffer.alloc(smallMachO.fileSize);
  const commands = [
    segment("__TEXT", [0x1_0000_0000n, 0x1000n, 0n, 0x1000n], 5, [
      section("__text", "__TEXT", smallMachO.text, 0x40, 0x8000_0400, 0, 0),
      section("__stubs", "__TEXT", smallMachO.stubs, 12, 0x8000_0408, 1, 12),
      section("__unwind_info", "__TEXT", smallMachO.unwind, 0x60, 0, 0, 0),
    ]),
    segment("__DATA", [0x1_0000_1000n, 0x1000n, 0x1000n, 0x200n], 3, [
      section("__got", "__DATA", smallMachO.data, 8, 6, 0, 0),
      section("__mod_init_func", "__DATA", smallMachO.data + 8, 8, 9, 0, 0),
      section("__data", "__DATA", smallMachO.data + 16, 0x1f0, 0, 0, 0),
    ]),
    segment("__LINKEDIT", [0x1_0000_2000n, 0x1000n, 0x1200n, 0x200n], 1, []),
    words(0x2, smallMachO.symbols, 3, smallMachO.strings, strings.length),
    dysymtab(),
    ...(options.opcodes === undefined ? [words(0x8000_0034, smallMachO.fixups, 0x80)] : [dyldInfo(options.opcodes)]),
    words(0x8000_0033, smallMachO.trie, 0x40),
    words(0x26, smallMachO.functionStarts, 8),
    dylib(),
    words(0x8000_0028, smallMachO.text, 0, 0, 0),
    words(0x1b, 1, 2, 3, 4),
  ];
  bytes.set(header(commands), 0);
  bytes.set(Buffer.concat(commands), 32);
  writeUnwind(bytes);
  for (const [index, pointer] of (options.pointers ?? defaultPointers).entries()) bytes.writeBigUInt64LE(BigInt.asUintN(64, pointer), smallMachO.data + index * 8);
  writeFixups(bytes, options.format ?? 6);
  bytes.set(options.trie ?? defaultTrie, smallMachO.trie);
  // Starts at 0x800 and 0x820.
  bytes.set([0x80, 0x10, 0x20, 0x00], smallMachO.functionStarts);
  writeSymbols(bytes);
  const { rebase = [], bind = [], lazy = [] } = options.opcodes ?? {};
  [rebase, bind, lazy].forEach((stream, index) => { bytes.set(stream, smallMachO.opcodes + index * 32); });
  return bytes;
}

function header(commands: readonly Buffer[]): Buffer {
  const size = commands.reduce((total, command) => total + command.length, 0);
  return u32s(0xfeedfacf, 0x0100000c, 0, 2, commands.length, size, 0x200085, 0);
}

function u32s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  return bytes;
}

/** A command of 32-bit words behind its kind and size. */
function words(kind: number, ...values: readonly number[]): Buffer {
  return u32s(kind, 8 + values.length * 4, ...values);
}

function name16(name: string): Buffer {
  return Buffer.concat([Buffer.from(name, "latin1")], 16);
}

function u64s(...values: readonly bigint[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, index) => bytes.writeBigUInt64LE(value, index * 8));
  return bytes;
}

function segment(name: string, place: readonly bigint[], protection: number, sections: readonly Buffer[]): Buffer {
  const body = Buffer.concat([name16(name), u64s(...place), u32s(protection, protection, sections.length, 0), ...sections]);
  return Buffer.concat([u32s(0x19, 8 + body.length), body]);
}

function section(name: string, segmentName: string, offset: number, size: number, flags: number, reserved1: number, reserved2: number): Buffer {
  const place = u64s(smallMachO.base + BigInt(offset), BigInt(size));
  return Buffer.concat([name16(name), name16(segmentName), place, u32s(offset, 2, 0, 0, flags, reserved1, reserved2, 0)]);
}

function dysymtab(): Buffer {
  const fields = Array.from({ length: 18 }, () => 0);
  fields[12] = smallMachO.indirect;
  fields[13] = 2;
  return words(0xb, ...fields);
}

function dyldInfo(streams: NonNullable<SmallMachO["opcodes"]>): Buffer {
  const range = (index: number, stream: readonly number[] | undefined): readonly number[] => [smallMachO.opcodes + index * 32, stream?.length ?? 0];
  return words(0x80000022, ...range(0, streams.rebase), ...range(1, streams.bind), 0, 0, ...range(2, streams.lazy), 0, 0);
}

function dylib(): Buffer {
  const name = Buffer.concat([Buffer.from("/usr/lib/libother.dylib\0", "latin1")], 24);
  return Buffer.concat([words(0xc, 24, 2, 0x10203, 0x10000).fill(24 + 24, 4, 5), name]);
}

/** Index with one regular page of two functions and the sentinel. */
function writeUnwind(bytes: Buffer): void {
  bytes.set(u32s(1, 0x1c, 0, 0x1c, 0, 0x1c, 2, 0x800, 0x38, 0x34, 0x840, 0, 0x34), smallMachO.unwind);
  bytes.set(u32s(2, 0x0002_0008, 0x800, 0x0400_0000, 0x820, 0x0200_0000), smallMachO.unwind + 0x38);
}

function writeFixups(bytes: Buffer, format: number): void {
  // Header, starts of three segments of which the second has a chain, one import, its name.
  bytes.set(u32s(0, 0x20, 0x50, 0x58, 1, 1, 0), smallMachO.fixups);
  bytes.set(u32s(3, 0, 0x10, 0), smallMachO.fixups + 0x20);
  const starts = smallMachO.fixups + 0x30;
  bytes.writeUInt32LE(0x18, starts);
  bytes.writeUInt16LE(0x1000, starts + 4);
  bytes.writeUInt16LE(format, starts + 6);
  bytes.writeBigUInt64LE(0x1000n, starts + 8);
  bytes.writeUInt16LE(1, starts + 20);
  bytes.set(u32s(1 | (1 << 9)), smallMachO.fixups + 0x50);
  bytes.write("\0_imported\0", smallMachO.fixups + 0x58, "latin1");
}

function writeSymbols(bytes: Buffer): void {
  const symbol = (index: number, name: string, type: number, sectionNumber: number, description: number, value: bigint): void => {
    const at = smallMachO.symbols + index * 16;
    bytes.writeUInt32LE(strings.indexOf(name), at);
    bytes.set([type, sectionNumber], at + 4);
    bytes.writeUInt16LE(description, at + 6);
    bytes.writeBigUInt64LE(value, at + 8);
  };
  symbol(0, "_main", 0x0f, 1, 0, 0x1_0000_0800n);
  symbol(1, "_imported", 0x01, 0, 0x0100, 0n);
  symbol(2, "_first", 0x0e, 1, 0, 0x1_0000_0820n);
  bytes.set(u32s(1, 1), smallMachO.indirect);
  bytes.write(strings, smallMachO.strings, "latin1");
}
