import { throwIfAborted, type ByteSource } from "@rea/core";

/** Bytes that differ: those of the left side from `leftOffset` stand where those of the right side from `rightOffset` do. */
export interface ChangedRange {
  readonly leftOffset: number;
  readonly leftBytes: number;
  readonly rightOffset: number;
  readonly rightBytes: number;
}

export interface ChangedRanges {
  /** In order; at most `maximum`. */
  readonly ranges: readonly ChangedRange[];
  /** Ranges that were found, those beyond `maximum` included. */
  readonly total: number;
  /** Bytes of the left and of the right side inside ranges. */
  readonly leftBytes: number;
  readonly rightBytes: number;
}

export interface RangeOptions {
  readonly signal: AbortSignal;
  /** Differences closer than this many equal bytes are one range. */
  readonly joinBytes?: number;
  readonly maximum?: number;
}

const pieceBytes = 1 << 20;

/**
 * Where two contents differ. Equal sizes are compared byte by byte at equal offsets. Of different sizes the common
 * beginning and the common end are told apart from what lies between them, which is one range: what moved inside it is
 * not looked for. Throws `cancelled`.
 */
export async function changedRanges(left: ByteSource, right: ByteSource, options: RangeOptions): Promise<ChangedRanges> {
  const found = new RangeList(options.maximum ?? 100, options.joinBytes ?? 16);
  if (left.size === right.size) await compareInPlace({ left, right }, found, options.signal);
  else await compareAround({ left, right }, found, options.signal);
  return found.result();
}

interface Sides {
  readonly left: ByteSource;
  readonly right: ByteSource;
}

class RangeList {
  readonly #ranges: ChangedRange[] = [];
  #last: ChangedRange | undefined;
  #total = 0;
  #leftBytes = 0;
  #rightBytes = 0;

  constructor(
    readonly maximum: number,
    readonly joinBytes: number,
  ) {}

  /** Ranges come in order. */
  add(range: ChangedRange): void {
    const last = this.#last;
    if (last !== undefined && range.leftOffset - (last.leftOffset + last.leftBytes) < this.joinBytes) {
      this.#last = {
        ...last,
        leftBytes: range.leftOffset + range.leftBytes - last.leftOffset,
        rightBytes: range.rightOffset + range.rightBytes - last.rightOffset,
      };
      return;
    }
    this.#close();
    this.#last = range;
  }

  result(): ChangedRanges {
    this.#close();
    return { ranges: this.#ranges, total: this.#total, leftBytes: this.#leftBytes, rightBytes: this.#rightBytes };
  }

  #close(): void {
    const last = this.#last;
    if (last === undefined) return;
    this.#last = undefined;
    this.#total += 1;
    this.#leftBytes += last.leftBytes;
    this.#rightBytes += last.rightBytes;
    if (this.#ranges.length < this.maximum) this.#ranges.push(last);
  }
}

async function compareInPlace({ left, right }: Sides, found: RangeList, signal: AbortSignal): Promise<void> {
  for (let offset = 0; offset < left.size; offset += pieceBytes) {
    await turn(signal);
    const length = Math.min(pieceBytes, left.size - offset);
    const [a, b] = [left.read(offset, length), right.read(offset, length)];
    if (Buffer.compare(a, b) !== 0) addRuns({ a, b, offset }, found);
  }
}

function addRuns({ a, b, offset }: { readonly a: Uint8Array; readonly b: Uint8Array; readonly offset: number }, found: RangeList): void {
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] === b[at]) continue;
    const start = at;
    while (at < a.length && a[at] !== b[at]) at += 1;
    found.add({ leftOffset: offset + start, leftBytes: at - start, rightOffset: offset + start, rightBytes: at - start });
  }
}

async function compareAround(sides: Sides, found: RangeList, signal: AbortSignal): Promise<void> {
  const { left, right } = sides;
  const shorter = Math.min(left.size, right.size);
  const before = await commonBytes(sides, { limit: shorter, fromEnd: false, signal });
  const after = await commonBytes(sides, { limit: shorter - before, fromEnd: true, signal });
  const [leftBytes, rightBytes] = [left.size - before - after, right.size - before - after];
  found.add({ leftOffset: before, leftBytes, rightOffset: before, rightBytes });
}

interface Common {
  readonly limit: number;
  readonly fromEnd: boolean;
  readonly signal: AbortSignal;
}

/** How many bytes are equal from the beginning, or from the end. */
async function commonBytes({ left, right }: Sides, { limit, fromEnd, signal }: Common): Promise<number> {
  for (let done = 0; done < limit; done += pieceBytes) {
    await turn(signal);
    const length = Math.min(pieceBytes, limit - done);
    const read = (source: ByteSource) => source.read(fromEnd ? source.size - done - length : done, length);
    const equal = equalBytes(read(left), read(right), fromEnd);
    if (equal < length) return done + equal;
  }
  return limit;
}

function equalBytes(a: Uint8Array, b: Uint8Array, fromEnd: boolean): number {
  const last = a.length - 1;
  for (let count = 0; count < a.length; count += 1) {
    const at = fromEnd ? last - count : count;
    if (a[at] !== b[at]) return count;
  }
  return a.length;
}

async function turn(signal: AbortSignal): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  throwIfAborted(signal, "compare");
}
