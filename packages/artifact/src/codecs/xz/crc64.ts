// ECMA-182, reflected; the two halves of each entry lie side by side.
const table = makeTable();

function makeTable(): Uint32Array {
  const entries = new Uint32Array(512);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = BigInt(byte);
    for (let bit = 0; bit < 8; bit += 1) value = (value >> 1n) ^ ((value & 1n) === 0n ? 0n : 0xc96c5795d7870f42n);
    entries[byte * 2] = Number(value & 0xffffffffn);
    entries[byte * 2 + 1] = Number(value >> 32n);
  }
  return entries;
}

/** CRC-64 as xz uses it (ECMA-182 polynomial), over pieces. */
export class Crc64 {
  #low = -1;
  #high = -1;

  update(bytes: Uint8Array): void {
    let low = this.#low;
    let high = this.#high;
    for (let at = 0; at < bytes.byteLength; at += 1) {
      const entry = ((low ^ (bytes[at] ?? 0)) & 0xff) << 1;
      low = ((low >>> 8) | (high << 24)) ^ (table[entry] ?? 0);
      high = (high >>> 8) ^ (table[entry + 1] ?? 0);
    }
    this.#low = low;
    this.#high = high;
  }

  /** Little-endian, as the format stores it. */
  digest(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32LE(~this.#low, 0);
    bytes.writeInt32LE(~this.#high, 4);
    return bytes;
  }
}
