import { brokenData } from "../broken-data.js";
import type { Dictionary } from "./dictionary.js";
import { RangeDecoder } from "./range-decoder.js";

/** Literal context bits, literal position bits, position bits. */
export interface LzmaProperties {
  readonly lc: number;
  readonly lp: number;
  readonly pb: number;
}

/** Decodes the properties byte; undefined when it is out of range. */
export function lzmaProperties(byte: number): LzmaProperties | undefined {
  if (byte >= 9 * 5 * 5) return undefined;
  return { lc: byte % 9, lp: Math.floor(byte / 9) % 5, pb: Math.floor(byte / 45) };
}

/** No symbol uses more input than this. */
export const longestSymbolBytes = 20;

// Places of the probability tables in one array.
const isMatch = 0;
const isRep = 192;
const isRep0 = 204;
const isRep1 = 216;
const isRep2 = 228;
const isRep0Long = 240;
const distanceSlot = 432;
const distanceSpecial = 688;
const distanceAlign = 816;
const matchLength = 832;
const repLength = 1346;
const literals = 1860;
const maximumLiteralTables = 0x300 << 12;

/** The state machine of LZMA: literals, matches and repeated matches (7-Zip's LZMA specification). */
export class LzmaState {
  readonly range = new RangeDecoder();
  readonly #dictionary: Dictionary;
  #properties: LzmaProperties = { lc: 0, lp: 0, pb: 0 };
  #state = 0;
  #rep0 = 1;
  #rep1 = 1;
  #rep2 = 1;
  #rep3 = 1;
  /** Bytes of a match that did not fit yet. */
  #left = 0;
  /** Bytes that came out since the state was made; gives the position bits. */
  #position = 0;

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  get hasPendingMatch(): boolean {
    return this.#left > 0;
  }

  /** Sets new properties and the state before the first symbol. */
  configure(properties: LzmaProperties): void {
    this.#properties = properties;
    const tables = literals + Math.min(0x300 << (properties.lc + properties.lp), maximumLiteralTables);
    if (this.range.probabilities.length < tables) this.range.probabilities = new Uint16Array(tables);
    this.reset();
  }

  reset(): void {
    this.range.probabilities.fill(1024);
    this.#state = 0;
    this.#rep0 = this.#rep1 = this.#rep2 = this.#rep3 = 1;
    this.#left = 0;
  }

  /** Counts bytes that were put into the dictionary from elsewhere. */
  passed(bytes: number): void {
    this.#position += bytes;
  }

  restartPosition(): void {
    this.#position = 0;
  }

  /**
   * Decodes until `limit` bytes came out, the dictionary is full, or fewer than `keep` input bytes are left.
   * Answers the bytes that came out, and whether the end marker was met.
   */
  run(limit: number, keep: number): { readonly produced: number; readonly ended: boolean } {
    const target = Math.min(limit, this.#dictionary.room);
    const start = this.#position;
    let left = target;
    if (this.#left > 0) left -= this.#repeat(Math.min(left, this.#left));
    while (left > 0 && this.range.left >= keep) {
      const length = this.#symbol();
      if (length < 0) return { produced: this.#position - start, ended: true };
      if (length > 0) this.#left = length;
      left -= length === 0 ? 1 : this.#repeat(Math.min(left, length));
    }
    return { produced: this.#position - start, ended: false };
  }

  #repeat(length: number): number {
    const count = this.#dictionary.copy(this.#rep0, length);
    this.#left -= count;
    this.#position += count;
    return count;
  }

  /** Decodes one symbol: 0 for one literal byte (already put), −1 for the end marker, else a match's length. */
  #symbol(): number {
    const positionState = this.#position & ((1 << this.#properties.pb) - 1);
    if (this.range.bit(isMatch + (this.#state << 4) + positionState) === 0) return this.#literal();
    if (this.range.bit(isRep + this.#state) !== 0) return this.#repeated(positionState);
    this.#rep3 = this.#rep2;
    this.#rep2 = this.#rep1;
    this.#rep1 = this.#rep0;
    const length = this.#length(matchLength, positionState);
    this.#state = this.#state < 7 ? 7 : 10;
    this.#rep0 = this.#distance(length);
    return this.#rep0 > 0xffffffff ? -1 : length + 2;
  }

  #literal(): number {
    const { lc, lp } = this.#properties;
    const previous = this.#dictionary.back(1);
    const context = ((this.#position & ((1 << lp) - 1)) << lc) + (previous >>> (8 - lc));
    const base = literals + 0x300 * context;
    const byte = this.#state < 7 ? this.range.tree(base, 8) : this.#matchedLiteral(base);
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
    this.#dictionary.put(byte);
    this.#position += 1;
    return 0;
  }

  /** A literal after a match: the byte a match would have given steers the first bits. */
  #matchedLiteral(base: number): number {
    let expected = this.#dictionary.back(this.#rep0);
    let symbol = 1;
    while (symbol < 0x100) {
      const expectedBit = (expected >>> 7) & 1;
      expected <<= 1;
      const bit = this.range.bit(base + ((1 + expectedBit) << 8) + symbol);
      symbol = (symbol << 1) | bit;
      if (expectedBit !== bit) break;
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.range.bit(base + symbol);
    return symbol & 0xff;
  }

  #repeated(positionState: number): number {
    if (this.#dictionary.isEmpty) throw brokenData("A match stands before the first byte.");
    if (this.range.bit(isRep0 + this.#state) === 0) {
      if (this.range.bit(isRep0Long + (this.#state << 4) + positionState) === 0) {
        this.#state = this.#state < 7 ? 9 : 11;
        return 1;
      }
    } else this.#rotateDistances();
    const length = this.#length(repLength, positionState);
    this.#state = this.#state < 7 ? 8 : 11;
    return length + 2;
  }

  #rotateDistances(): void {
    let distance = this.#rep1;
    if (this.range.bit(isRep1 + this.#state) !== 0) {
      distance = this.#rep2;
      if (this.range.bit(isRep2 + this.#state) !== 0) {
        distance = this.#rep3;
        this.#rep3 = this.#rep2;
      }
      this.#rep2 = this.#rep1;
    }
    this.#rep1 = this.#rep0;
    this.#rep0 = distance;
  }

  #length(base: number, positionState: number): number {
    if (this.range.bit(base) === 0) return this.range.tree(base + 2 + (positionState << 3), 3);
    if (this.range.bit(base + 1) === 0) return 8 + this.range.tree(base + 130 + (positionState << 3), 3);
    return 16 + this.range.tree(base + 258, 8);
  }

  /** The distance of a match; beyond 32 bits for the end marker. */
  #distance(length: number): number {
    const slot = this.range.tree(distanceSlot + (Math.min(length, 3) << 6), 6);
    if (slot < 4) return slot + 1;
    const bits = (slot >>> 1) - 1;
    const high = (2 | (slot & 1)) << bits;
    if (slot < 14) return high + this.range.reverseTree(distanceSpecial + high - slot, bits) + 1;
    const middle = this.range.direct(bits - 4) * 16;
    return (high >>> 0) + middle + this.range.reverseTree(distanceAlign, 4) + 1;
  }
}
