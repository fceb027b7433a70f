import { throwIfAborted } from "@rea/core";
import type { Entry, EntryContent, ReaderInput, Unavailable } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { malformed } from "../sequential/damage.js";
import { leftover } from "../sequential/leftover.js";
import { storedContent } from "../sequential/stored-content.js";
import { arHeaderBytes, arMagicBytes, isArTable, parseArHeader, type ArHeader } from "./ar-header.js";
import { ArNames } from "./ar-names.js";

const thinMagic = "!<thin>\n";
const longestTable = 64 * 1024 * 1024;
const longestName = 65_536;

/** One pass over an ar archive; its tables are read and not listed. */
export class ArWalk {
  readonly #reader: SequentialReader;
  readonly #input: ReaderInput;
  readonly #names = new ArNames();
  #thin = false;

  constructor(reader: SequentialReader, input: ReaderInput) {
    this.#reader = reader;
    this.#input = input;
  }

  async *members(): AsyncGenerator<Entry, void, undefined> {
    this.#thin = Buffer.from(await this.#reader.read(arMagicBytes)).toString("latin1") === thinMagic;
    for (;;) {
      throwIfAborted(this.#input.signal, "read_ar");
      const offset = this.#reader.position;
      const bytes = await this.#reader.peek(arHeaderBytes);
      if (bytes.byteLength === 0) return;
      const header = parseArHeader(bytes);
      if (header === undefined) return this.#stop(offset);
      await this.#reader.skip(arHeaderBytes);
      const end = this.#reader.position + this.#storedBytes(header);
      const entry = await this.#member(header, offset);
      if (entry !== undefined) yield entry;
      if (!(await this.#passTo(end, offset))) return;
    }
  }

  /** A thin archive stores its tables only. */
  #storedBytes({ field, size }: ArHeader): number {
    return this.#thin && !isArTable(field) ? 0 : size;
  }

  async #member(header: ArHeader, offset: number): Promise<Entry | undefined> {
    if (isArTable(header.field)) {
      if (header.field === "//") await this.#longNames(header.size, offset);
      return undefined;
    }
    const inline = /^#1\/(\d{1,6})$/.exec(header.field)?.[1];
    const nameBytes = inline === undefined ? 0 : Number(inline);
    const name = inline === undefined ? this.#names.resolve(header.field) : await this.#inlineName(nameBytes, header.size);
    if (name === undefined) malformed(this.#input, offset, "The name of a member is not where its header says.");
    if (name !== undefined && isArTable(Buffer.from(name).toString("latin1"))) return undefined;
    const size = Math.max(0, header.size - nameBytes);
    return this.#entry({ name: name ?? Buffer.from(header.field, "latin1"), size, offset, mode: header.mode });
  }

  async #longNames(size: number, offset: number): Promise<void> {
    if (size > longestTable) malformed(this.#input, offset, `The table of long names has ${String(size)} bytes; it was left out.`);
    else this.#names.set((await this.#reader.read(size)).slice());
  }

  /** BSD: the name stands before the data, filled up with NULs. */
  async #inlineName(length: number, size: number): Promise<Uint8Array | undefined> {
    if (length > size || length > longestName) return undefined;
    const bytes = (await this.#reader.read(length)).slice();
    const end = bytes.indexOf(0);
    return bytes.byteLength < length ? undefined : end < 0 ? bytes : bytes.subarray(0, end);
  }

  #entry({ name, size, offset, mode }: { readonly name: Uint8Array; readonly size: number; readonly offset: number; readonly mode: number | undefined }): Entry {
    return {
      name: utf8Name(name),
      kind: "file",
      declaredBytes: size,
      compressedBytes: this.#thin ? null : size,
      location: { offset, length: this.#reader.position - offset + (this.#thin ? 0 : size) },
      encrypted: false,
      linkTarget: null,
      executable: mode === undefined ? null : (mode & 0o111) !== 0,
      checks: [{ kind: "size", bytes: size }],
      limitations: [],
      content: this.#content(size),
    };
  }

  #content(size: number): EntryContent | Unavailable {
    if (this.#thin) return { reason: "missing_companion", why: "A thin archive holds the names of its members only; their content stands in other files." };
    return { stream: () => storedContent(this.#reader, size) };
  }

  /** Passes over what is left of a member and the byte that makes its length even; false at the end of a cut archive. */
  async #passTo(end: number, offset: number): Promise<boolean> {
    const left = end - this.#reader.position;
    if (left > 0 && (await this.#reader.skip(left)) < left) {
      malformed(this.#input, offset, "The archive ends inside this member.");
      return false;
    }
    if (end % 2 === 1) await this.#reader.skip(1);
    return true;
  }

  async #stop(offset: number): Promise<void> {
    malformed(this.#input, offset, "A member header is malformed; what follows was not read.");
    await leftover(this.#reader, this.#input, "the archive");
  }
}
