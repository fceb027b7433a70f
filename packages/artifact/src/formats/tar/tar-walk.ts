import { throwIfAborted } from "@rea/core";
import type { Entry, ReaderInput } from "../../format.js";
import { FindingReport } from "../../reading/finding-report.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { TarStreamPass } from "../../reading/tar/tar-stream-pass.js";
import { malformed } from "../sequential/damage.js";
import { leftover } from "../sequential/leftover.js";
import { ExtensionHeaders } from "./extension-headers.js";
import type { EntryContext } from "./entry-context.js";
import { tarEntry } from "./tar-entry.js";
import { blockBytes, isZeroBlock, parseTarHeader, type TarHeader } from "./tar-header.js";

/** Zero blocks that end an archive. */
const endBlocks = 2;

/** One pass over an archive and those concatenated to it. */
export class TarWalk {
  readonly #reader: SequentialReader;
  readonly #input: ReaderInput;
  readonly #findings: FindingReport;
  readonly #extensions: ExtensionHeaders;
  readonly #context: EntryContext;
  #library: Promise<TarStreamPass> | undefined;
  /** True behind an end marker, until a header follows. */
  #ended = false;

  constructor(reader: SequentialReader, input: ReaderInput) {
    this.#reader = reader;
    this.#input = input;
    this.#findings = new FindingReport(input.report);
    this.#extensions = new ExtensionHeaders(reader, input, this.#findings);
    this.#context = { reader, input, findings: this.#findings, library: () => (this.#library ??= TarStreamPass.load()) };
  }

  async *members(): AsyncGenerator<Entry, void, undefined> {
    try {
      yield* this.#members();
    } finally {
      (await this.#library)?.close();
    }
  }

  async *#members(): AsyncGenerator<Entry, void, undefined> {
    for (;;) {
      throwIfAborted(this.#input.signal, "read_tar");
      const block = await this.#reader.peek(blockBytes);
      if (block.byteLength < blockBytes) break;
      const header = isZeroBlock(block) ? undefined : parseTarHeader(block.slice());
      if (header !== undefined) yield* this.#header(header);
      else if (this.#ended) break;
      else if (isZeroBlock(block)) await this.#endMarker();
      else await this.#resynchronise();
    }
    await this.#end();
    this.#findings.finish();
  }

  async *#header(header: TarHeader): AsyncGenerator<Entry, void, undefined> {
    const offset = this.#reader.position;
    if (this.#ended) this.#concatenated(offset);
    await this.#reader.skip(blockBytes);
    if (await this.#extensions.take(header, offset)) return;
    const start = this.#extensions.start ?? offset;
    const parts = { header, extensions: this.#extensions.claim(), start, offset };
    const { entry, end } = await tarEntry(this.#context, parts);
    yield entry;
    await this.#passTo(end, offset);
  }

  /** Passes over what is left of a member. */
  async #passTo(end: number, offset: number): Promise<void> {
    const left = end - this.#reader.position;
    if (left > 0 && (await this.#reader.skip(left)) < left) malformed(this.#input, offset, "The archive ends inside this member.");
  }

  /** Passes over zero blocks; two of them end an archive. */
  async #endMarker(): Promise<void> {
    const offset = this.#reader.position;
    this.#extensions.interrupt();
    let blocks = 0;
    for (;;) {
      const block = await this.#reader.peek(blockBytes);
      if (block.byteLength < blockBytes || !isZeroBlock(block)) break;
      await this.#reader.skip(blockBytes);
      blocks += 1;
      if (blocks % 1024 === 0) throwIfAborted(this.#input.signal, "read_tar");
    }
    this.#ended = true;
    if (blocks < endBlocks) this.#missingEnd(offset, "Only one zero block stands where two end the archive.");
  }

  #concatenated(offset: number): void {
    this.#ended = false;
    this.#extensions.forget();
    this.#findings.add({
      anomaly: "concatenated_archive",
      offset,
      detail: "Another header follows behind zero blocks that end the archive; it was read on.",
      effect: "Readers that stop at the end marker do not see what follows.",
    });
  }

  /** Passes over blocks that are no headers, as GNU tar and libarchive do. */
  async #resynchronise(): Promise<void> {
    const offset = this.#reader.position;
    this.#extensions.interrupt();
    for (;;) {
      throwIfAborted(this.#input.signal, "read_tar");
      await this.#reader.skip(blockBytes);
      const block = await this.#reader.peek(blockBytes);
      if (block.byteLength < blockBytes || isZeroBlock(block) || parseTarHeader(block) !== undefined) break;
    }
    const blocks = Math.ceil((this.#reader.position - offset) / blockBytes);
    this.#findings.add({
      anomaly: "bad_checksum_header",
      offset,
      detail: `The checksum of a header does not hold; ${String(blocks)} blocks up to the next one that holds were passed over.`,
      effect: "Readers that stop at a bad header miss what follows, readers that do not check it see another member.",
    });
    malformed(this.#input, offset, `${String(blocks)} blocks that are no headers were passed over.`);
  }

  async #end(): Promise<void> {
    const offset = this.#reader.position;
    if (this.#extensions.start !== undefined) malformed(this.#input, this.#extensions.start, "An extended header has no member behind it.");
    if (this.#ended) return leftover(this.#reader, this.#input, "the archive");
    const rest = await this.#reader.peek(blockBytes);
    if (rest.some((byte) => byte !== 0)) malformed(this.#input, offset, "The archive ends inside a header.");
    this.#missingEnd(offset, "The data ends without the two zero blocks that end an archive.");
  }

  #missingEnd(offset: number, detail: string): void {
    this.#findings.add({ anomaly: "missing_end_marker", offset, detail, effect: "It may have been cut short or had members added." });
  }
}
