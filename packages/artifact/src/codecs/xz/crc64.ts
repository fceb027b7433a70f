// ECMA-182, reflected. Four tables (for a byte 0 to 3 places before the end of a word) in halves of 32 bits.
const low = new Int32Array(1024);
const high = new Int32Array(1024);
fillTables();

function fillTables(): void {
  for (let byte = 0; byte < 256; byte += 1) {
    let value = BigInt(byte);
    for (let table = 0; table < 4; table += 1) {
      for (let bit = 0; bit < 8; bit += 1) value = (value >> 1n) ^ ((value & 1n) === 0n ? 0n : 0xc96c5795d7870f42n);
      low[table * 256 + byte] = Number(BigInt.asIntN(32, value));
      high[table * 256 + byte] = Number(BigInt.asIntN(32, value >> 32n));
    }
  }
}

/** CRC-64 as xz uses it (ECMA-182 polynomial), over pieces. */
export class Crc64 {
  #low = -1;
  #high = -1;

  update(bytes: Uint8Array): void {
    const words = bytes.byteLength - (bytes.byteLength % 4);
    this.#words(bytes, words);
    for (let at = words; at < bytes.byteLength; at += 1) {
      const entry = (this.#low ^ (bytes[at] ?? 0)) & 0xff;
      this.#low = ((this.#low >>> 8) | (this.#high << 24)) ^ (low[entry] ?? 0);
      this.#high = (this.#high >>> 8) ^ (high[entry] ?? 0);
    }
  }

  /** Little-endian, as the format stores it. */
  digest(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32LE(~this.#low, 0);
    bytes.writeInt32LE(~this.#high, 4);
    return bytes;
  }

  #words(bytes: Uint8Array, end: number): void {
    let lower = this.#low;
    let upper = this.#high;
    for (let at = 0; at < end; at += 4) {
      const first = 768 + ((lower ^ (bytes[at] ?? 0)) & 0xff);
      const second = 512 + (((lower >>> 8) ^ (bytes[at + 1] ?? 0)) & 0xff);
      const third = 256 + (((lower >>> 16) ^ (bytes[at + 2] ?? 0)) & 0xff);
      const fourth = ((lower >>> 24) ^ (bytes[at + 3] ?? 0)) & 0xff;
      lower = upper ^ (low[first] ?? 0) ^ (low[second] ?? 0) ^ (low[third] ?? 0) ^ (low[fourth] ?? 0);
      upper = (high[first] ?? 0) ^ (high[second] ?? 0) ^ (high[third] ?? 0) ^ (high[fourth] ?? 0);
    }
    this.#low = lower;
    this.#high = upper;
  }
}
