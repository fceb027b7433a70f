/** A PE file of one section that holds the resource `INTEGRITY` / `ELECTRONASAR`, and nothing that could run. */
export function windowsProgram(resource: string): Buffer {
  const content = Buffer.from(resource);
  const headers = Buffer.alloc(0x200);
  headers.write("MZ", 0, "latin1");
  headers.writeUInt32LE(0x80, 0x3c);
  headers.write("PE\0\0", 0x80, "latin1");
  const coff = 0x84;
  headers.writeUInt16LE(0x8664, coff);
  headers.writeUInt16LE(1, coff + 2);
  headers.writeUInt16LE(240, coff + 16);
  headers.writeUInt16LE(0x22, coff + 18);
  const optional = coff + 20;
  headers.writeUInt16LE(0x20b, optional);
  headers.writeUInt32LE(0x1000, optional + 32);
  headers.writeUInt32LE(0x200, optional + 36);
  headers.writeUInt32LE(0x2000, optional + 56);
  headers.writeUInt32LE(0x200, optional + 60);
  headers.writeUInt32LE(16, optional + 108);
  headers.writeUInt32LE(0x1000, optional + 112 + 16);
  headers.writeUInt32LE(0x1000, optional + 112 + 20);
  const section = optional + 240;
  headers.write(".rsrc", section, "latin1");
  for (const [index, value] of [0x1000, 0x1000, 0x1000, 0x200].entries()) headers.writeUInt32LE(value, section + 8 + index * 4);
  return Buffer.concat([headers, resources(content)]);
}

/** Three levels: type, name, language; then the place of the data. */
function resources(content: Buffer): Buffer {
  const bytes = Buffer.alloc(0x1000);
  const named = (at: number, nameAt: number, next: number) => {
    bytes.writeUInt16LE(1, at + 12);
    bytes.writeUInt32LE(0x8000_0000 + nameAt, at + 16);
    bytes.writeUInt32LE(0x8000_0000 + next, at + 20);
  };
  named(0, 0x100, 0x20);
  named(0x20, 0x140, 0x40);
  bytes.writeUInt16LE(1, 0x40 + 14);
  bytes.writeUInt32LE(1033, 0x40 + 16);
  bytes.writeUInt32LE(0x60, 0x40 + 20);
  bytes.writeUInt32LE(0x1000 + 0x200, 0x60);
  bytes.writeUInt32LE(content.byteLength, 0x64);
  for (const [at, name] of [[0x100, "Integrity"], [0x140, "ELECTRONASAR"]] as const) {
    bytes.writeUInt16LE(name.length, at);
    bytes.write(name, at + 2, "utf16le");
  }
  content.copy(bytes, 0x200);
  return bytes;
}
