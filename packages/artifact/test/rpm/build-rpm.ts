/** A value of a header tag: text (type 6), a 32-bit number (type 4), bytes (type 7) or a list of text (type 8). */
export type RpmValue = string | number | Buffer | readonly string[];

const magic = Buffer.from("8eade80100000000", "hex");

export function rpmHeader(tags: readonly (readonly [tag: number, value: RpmValue])[]): Buffer {
  const entries: Buffer[] = [];
  const stored: Buffer[] = [];
  let offset = 0;
  for (const [tag, value] of tags) {
    const padding = typeof value === "number" ? (4 - (offset % 4)) % 4 : 0;
    const { type, count, bytes } = encoded(value);
    const entry = Buffer.alloc(16);
    for (const [index, word] of [tag, type, offset + padding, count].entries()) entry.writeUInt32BE(word, index * 4);
    entries.push(entry);
    stored.push(Buffer.alloc(padding), bytes);
    offset += padding + bytes.byteLength;
  }
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32BE(entries.length, 0);
  sizes.writeUInt32BE(offset, 4);
  return Buffer.concat([magic, sizes, ...entries, ...stored]);
}

function encoded(value: RpmValue): { readonly type: number; readonly count: number; readonly bytes: Buffer } {
  if (typeof value === "string") return { type: 6, count: 1, bytes: Buffer.from(`${value}\0`) };
  if (Buffer.isBuffer(value)) return { type: 7, count: value.byteLength, bytes: value };
  if (typeof value !== "number") return { type: 8, count: value.length, bytes: Buffer.from(value.map((text) => `${text}\0`).join("")) };
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return { type: 4, count: 1, bytes };
}

export function rpmPackage(signature: Buffer, main: Buffer, payload: Buffer): Buffer {
  const lead = Buffer.alloc(96);
  lead.write("edabeedb0300", "hex");
  const padding = Buffer.alloc((8 - (signature.byteLength % 8)) % 8);
  return Buffer.concat([lead, signature, padding, main, payload]);
}
