import { brokenData } from "../../codecs/broken-data.js";
import type { EntryName } from "../../format.js";
import type { HeaderBytes } from "./header-bytes.js";
import { property } from "./streams.js";

const strict = new TextDecoder("utf-16le", { fatal: true, ignoreBOM: true });

/** The members that a 7z header lists. */
export class FileList {
  readonly count: number;
  #names: Buffer | undefined;
  /** Where each name starts, and where the last one ends. */
  #starts = new Uint32Array(0);
  #empty: Uint8Array<ArrayBuffer>;
  /** Of the members without content: which are files of no bytes, which stand for a deletion. */
  #emptyFiles = new Uint8Array(0);
  #anti = new Uint8Array(0);
  #attributes: Float64Array;
  /** Words about what was odd; sentences of ours. */
  readonly problems: string[] = [];

  constructor(header: HeaderBytes) {
    // A name takes two bytes at least.
    this.count = header.count(16, "members");
    this.#empty = new Uint8Array(this.count);
    this.#attributes = new Float64Array(this.count).fill(-1);
    for (let id = header.number(); id !== property.end; id = header.number()) this.#property(header, id);
    if (this.count > 0 && this.#names === undefined) this.problems.push("The header gives no names.");
  }

  /** Members that have content. */
  get withContent(): number {
    return this.#empty.reduce((total, flag) => total + 1 - flag, 0);
  }

  name(index: number): EntryName {
    const bytes = (this.#names ?? Buffer.alloc(0)).subarray(this.#starts[index] ?? 0, Math.max(0, (this.#starts[index + 1] ?? 2) - 2));
    return { bytes, text: decoded(bytes) };
  }

  hasContent(index: number): boolean {
    return this.#empty[index] === 0;
  }

  /** By its number among the members without content. */
  isEmptyFile(emptyIndex: number): boolean {
    return this.#emptyFiles[emptyIndex] === 1;
  }

  isAnti(emptyIndex: number): boolean {
    return this.#anti[emptyIndex] === 1;
  }

  /** Windows attributes, with a Unix mode in the upper half where bit 15 says so. */
  attributes(index: number): number | undefined {
    const value = this.#attributes[index] ?? -1;
    return value < 0 ? undefined : value;
  }

  #property(header: HeaderBytes, id: number): void {
    const size = header.number();
    const end = header.at + size;
    if (size > header.left) throw brokenData("A property of the members reaches past the end of the header.");
    if (id === property.emptyStream) this.#empty = header.bits(this.count);
    else if (id === property.emptyFile) this.#emptyFiles = header.bits(this.#emptyCount());
    else if (id === property.anti) this.#anti = header.bits(this.#emptyCount());
    else if (id === property.names) this.#readNames(header, size);
    else if (id === property.attributes) this.#readAttributes(header);
    else header.at = end;
    if (header.at === end) return;
    this.problems.push(`A property of the members declares ${String(size)} bytes and has another length.`);
    header.at = end;
  }

  #emptyCount(): number {
    return this.count - this.withContent;
  }

  #readNames(header: HeaderBytes, size: number): void {
    if (header.byte() !== 0) throw brokenData("The names lie in a stream of their own, which no writer does.");
    const names = header.take(Math.max(0, size - 1));
    const starts = new Uint32Array(this.count + 1);
    let at = 0;
    for (let index = 0; index < this.count; index += 1) {
      starts[index] = at;
      while (at + 1 < names.byteLength && names.readUInt16LE(at) !== 0) at += 2;
      if (at + 1 >= names.byteLength) throw brokenData("The header has fewer names than members.");
      at += 2;
    }
    starts[this.count] = at;
    if (at !== names.byteLength) this.problems.push("Bytes stand behind the last name.");
    this.#names = names;
    this.#starts = starts;
  }

  #readAttributes(header: HeaderBytes): void {
    const defined = header.defined(this.count);
    if (header.byte() !== 0) throw brokenData("The attributes lie in a stream of their own, which no writer does.");
    for (let index = 0; index < this.count; index += 1) if (defined[index] === 1) this.#attributes[index] = header.u32();
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
