const prime1 = 0x9e3779b1;
const prime2 = 0x85ebca77;
const prime3 = 0xc2b2ae3d;
const prime4 = 0x27d4eb2f;
const prime5 = 0x165667b1;
const stripeBytes = 16;

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function round(lane: number, input: number): number {
  return Math.imul(rotate((lane + Math.imul(input, prime2)) | 0, 13), prime1);
}

/** XXH32 with seed 0 over pieces (xxHash specification 0.1.1). */
export class Xxh32 {
  #lane1 = (prime1 + prime2) | 0;
  #lane2 = prime2 | 0;
  #lane3 = 0;
  #lane4 = -prime1 | 0;
  #length = 0;
  #kept = new Uint8Array(0);

  update(bytes: Uint8Array): void {
    this.#length += bytes.byteLength;
    const data = this.#kept.byteLength === 0 ? bytes : Buffer.concat([this.#kept, bytes]);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    let at = 0;
    for (; at + stripeBytes <= data.byteLength; at += stripeBytes) this.#stripe(view, at);
    this.#kept = Uint8Array.from(data.subarray(at));
  }

  digest(): number {
    const long = this.#length >= stripeBytes;
    let hash = long ? rotate(this.#lane1, 1) + rotate(this.#lane2, 7) + rotate(this.#lane3, 12) + rotate(this.#lane4, 18) : prime5;
    hash = (hash + this.#length) | 0;
    const view = new DataView(this.#kept.buffer, this.#kept.byteOffset, this.#kept.byteLength);
    let at = 0;
    for (; at + 4 <= view.byteLength; at += 4) hash = Math.imul(rotate((hash + Math.imul(view.getUint32(at, true), prime3)) | 0, 17), prime4);
    for (; at < view.byteLength; at += 1) hash = Math.imul(rotate((hash + Math.imul(view.getUint8(at), prime5)) | 0, 11), prime1);
    hash = Math.imul(hash ^ (hash >>> 15), prime2);
    hash = Math.imul(hash ^ (hash >>> 13), prime3);
    return (hash ^ (hash >>> 16)) >>> 0;
  }

  #stripe(view: DataView, at: number): void {
    this.#lane1 = round(this.#lane1, view.getUint32(at, true));
    this.#lane2 = round(this.#lane2, view.getUint32(at + 4, true));
    this.#lane3 = round(this.#lane3, view.getUint32(at + 8, true));
    this.#lane4 = round(this.#lane4, view.getUint32(at + 12, true));
  }
}

/** XXH32 of bytes at hand. */
export function xxh32(bytes: Uint8Array): number {
  const hash = new Xxh32();
  hash.update(bytes);
  return hash.digest();
}
