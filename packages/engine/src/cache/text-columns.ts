import { z } from "@rea/core";
import { DamagedCache, type SectionReader, type SectionWriter } from "./sections.js";

/**
 * Texts of any content, lone surrogates included: one byte for each code unit where all are below 256, else two. For
 * each text a word: 0 when there is none, else twice its length in code units plus one, with the highest bit for two bytes.
 */

const isWide = 0x8000_0000;
/** Columns up to this size are decoded in one step and then cut, which is faster. */
const decodedAtOnce = 4 * 1024 * 1024;
const longest = 0x3fff_ffff;
const oneByte = /^[\u0000-\u00ff]*$/;

export function writeTexts(writer: SectionWriter, tag: string, texts: readonly (string | undefined)[]): void {
  const marks = new Uint32Array(texts.length);
  const parts: Buffer[] = [];
  texts.forEach((text, index) => {
    if (text === undefined) return;
    if (text.length > longest) throw new RangeError("A text is too long for the cache.");
    const narrow = oneByte.test(text);
    marks[index] = markOf(text.length, narrow);
    parts.push(Buffer.from(text, narrow ? "latin1" : "utf16le"));
  });
  writer.words(`${tag}.w`, marks);
  writer.bytes(`${tag}.t`, Buffer.concat(parts));
}

/** Texts of a column, decoded one by one when asked for. */
export class TextColumn {
  readonly length: number;
  readonly #marks: Uint32Array;
  readonly #starts: Float64Array;
  readonly #data: Buffer;
  #decoded: string | undefined;

  private constructor(marks: Uint32Array, data: Buffer) {
    this.length = marks.length;
    this.#marks = marks;
    this.#data = data;
    this.#starts = new Float64Array(marks.length);
    let at = 0;
    for (let index = 0; index < marks.length; index += 1) {
      this.#starts[index] = at;
      at += sizeOf(marks[index] ?? 0);
    }
    if (at !== data.byteLength) throw new DamagedCache("texts and their lengths differ");
  }

  static read(reader: SectionReader, tag: string): TextColumn {
    const marks = reader.words(`${tag}.w`);
    const data = reader.bytes(`${tag}.t`);
    return new TextColumn(marks, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  }

  at(index: number): string | undefined {
    const mark = this.#marks[index] ?? 0;
    if (mark === 0) return undefined;
    const start = this.#starts[index] ?? 0;
    const end = start + sizeOf(mark);
    if ((mark & isWide) !== 0) return this.#data.toString("utf16le", start, end);
    if (this.#data.byteLength > decodedAtOnce) return this.#data.toString("latin1", start, end);
    this.#decoded ??= this.#data.toString("latin1");
    return this.#decoded.slice(start, end);
  }

  /** Rows of exactly this text. */
  rowsOf(text: string): readonly number[] {
    const narrow = oneByte.test(text);
    const wanted = markOf(text.length, narrow);
    const bytes = Buffer.from(text, narrow ? "latin1" : "utf16le");
    const found: number[] = [];
    for (let row = this.#marks.indexOf(wanted); row >= 0; row = this.#marks.indexOf(wanted, row + 1)) {
      const start = this.#starts[row] ?? 0;
      if (bytes.compare(this.#data, start, start + bytes.byteLength) === 0) found.push(row);
    }
    return found;
  }

  /** True when every row has a text. */
  get isComplete(): boolean {
    return !this.#marks.includes(0);
  }
}

function markOf(length: number, narrow: boolean): number {
  return ((narrow ? 0 : isWide) | (length * 2 + 1)) >>> 0;
}

function sizeOf(mark: number): number {
  const units = (mark & ~isWide) >>> 1;
  return (mark & isWide) === 0 ? units : units * 2;
}

const wordsSchema = z.array(z.string().nullable());

/** A column of few different words, or lists of words. */
export function writeWords(writer: SectionWriter, tag: string, words: readonly (string | undefined)[]): void {
  const numbers = new Map<string | undefined, number>();
  const column = Uint32Array.from(words, (word) => {
    const known = numbers.get(word) ?? numbers.size;
    numbers.set(word, known);
    return known;
  });
  writer.json(`${tag}.d`, [...numbers.keys()].map((word) => word ?? null));
  writer.words(`${tag}.n`, column);
}

/** A column of words, each read once by `parse`. */
interface WordColumn<T> {
  readonly length: number;
  /** Undefined outside the column. */
  at(index: number): T | undefined;
}

export function readWords<T>(reader: SectionReader, tag: string, parse: (word: string | undefined) => T): WordColumn<T> {
  const words = wordsSchema.safeParse(reader.json(`${tag}.d`));
  const column = reader.words(`${tag}.n`);
  if (!words.success) throw new DamagedCache("a list of words is none");
  const known = words.data.map((word) => parse(word ?? undefined));
  if (column.some((number) => number >= known.length)) throw new DamagedCache("a word is missing from its list");
  return { length: column.length, at: (index) => known[column[index] ?? known.length] };
}

/** Reads words of a closed choice. */
export function choiceOf<T extends string>(choices: readonly T[]): (word: string | undefined) => T {
  return (word) => {
    const found = choices.find((one) => one === word);
    if (found === undefined) throw new DamagedCache("a word is none of its choices");
    return found;
  };
}

/** Reads words that may be missing. */
export function anyWord(word: string | undefined): string | undefined {
  return word;
}

/** Reads words of which each is there. */
export function stated(word: string | undefined): string {
  if (word === undefined) throw new DamagedCache("a word is missing");
  return word;
}
