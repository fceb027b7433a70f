/** A number that ISO 9660 writes twice, in either byte order (ECMA-119 §7.2.3 and §7.3.3). */
export interface BothEndian {
  /** The little-endian one, which most readers take. */
  readonly value: number;
  readonly agrees: boolean;
}

export function both16(bytes: Buffer, at: number): BothEndian {
  const value = bytes.readUInt16LE(at);
  return { value, agrees: value === bytes.readUInt16BE(at + 2) };
}

export function both32(bytes: Buffer, at: number): BothEndian {
  const value = bytes.readUInt32LE(at);
  return { value, agrees: value === bytes.readUInt32BE(at + 4) };
}
