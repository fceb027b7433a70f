// Primes of xxHash, as halves of 32 bits.
const p1 = [0x85ebca87 | 0, 0x9e3779b1 | 0] as const;
const p2 = [0x27d4eb4f, 0xc2b2ae3d | 0] as const;
const p3 = 0x165667b19e3779f9n;
const p4 = 0x85ebca77c2b2ae63n;
const p5 = 0x27d4eb2f165667c5n;
const prime1 = 0x9e3779b185ebca87n;
const prime2 = 0xc2b2ae3d27d4eb4fn;
const stripeBytes = 32;
const laneStarts = [prime1 + prime2, prime2, 0n, -prime1];

function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function rotate(value: bigint, bits: bigint): bigint {
  return wrap((value << bits) | (value >> (64n - bits)));
}

function round(lane: bigint, input: bigint): bigint {
  return wrap(rotate(wrap(lane + input * prime2), 31n) * prime1);
}

/** The upper 32 bits of a product of two unsigned 32-bit numbers. */
function upperHalf(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const first = a1 * b0 + ((a0 * b0) >>> 16);
  const second = a0 * b1 + (first & 0xffff);
  return (a1 * b1 + (first >>> 16) + (second >>> 16)) | 0;
}

/** XXH64 with seed 0 over pieces (xxHash specification 0.1.1). Stripes in halves of 32 bits, the rest in big integers. */
export class Xxh64 {
  /** Four lanes, lower half first. */
  readonly #lanes = Int32Array.from(laneStarts.flatMap((lane) => [Number(BigInt.asIntN(32, lane)), Number(BigInt.asIntN(32, lane >> 32n))]));
  #length = 0;
  #kept = new Uint8Array(0);

  update(bytes: Uint8Array): void {
    this.#length += bytes.byteLength;
    const data = this.#kept.byteLength === 0 ? bytes : Buffer.concat([this.#kept, bytes]);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    let at = 0;
    for (; at + stripeBytes <= data.byteLength; at += stripeBytes) {
      for (let lane = 0; lane < 4; lane += 1) this.#round(lane * 2, view.getInt32(at + lane * 8, true), view.getInt32(at + lane * 8 + 4, true));
    }
    this.#kept = Uint8Array.from(data.subarray(at));
  }

  digest(): bigint {
    const view = new DataView(this.#kept.buffer, this.#kept.byteOffset, this.#kept.byteLength);
    let hash = wrap((this.#length >= stripeBytes ? this.#joined() : p5) + BigInt(this.#length));
    let at = 0;
    for (; at + 8 <= view.byteLength; at += 8) hash = wrap(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * prime1 + p4);
    if (at + 4 <= view.byteLength) {
      hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint32(at, true)) * prime1), 23n) * prime2 + p3);
      at += 4;
    }
    for (; at < view.byteLength; at += 1) hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint8(at)) * p5), 11n) * prime1);
    hash = wrap((hash ^ (hash >> 33n)) * prime2);
    hash = wrap((hash ^ (hash >> 29n)) * p3);
    return hash ^ (hash >> 32n);
  }

  #joined(): bigint {
    const lanes = [0, 1, 2, 3].map((lane) => BigInt.asUintN(32, BigInt(this.#lanes[lane * 2] ?? 0)) | (BigInt.asUintN(32, BigInt(this.#lanes[lane * 2 + 1] ?? 0)) << 32n));
    const turns = [1n, 7n, 12n, 18n];
    const sum = wrap(lanes.reduce((total, lane, index) => total + rotate(lane, turns[index] ?? 0n), 0n));
    return lanes.reduce((hash, lane) => wrap((hash ^ round(0n, lane)) * prime1 + p4), sum);
  }

  #round(place: number, low: number, high: number): void {
    const lanes = this.#lanes;
    // lane += input * prime2
    const productLow = Math.imul(low, p2[0]);
    const productHigh = upperHalf(low, p2[0]) + Math.imul(high, p2[0]) + Math.imul(low, p2[1]);
    const sumLow = ((lanes[place] ?? 0) + productLow) | 0;
    const carry = sumLow >>> 0 < productLow >>> 0 ? 1 : 0;
    const sumHigh = ((lanes[place + 1] ?? 0) + productHigh + carry) | 0;
    // rotate by 31, then multiply by prime1
    const turnedLow = (sumLow << 31) | (sumHigh >>> 1);
    const turnedHigh = (sumHigh << 31) | (sumLow >>> 1);
    lanes[place] = Math.imul(turnedLow, p1[0]);
    lanes[place + 1] = upperHalf(turnedLow, p1[0]) + Math.imul(turnedHigh, p1[0]) + Math.imul(turnedLow, p1[1]);
  }
}
