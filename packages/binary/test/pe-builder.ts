/** A small x64 library with every table the reader knows, written field by field from the PE specification. */
export const smallPe = {
  imageBase: 0x1_8000_0000n,
  text: 0x1000,
  rdata: 0x2000,
  reloc: 0x3000,
  importDirectory: 0x2000,
  lookupTable: 0x2040,
  addressTable: 0x2060,
  exportDirectory: 0x2100,
  exceptionDirectory: 0x2200,
  tlsDirectory: 0x2280,
  callbacks: 0x22b0,
  debugDirectory: 0x2300,
  fileSize: 0xa00,
} as const;

const rdataFile = 0x400;
const relocFile = 0x800;

/** File offset of an RVA of the sample. */
export function fileOffsetOf(rva: number): number {
  if (rva >= smallPe.reloc) return rva - smallPe.reloc + relocFile;
  return rva >= smallPe.rdata ? rva - smallPe.rdata + rdataFile : rva - smallPe.text + 0x200;
}

export function buildSmallPe(): Buffer {
  const bytes = Buffer.alloc(smallPe.fileSize);
  const u16 = (at: number, value: number): number => bytes.writeUInt16LE(value, at);
  const u32 = (at: number, value: number): number => bytes.writeUInt32LE(value, at);
  const at = fileOffsetOf;
  writeHeaders(bytes, u16, u32);

  // .text: a function of 16 bytes, its second part, and a thunk through the first slot.
  bytes.fill(0xcc, 0x200, 0x300);
  bytes.writeUInt8(0xc3, 0x200);
  bytes.set([0xff, 0x25], 0x240);
  bytes.writeInt32LE(smallPe.addressTable - (smallPe.text + 0x46), 0x242);

  // Imports: one by name, one by ordinal.
  u32(at(smallPe.importDirectory), smallPe.lookupTable);
  u32(at(smallPe.importDirectory) + 12, 0x2090);
  u32(at(smallPe.importDirectory) + 16, smallPe.addressTable);
  for (const table of [smallPe.lookupTable, smallPe.addressTable]) {
    bytes.writeBigUInt64LE(0x20a0n, at(table));
    bytes.writeBigUInt64LE(0x8000_0000_0000_0007n, at(table) + 8);
  }
  bytes.write("KERNEL32.dll", at(0x2090), "latin1");
  bytes.write("Sleep", at(0x20a2), "latin1");

  // Exports from ordinal 5: a named function, nothing, and a forwarder.
  const exported = at(smallPe.exportDirectory);
  u32(exported + 12, 0x2180);
  u32(exported + 16, 5);
  u32(exported + 20, 3);
  u32(exported + 24, 2);
  u32(exported + 28, 0x2128);
  u32(exported + 32, 0x2140);
  u32(exported + 36, 0x2150);
  u32(at(0x2128), smallPe.text);
  u32(at(0x2130), 0x2170);
  u32(at(0x2140), 0x2160);
  u32(at(0x2144), 0x2168);
  u16(at(0x2152), 2);
  bytes.write("begin", at(0x2160), "latin1");
  bytes.write("fwd", at(0x2168), "latin1");
  bytes.write("A.b", at(0x2170), "latin1");
  bytes.write("small.dll", at(0x2180), "latin1");

  // Exceptions: a function and a part of it that chains to it.
  for (const [index, [begin, end, info]] of [[0x1000, 0x1010, 0x2220], [0x1020, 0x1030, 0x2230]].entries()) {
    u32(at(smallPe.exceptionDirectory) + index * 12, begin ?? 0);
    u32(at(smallPe.exceptionDirectory) + index * 12 + 4, end ?? 0);
    u32(at(smallPe.exceptionDirectory) + index * 12 + 8, info ?? 0);
  }
  u32(at(0x2220), 0x01);
  u32(at(0x2230), 0x21);
  u32(at(0x2234), 0x1000);
  u32(at(0x2238), 0x1010);
  u32(at(0x223c), 0x2220);

  bytes.writeBigUInt64LE(smallPe.imageBase + BigInt(smallPe.callbacks), at(smallPe.tlsDirectory) + 24);
  bytes.writeBigUInt64LE(smallPe.imageBase + 0x1000n, at(smallPe.callbacks));

  u32(at(smallPe.debugDirectory) + 12, 2);
  u32(at(smallPe.debugDirectory) + 16, 0x24);
  u32(at(smallPe.debugDirectory) + 20, 0x2320);
  u32(at(smallPe.debugDirectory) + 24, at(0x2320));
  bytes.write("RSDS0123456789abcdef\u0001\0\0\0small.pdb", at(0x2320), "latin1");

  // One block: the callback pointer, and a padding entry.
  u32(relocFile, smallPe.rdata);
  u32(relocFile + 4, 12);
  u16(relocFile + 8, 0xa000 | (smallPe.callbacks - smallPe.rdata));
  return bytes;
}

function writeHeaders(bytes: Buffer, u16: (at: number, value: number) => number, u32: (at: number, value: number) => number): void {
  bytes.write("MZ", 0, "latin1");
  u32(0x3c, 0x40);
  bytes.write("PE\0\0", 0x40, "latin1");
  u16(0x44, 0x8664);
  u16(0x46, 3);
  u32(0x48, 0x5f00_0000);
  u16(0x54, 240);
  u16(0x56, 0x2022);
  u16(0x58, 0x20b);
  bytes.set([14, 30], 0x5a);
  u32(0x68, smallPe.text);
  bytes.writeBigUInt64LE(smallPe.imageBase, 0x70);
  u32(0x78, 0x1000);
  u32(0x7c, 0x200);
  u32(0x90, 0x4000);
  u32(0x94, 0x200);
  u16(0x9c, 3);
  u16(0x9e, 0x0160);
  u32(0xc4, 16);
  const directory = (index: number, rva: number, size: number): void => {
    u32(0xc8 + index * 8, rva);
    u32(0xcc + index * 8, size);
  };
  directory(0, smallPe.exportDirectory, 0x90);
  directory(1, smallPe.importDirectory, 40);
  directory(3, smallPe.exceptionDirectory, 24);
  directory(5, smallPe.reloc, 12);
  directory(6, smallPe.debugDirectory, 28);
  directory(9, smallPe.tlsDirectory, 40);
  directory(12, smallPe.addressTable, 24);
  const sections = [
    [".text", 0x200, smallPe.text, 0x200, 0x200, 0x6000_0020],
    [".rdata", 0x400, smallPe.rdata, 0x400, rdataFile, 0x4000_0040],
    [".reloc", 0x200, smallPe.reloc, 0x200, relocFile, 0x4200_0040],
  ] as const;
  for (const [index, [name, virtualSize, rva, rawSize, pointer, flags]] of sections.entries()) {
    const at = 0x148 + index * 40;
    bytes.write(name, at, "latin1");
    u32(at + 8, virtualSize);
    u32(at + 12, rva);
    u32(at + 16, rawSize);
    u32(at + 20, pointer);
    u32(at + 36, flags);
  }
}
