import { prefixCodes, type PrefixCodes } from "./prefix-codes.js";

const frameBytes = 32_768;
const slotsOfWindow: { readonly [bits: number]: number } = { 15: 30, 16: 32, 17: 34, 18: 36, 19: 38, 20: 42, 21: 50 };
const footerBits = (slot: number): number => Math.min(17, Math.max(0, (slot >> 1) - 1));

type Kind = "verbatim" | "aligned" | "plain";

interface Token {
  /** Main symbol. */
  readonly main: number;
  /** Symbol of the length tree; undefined for short lengths. */
  readonly length: number | undefined;
  readonly slot: number;
  readonly footer: number;
  readonly plainBytes: number;
}

/** Bits in 16-bit little-endian words, most significant first, cut into frames. */
class Frames {
  readonly done: Buffer[] = [];
  #bytes: number[] = [];
  #word = 0;
  #count = 0;

  put(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit -= 1) {
      this.#word = (this.#word << 1) | (Math.floor(value / 2 ** bit) % 2);
      this.#count += 1;
      if (this.#count === 16) this.#flush();
    }
  }

  /** At least one bit of padding, up to a word's end. */
  pad(): void {
    this.put(0, 16 - this.#count);
  }

  bytes(bytes: Uint8Array): void {
    this.#bytes.push(...bytes);
  }

  endFrame(): void {
    if (this.#count > 0) this.put(0, 16 - this.#count);
    this.done.push(Buffer.from(this.#bytes));
    this.#bytes = [];
  }

  #flush(): void {
    this.#bytes.push(this.#word & 0xff, this.#word >> 8);
    this.#word = 0;
    this.#count = 0;
  }
}

/** Greedy matches inside a block, none of them over a frame's end. Recent distances are used and kept. */
class Matcher {
  readonly #data: Buffer;
  readonly #window: number;
  readonly #places = new Map<number, number>();
  recent: [number, number, number] = [1, 1, 1];

  constructor(data: Buffer, windowBits: number) {
    this.#data = data;
    this.#window = 2 ** windowBits;
  }

  remember(at: number): void {
    if (at + 3 <= this.#data.byteLength) this.#places.set(this.#data.readUIntBE(at, 3), at);
  }

  token(at: number, end: number): Token {
    const limit = Math.min(end, (Math.floor(at / frameBytes) + 1) * frameBytes);
    const known = at + 3 <= limit ? this.#places.get(this.#data.readUIntBE(at, 3)) : undefined;
    const candidates = [...this.recent, ...(known === undefined ? [] : [at - known])].filter((distance) => distance <= at && distance <= this.#window - 3);
    const best = candidates.map((distance) => ({ distance, length: this.#length(at, limit, distance) })).sort((a, b) => b.length - a.length)[0];
    if (best === undefined || best.length < 2 || (best.length === 2 && !this.recent.includes(best.distance))) {
      return { main: this.#data[at] ?? 0, length: undefined, slot: 0, footer: 0, plainBytes: 1 };
    }
    const { slot, footer } = this.#slot(best.distance);
    const header = Math.min(7, best.length - 2);
    return { main: 256 + slot * 8 + header, length: header === 7 ? best.length - 9 : undefined, slot, footer, plainBytes: best.length };
  }

  #length(at: number, limit: number, distance: number): number {
    let length = 0;
    while (length < 257 && at + length < limit && this.#data[at + length] === this.#data[at + length - distance]) length += 1;
    return length;
  }

  #slot(distance: number): { readonly slot: number; readonly footer: number } {
    const [first, second, third] = this.recent;
    const known = this.recent.indexOf(distance);
    if (known === 0) return { slot: 0, footer: 0 };
    if (known === 1) this.recent = [second, first, third];
    else if (known === 2) this.recent = [third, second, first];
    else this.recent = [distance, first, second];
    if (known > 0) return { slot: known, footer: 0 };
    let base = 0;
    for (let slot = 0; ; slot += 1) {
      const next = base + 2 ** footerBits(slot);
      if (slot > 2 && distance + 2 < next) return { slot, footer: distance + 2 - base };
      base = next;
    }
  }
}

/** Targets of CALL as absolute numbers, frame by frame. */
function withAbsoluteCalls(data: Buffer, fileSize: number): Buffer {
  const out = Buffer.from(data);
  for (let start = 0; start < data.byteLength; start += frameBytes) {
    const end = Math.min(data.byteLength, start + frameBytes) - 10;
    for (let at = start; at < end; at += 1) {
      if (out[at] !== 0xe8) continue;
      const relative = out.readInt32LE(at + 1);
      if (relative >= -at && relative < fileSize - at) out.writeInt32LE(relative + at, at + 1);
      else if (relative >= fileSize - at && relative < fileSize) out.writeInt32LE(relative - fileSize, at + 1);
      at += 4;
    }
  }
  return out;
}

export interface LzxOptions {
  readonly kinds?: readonly Kind[];
  readonly blockBytes?: number;
  readonly callSize?: number;
}

/** LZX data of a cabinet's blocks: LZX blocks of changing kinds, which run over frames. */
export function encodeLzx(plain: Buffer, windowBits: number, options: LzxOptions = {}): readonly Buffer[] {
  const { kinds = ["verbatim", "aligned", "plain"], blockBytes = 20_001, callSize = 12_000_000 } = options;
  const data = callSize === 0 ? plain : withAbsoluteCalls(plain, callSize);
  const frames = new Frames();
  frames.put(callSize === 0 ? 0 : 1, 1);
  if (callSize !== 0) frames.put(callSize, 32);
  const matcher = new Matcher(data, windowBits);
  const lengths = { main: new Uint8Array(256 + 8 * (slotsOfWindow[windowBits] ?? 0)), length: new Uint8Array(249) };
  for (let start = 0, number = 0; start < data.byteLength; start += blockBytes, number += 1) {
    const end = Math.min(data.byteLength, start + blockBytes);
    const kind = kinds[number % kinds.length] ?? "verbatim";
    frames.put({ verbatim: 1, aligned: 2, plain: 3 }[kind], 3);
    frames.put(end - start, 24);
    if (kind === "plain") plainBlock(frames, matcher, { data, start, end });
    else codedBlock(frames, matcher, { data, start, end, kind, lengths });
  }
  if (data.byteLength % frameBytes !== 0) frames.endFrame();
  return frames.done;
}

interface BlockRange {
  readonly data: Buffer;
  readonly start: number;
  readonly end: number;
}

function plainBlock(frames: Frames, matcher: Matcher, { data, start, end }: BlockRange): void {
  frames.pad();
  const recent = Buffer.alloc(12);
  matcher.recent.forEach((distance, index) => recent.writeUInt32LE(distance, index * 4));
  frames.bytes(recent);
  for (let at = start; at < end; ) {
    const next = Math.min(end, (Math.floor(at / frameBytes) + 1) * frameBytes);
    frames.bytes(data.subarray(at, next));
    for (; at < next; at += 1) matcher.remember(at);
    if (at === end && (end - start) % 2 === 1) frames.bytes(Uint8Array.of(0));
    if (at % frameBytes === 0) frames.endFrame();
  }
}

interface CodedRange extends BlockRange {
  readonly kind: Kind;
  readonly lengths: { readonly main: Uint8Array; readonly length: Uint8Array };
}

function codedBlock(frames: Frames, matcher: Matcher, { start, end, kind, lengths }: CodedRange): void {
  const tokens: Token[] = [];
  for (let at = start; at < end; ) {
    const token = matcher.token(at, end);
    tokens.push(token);
    for (let passed = at; passed < at + token.plainBytes; passed += 1) matcher.remember(passed);
    at += token.plainBytes;
  }
  const main = prefixCodes(tokens.map((token) => token.main), lengths.main.length, 16);
  const length = prefixCodes(tokens.flatMap((token) => (token.length === undefined ? [] : [token.length])), lengths.length.length, 16);
  const aligned = prefixCodes(tokens.flatMap((token) => (footerBits(token.slot) > 2 ? [token.footer & 7] : [])), 8, 7);
  if (kind === "aligned") aligned.lengths.forEach((bits) => { frames.put(bits, 3); });
  writeLengths(frames, main.lengths.subarray(0, 256), lengths.main.subarray(0, 256));
  writeLengths(frames, main.lengths.subarray(256), lengths.main.subarray(256));
  writeLengths(frames, length.lengths, lengths.length);
  let at = start;
  for (const token of tokens) {
    main.write(frames, token.main);
    if (token.length !== undefined) length.write(frames, token.length);
    if (token.main >= 256 && token.slot > 2) writeFooter(frames, token, kind === "aligned" ? aligned : undefined);
    at += token.plainBytes;
    if (at % frameBytes === 0) frames.endFrame();
  }
}

function writeFooter(frames: Frames, { slot, footer }: Token, aligned: PrefixCodes | undefined): void {
  const bits = footerBits(slot);
  if (aligned === undefined || bits < 3) frames.put(footer, bits);
  else {
    frames.put(footer >> 3, bits - 3);
    aligned.write(frames, footer & 7);
  }
}

/** Code lengths as differences from the block before; runs of zeros and of equal lengths as such. Updates `before`. */
function writeLengths(frames: Frames, lengths: Uint8Array, before: Uint8Array): void {
  const items: { readonly symbol: number; readonly extra: number; readonly bits: number; readonly then?: number }[] = [];
  for (let at = 0; at < lengths.length; ) {
    let run = 1;
    while (at + run < lengths.length && lengths[at + run] === lengths[at]) run += 1;
    const difference = ((before[at] ?? 0) + 17 - (lengths[at] ?? 0)) % 17;
    let taken = 1;
    if (lengths[at] === 0 && run >= 20) {
      taken = Math.min(run, 51);
      items.push({ symbol: 18, extra: taken - 20, bits: 5 });
    } else if (lengths[at] === 0 && run >= 4) {
      taken = Math.min(run, 19);
      items.push({ symbol: 17, extra: taken - 4, bits: 4 });
    } else if (run >= 4) {
      taken = Math.min(run, 5);
      items.push({ symbol: 19, extra: taken - 4, bits: 1, then: difference });
    } else items.push({ symbol: difference, extra: 0, bits: 0 });
    at += taken;
  }
  const codes = prefixCodes(items.flatMap(({ symbol, then }) => (then === undefined ? [symbol] : [symbol, then])), 20, 15);
  codes.lengths.forEach((bits) => { frames.put(bits, 4); });
  for (const { symbol, extra, bits, then } of items) {
    codes.write(frames, symbol);
    frames.put(extra, bits);
    if (then !== undefined) codes.write(frames, then);
  }
  before.set(lengths);
}
