const frameBytes = 32_768;

/** A set of symbols with frequencies that follow what was encoded, as Quantum's decoders keep it. */
class Model {
  rows: { symbol: number; sum: number }[];
  #untilSort = 4;

  constructor(first: number, count: number) {
    this.rows = Array.from({ length: count }, (_, index) => ({ symbol: first + index, sum: count - index }));
  }

  get total(): number {
    return this.rows[0]?.sum ?? 0;
  }

  sumAt(index: number): number {
    return this.rows[index]?.sum ?? 0;
  }

  update(index: number): void {
    for (const row of this.rows.slice(0, index + 1)) row.sum += 8;
    if (this.total <= 3800) return;
    this.#untilSort -= 1;
    if (this.#untilSort > 0) {
      for (let at = this.rows.length - 1, below = 0; at >= 0; at -= 1) below = this.#set(at, Math.max(this.sumAt(at) >> 1, below + 1));
      return;
    }
    this.#untilSort = 50;
    for (let at = 0; at < this.rows.length; at += 1) this.#set(at, (this.sumAt(at) - this.sumAt(at + 1) + 1) >> 1);
    for (let one = 0; one < this.rows.length - 1; one += 1) {
      for (let other = one + 1; other < this.rows.length; other += 1) {
        const [a, b] = [this.rows[one], this.rows[other]];
        if (a === undefined || b === undefined || a.sum >= b.sum) continue;
        this.rows[one] = b;
        this.rows[other] = a;
      }
    }
    for (let at = this.rows.length - 1; at >= 0; at -= 1) this.#set(at, this.sumAt(at) + this.sumAt(at + 1));
  }

  #set(at: number, sum: number): number {
    const row = this.rows[at];
    if (row !== undefined) row.sum = sum;
    return sum;
  }
}

/** The arithmetic encoder of one frame. Plain bits stand where the decoder, which is 16 bits ahead, reads them. */
class Coder {
  #low = 0;
  #high = 0xffff;
  #pending = 0;
  #shifts = 0;
  readonly #coded: number[] = [];
  readonly #plain: { readonly after: number; readonly bit: number }[] = [];

  encode(model: Model, symbol: number): void {
    const index = model.rows.findIndex((row) => row.symbol === symbol);
    const range = this.#high - this.#low + 1;
    this.#high = this.#low + Math.floor((model.sumAt(index) * range) / model.total) - 1;
    this.#low += Math.floor((model.sumAt(index + 1) * range) / model.total);
    model.update(index);
    for (;;) {
      if (((this.#low ^ this.#high) & 0x8000) === 0) this.#emit(this.#low >> 15);
      else if ((this.#low & 0x4000) !== 0 && (this.#high & 0x4000) === 0) {
        this.#pending += 1;
        this.#low &= 0x3fff;
        this.#high |= 0x4000;
      } else return;
      this.#low = (this.#low << 1) & 0xffff;
      this.#high = ((this.#high << 1) & 0xffff) | 1;
      this.#shifts += 1;
    }
  }

  bits(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit -= 1) this.#plain.push({ after: this.#shifts, bit: Math.floor(value / 2 ** bit) % 2 });
  }

  finish(): Buffer {
    this.#emit(this.#low >> 15);
    for (let bit = 14; bit >= 0; bit -= 1) this.#coded.push((this.#low >> bit) & 1);
    const stream = this.#coded.slice(0, 16);
    let plain = 0;
    for (let shift = 0; shift <= this.#shifts; shift += 1) {
      for (; this.#plain[plain]?.after === shift; plain += 1) stream.push(this.#plain[plain]?.bit ?? 0);
      if (shift < this.#shifts) stream.push(this.#coded[16 + shift] ?? 0);
    }
    // Two bits more: 7z wants them.
    const bytes = Buffer.alloc(Math.ceil((stream.length + 2) / 8));
    stream.forEach((bit, at) => (bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (7 - (at & 7)))));
    return bytes;
  }

  #emit(bit: number): void {
    this.#coded.push(bit);
    for (; this.#pending > 0; this.#pending -= 1) this.#coded.push(1 - bit);
  }
}

/** Greatest slot whose base is not above a value, with its base and bits. */
function slotOf(value: number, bitsOf: (slot: number) => number): { readonly slot: number; readonly rest: number; readonly bits: number } {
  let base = 0;
  for (let slot = 0; ; slot += 1) {
    const bits = bitsOf(slot);
    if (value < base + 2 ** bits) return { slot, rest: value - base, bits };
    base += 2 ** bits;
  }
}

const distanceBits = (slot: number): number => Math.max(0, (slot >> 1) - 1);
const lengthBits = (slot: number): number => (slot < 6 || slot === 26 ? 0 : (slot - 2) >> 2);

/** Quantum data of a cabinet's blocks, with greedy matches of three bytes and more. */
export function encodeQuantum(data: Buffer, windowBits: number): readonly Buffer[] {
  const selector = new Model(0, 7);
  const literals = [0, 64, 128, 192].map((first) => new Model(first, 64));
  const three = new Model(0, Math.min(24, windowBits * 2));
  const four = new Model(0, Math.min(36, windowBits * 2));
  const far = new Model(0, windowBits * 2);
  const lengths = new Model(0, 27);
  const places = new Map<number, number>();
  const out: Buffer[] = [];
  for (let start = 0; start < data.byteLength; start += frameBytes) {
    const coder = new Coder();
    const end = Math.min(data.byteLength, start + frameBytes);
    const remember = (at: number): void => {
      if (at + 3 <= data.byteLength) places.set(data.readUIntBE(at, 3), at);
    };
    const writeDistance = (model: Model, distance: number): void => {
      const { slot, rest, bits } = slotOf(distance - 1, distanceBits);
      coder.encode(model, slot);
      coder.bits(rest, bits);
    };
    for (let at = start; at < end; ) {
      const known = at + 3 <= end ? places.get(data.readUIntBE(at, 3)) : undefined;
      const distance = known === undefined ? 0 : at - known;
      let length = 0;
      while (distance > 0 && length < 259 && at + length < end && data[at + length] === data[at + length - distance]) length += 1;
      const limit = length === 3 ? 2 ** 12 : length === 4 ? 2 ** 16 : 2 ** windowBits;
      if (length < 3 || distance > Math.min(limit, 2 ** windowBits) - 1) {
        const byte = data[at] ?? 0;
        coder.encode(selector, byte >> 6);
        const model = literals[byte >> 6];
        if (model !== undefined) coder.encode(model, byte);
        remember(at);
        at += 1;
        continue;
      }
      coder.encode(selector, length < 5 ? length + 1 : 6);
      if (length === 3) writeDistance(three, distance);
      else if (length === 4) writeDistance(four, distance);
      else {
        const { slot, rest, bits } = slotOf(length - 5, lengthBits);
        coder.encode(lengths, slot);
        coder.bits(rest, bits);
        writeDistance(far, distance);
      }
      for (let passed = at; passed < at + length; passed += 1) remember(passed);
      at += length;
    }
    out.push(coder.finish());
  }
  return out;
}
