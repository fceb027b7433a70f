import { brokenData } from "../broken-data.js";

const firstBytes = 1 << 16;
/** Runs of one byte from this length on are filled at once. */
const longRun = 64;

/** The last bytes that came out, which matches copy from: a ring that grows up to the size the data asks for. */
export class Dictionary {
  readonly #maximum: number;
  #ring: Uint8Array;
  #at = 0;
  #flushed = 0;
  /** Bytes that a match may reach back. */
  #valid = 0;

  constructor(sizeBytes: number) {
    this.#maximum = Math.max(sizeBytes, 4096);
    this.#ring = new Uint8Array(Math.min(this.#maximum, firstBytes));
  }

  /** Bytes that fit before the ring must be flushed. */
  get room(): number {
    return this.#ring.byteLength - this.#at;
  }

  get pending(): number {
    return this.#at - this.#flushed;
  }

  get isEmpty(): boolean {
    return this.#valid === 0;
  }

  /** Forgets what came before: no match reaches behind this point. */
  reset(): void {
    this.#valid = 0;
  }

  put(byte: number): void {
    this.#ring[this.#at] = byte;
    this.#at += 1;
    if (this.#valid < this.#maximum) this.#valid += 1;
  }

  /** The byte `distance` (1 is the last one) bytes back; 0 before the start. */
  back(distance: number): number {
    if (distance > this.#valid) return 0;
    const from = this.#at - distance;
    return this.#ring[from < 0 ? from + this.#ring.byteLength : from] ?? 0;
  }

  /** Repeats `length` bytes from `distance` back; as many as there is room for, whose number is returned. */
  copy(distance: number, length: number): number {
    if (distance > this.#valid) throw brokenData("A match reaches back before the start of the data.");
    const ring = this.#ring;
    const count = Math.min(length, this.room);
    let from = this.#at - distance;
    if (from < 0) from += ring.byteLength;
    const end = this.#at + count;
    if (distance === 1 && count >= longRun) ring.fill(ring[from] ?? 0, this.#at, end);
    else {
      for (let at = this.#at; at < end; at += 1) {
        ring[at] = ring[from] ?? 0;
        from += 1;
        if (from === ring.byteLength) from = 0;
      }
    }
    this.#at = end;
    this.#valid = Math.min(this.#valid + count, this.#maximum);
    return count;
  }

  /** Plain bytes; as many as there is room for, whose number is returned. */
  write(bytes: Uint8Array): number {
    const count = Math.min(bytes.byteLength, this.room);
    this.#ring.set(bytes.subarray(0, count), this.#at);
    this.#at += count;
    this.#valid = Math.min(this.#valid + count, this.#maximum);
    return count;
  }

  /** A copy of what came out since the last call; makes room when the ring is full. */
  flush(): Uint8Array {
    const out = this.#ring.slice(this.#flushed, this.#at);
    this.#flushed = this.#at;
    if (this.room === 0) this.#makeRoom();
    return out;
  }

  // A ring that was never full starts at 0 and grows by appending; a full one wraps.
  #makeRoom(): void {
    if (this.#ring.byteLength < this.#maximum) {
      const larger = new Uint8Array(Math.min(this.#maximum, this.#ring.byteLength * 2));
      larger.set(this.#ring);
      this.#ring = larger;
      return;
    }
    this.#at = 0;
    this.#flushed = 0;
  }
}
