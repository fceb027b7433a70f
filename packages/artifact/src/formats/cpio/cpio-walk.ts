import { throwIfAborted } from "@rea/core";
import type { Entry, ReaderInput } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { malformed } from "../sequential/damage.js";
import { leftover } from "../sequential/leftover.js";
import { cpioEntry, cpioEntryKind } from "./cpio-entry.js";
import { cpioKind, longestHeader, parseCpioHeader, type CpioHeader } from "./cpio-header.js";
import { LinkGroups } from "./link-groups.js";

const trailer = "TRAILER!!!";
const longestLink = 65_536;
const searchBytes = 1 << 16;

/** One pass over a cpio archive and those concatenated to it, as boot images have them. */
export class CpioWalk {
  readonly #reader: SequentialReader;
  readonly #input: ReaderInput;
  #links = new LinkGroups();
  /** True behind a trailer, until another header follows. */
  #ended = false;

  constructor(reader: SequentialReader, input: ReaderInput) {
    this.#reader = reader;
    this.#input = input;
  }

  async *members(): AsyncGenerator<Entry, void, undefined> {
    for (;;) {
      throwIfAborted(this.#input.signal, "read_cpio");
      if (this.#ended) await this.#skipZeros();
      const offset = this.#reader.position;
      const bytes = (await this.#reader.peek(longestHeader)).slice();
      const header = parseCpioHeader(bytes);
      if (header !== undefined) yield* this.#member(header, offset);
      else if (this.#ended || bytes.byteLength === 0 || !(await this.#resynchronise(offset))) break;
    }
    yield* this.#links.rest();
    if (this.#ended) await leftover(this.#reader, this.#input, "the archive");
    else this.#missingTrailer();
  }

  async *#member(header: CpioHeader, offset: number): AsyncGenerator<Entry, void, undefined> {
    if (this.#ended) this.#concatenated(offset);
    await this.#reader.skip(header.headerBytes);
    const name = await this.#name(header, offset);
    if (name === undefined) return;
    const dataStart = this.#reader.position;
    if (Buffer.from(name).toString("latin1") === trailer) {
      this.#ended = true;
      yield* this.#links.rest();
      return;
    }
    const isLink = cpioEntryKind(header.mode) === "symlink";
    const linkTarget = isLink ? (await this.#reader.read(Math.min(header.size, longestLink))).slice() : null;
    const entry = cpioEntry(this.#reader, this.#input, { header, name: utf8Name(name), offset, linkTarget });
    yield* this.#links.place(header, entry);
    await this.#passTo(dataStart + header.size, header, offset);
  }

  /** The name without its NUL and filling. */
  async #name(header: CpioHeader, offset: number): Promise<Uint8Array | undefined> {
    const bytes = (await this.#reader.read(header.nameBytes)).slice();
    if (bytes.byteLength < header.nameBytes) {
      malformed(this.#input, offset, "The archive ends inside the name of a member.");
      return undefined;
    }
    await this.#align(header, offset);
    const end = bytes.indexOf(0);
    return end < 0 ? bytes : bytes.subarray(0, end);
  }

  async #passTo(end: number, header: CpioHeader, offset: number): Promise<void> {
    const left = end - this.#reader.position;
    if (left > 0 && (await this.#reader.skip(left)) < left) malformed(this.#input, offset, "The archive ends inside this member.");
    await this.#align(header, offset);
  }

  async #align({ alignment }: CpioHeader, offset: number): Promise<void> {
    await this.#reader.skip((alignment - ((this.#reader.position - offset) % alignment)) % alignment);
  }

  async #skipZeros(): Promise<void> {
    for (;;) {
      throwIfAborted(this.#input.signal, "read_cpio");
      const bytes = await this.#reader.peek(512);
      const other = bytes.findIndex((byte) => byte !== 0);
      await this.#reader.skip(other < 0 ? bytes.byteLength : other);
      if (other >= 0 || bytes.byteLength === 0) return;
    }
  }

  /** Looks for the next header by its magic; false when none follows. */
  async #resynchronise(offset: number): Promise<boolean> {
    await this.#reader.skip(1);
    for (;;) {
      throwIfAborted(this.#input.signal, "read_cpio");
      const seen = Buffer.from(await this.#reader.peek(searchBytes));
      const found = findHeader(seen);
      await this.#reader.skip(found ?? Math.max(1, seen.byteLength - longestHeader));
      if (found === undefined && seen.byteLength > longestHeader) continue;
      malformed(this.#input, offset, `${String(this.#reader.position - offset)} bytes that are no header were passed over.`);
      return found !== undefined;
    }
  }

  #concatenated(offset: number): void {
    this.#ended = false;
    this.#links = new LinkGroups();
    this.#input.report.anomaly({
      anomaly: "concatenated_archive",
      offset,
      detail: "Another header follows behind the trailer; it was read on.",
      effect: "Readers that stop at the trailer do not see what follows.",
    });
  }

  #missingTrailer(): void {
    this.#input.report.anomaly({
      anomaly: "missing_end_marker",
      offset: this.#reader.position,
      detail: "The data ends without the trailer that ends an archive.",
      effect: "It may have been cut short.",
    });
  }
}

/** Where the next header in text layout starts. */
function findHeader(bytes: Buffer): number | undefined {
  for (let at = bytes.indexOf("07070"); at >= 0; at = bytes.indexOf("07070", at + 1)) {
    if (cpioKind(bytes.subarray(at)) !== undefined && parseCpioHeader(bytes.subarray(at, at + longestHeader)) !== undefined) return at;
  }
  return undefined;
}
