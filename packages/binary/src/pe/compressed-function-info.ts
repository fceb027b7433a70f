import type { CalledParts, DataContext } from "./language-data.js";
import type { PeFile } from "./pe-file.js";

const header = { isCatch: 1, separated: 2, traits: 4, unwindMap: 8, tryBlocks: 16, reserved: 0x80 } as const;
const handler = { adjectives: 1, type: 2, object: 4, wholeAddresses: 8 } as const;
/** More than functions have. */
const mostStates = 1 << 16;
/** What an entry of the unwind map calls: nothing, the destructor of an object in two ways, or a part of the function. */
const unwindKinds = { nothing: 0, part: 3 } as const;

/**
 * The parts that a `FuncInfo4` (`__CxxFrameHandler4`) lists. It has no magic number: undefined unless its tables lie in
 * the image, each `catch` has an entry of its own in the exception directory and each part is code. Destructors that it names are
 * functions, no parts. Throws the range error where a table reaches past the data of its section.
 */
export function partsOfCompressedInfo(info: number, context: DataContext): CalledParts | undefined {
  const { file, starts, isCode } = context;
  const cursor = new Cursor(file, info);
  const flags = cursor.byte();
  if ((flags & header.reserved) !== 0 || (flags & (header.unwindMap | header.tryBlocks)) === 0) return undefined;
  if ((flags & header.traits) !== 0) cursor.number();
  const unwindMap = (flags & header.unwindMap) === 0 ? undefined : cursor.word();
  const tryBlocks = (flags & header.tryBlocks) === 0 ? undefined : cursor.word();
  if (file.place(cursor.word()) === undefined) return undefined;
  const found = new Found(context);
  if (unwindMap !== undefined && !readUnwindMap(new Cursor(file, unwindMap), found)) return undefined;
  if (tryBlocks !== undefined && !readTryBlocks(new Cursor(file, tryBlocks), found)) return undefined;
  const fits = [...found.parts].every(isCode) && [...found.handlers].every((part) => starts.has(part));
  const parts = new Set([...found.parts, ...found.handlers]);
  return fits && parts.size > 0 ? { parts, entries: found.entries } : undefined;
}

class Found {
  readonly parts = new Set<number>();
  readonly handlers = new Set<number>();
  readonly context: DataContext;
  entries = 0;

  constructor(context: DataContext) {
    this.context = context;
  }

  /** Counts the entries of a table; false when they are more than may be read. */
  takes(count: number): boolean {
    this.entries += count;
    return count <= mostStates && this.entries <= this.context.budget;
  }
}

function readUnwindMap(cursor: Cursor, found: Found): boolean {
  const count = cursor.number();
  if (!found.takes(count)) return false;
  for (let index = 0; index < count; index += 1) {
    const kind = cursor.number() & 3;
    if (kind === unwindKinds.nothing) continue;
    const action = cursor.word();
    if (kind === unwindKinds.part) found.parts.add(action);
    else cursor.number();
  }
  return true;
}

function readTryBlocks(cursor: Cursor, found: Found): boolean {
  const count = cursor.number();
  if (!found.takes(count)) return false;
  for (let index = 0; index < count; index += 1) {
    for (let state = 0; state < 3; state += 1) cursor.number();
    if (!readHandlers(new Cursor(found.context.file, cursor.word()), found)) return false;
  }
  return true;
}

function readHandlers(cursor: Cursor, found: Found): boolean {
  const count = cursor.number();
  if (!found.takes(count)) return false;
  for (let index = 0; index < count; index += 1) {
    const flags = cursor.byte();
    if ((flags & handler.adjectives) !== 0) cursor.number();
    if ((flags & handler.type) !== 0) cursor.word();
    if ((flags & handler.object) !== 0) cursor.number();
    found.handlers.add(cursor.word());
    const continuations = (flags >>> 4) & 3;
    for (let place = 0; place < continuations; place += 1) {
      if ((flags & handler.wholeAddresses) !== 0) cursor.word();
      else cursor.number();
    }
  }
  return true;
}

/** Reads bytes, words, and numbers of one to five bytes whose lowest bits tell how many. */
class Cursor {
  readonly #file: PeFile;
  #rva: number;

  constructor(file: PeFile, rva: number) {
    this.#file = file;
    this.#rva = rva;
  }

  byte(): number {
    const value = this.#file.aside.u8(this.#file.offsetOf(this.#rva, 1));
    this.#rva += 1;
    return value;
  }

  word(): number {
    const value = this.#file.aside.u32(this.#file.offsetOf(this.#rva, 4));
    this.#rva += 4;
    return value;
  }

  /** `x…0` is one byte, `x…01` two, `x…011` three, `x…0111` four; `1111` stands before a whole word. */
  number(): number {
    const first = this.byte();
    if ((first & 1) === 0) return first >>> 1;
    if ((first & 2) === 0) return (first | (this.byte() << 8)) >>> 2;
    if ((first & 4) === 0) return (first | (this.byte() << 8) | (this.byte() << 16)) >>> 3;
    if ((first & 8) === 0) return (first | (this.byte() << 8) | (this.byte() << 16) | (this.byte() << 24)) >>> 4;
    return this.word();
  }
}
