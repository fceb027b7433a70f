import type { MemberSink } from "../walk/content-sink.js";
import type { MemberWriter, Ordered, SkipReason } from "./member-writer.js";
import type { OutputFile } from "./output-file.js";

/** A content of one piece that is no larger is kept until it is known to hold, and then written in the background. */
const keptBytes = 64 * 1024;

/** One member on its way to the disk. */
export class MemberFile implements MemberSink {
  readonly #writer: MemberWriter;
  readonly #member: Ordered;
  readonly #path: string;
  #kept: Uint8Array | undefined;
  #file: OutputFile | undefined;
  #refused: SkipReason | undefined;

  constructor(writer: MemberWriter, member: Ordered, path: string) {
    this.#writer = writer;
    this.#member = member;
    this.#path = path;
  }

  write(piece: Uint8Array): Promise<void> {
    return this.#writer.noting(() => this.#write(piece));
  }

  async end(sha256: string | undefined): Promise<void> {
    if (sha256 === undefined) this.#giveUp("not_verified");
    else await this.#writer.inBackground(() => this.#finish(sha256));
  }

  async #write(piece: Uint8Array): Promise<void> {
    if (this.#file === undefined && this.#refused === undefined) {
      if (this.#kept === undefined && piece.byteLength <= keptBytes) {
        // The piece belongs to the reader, who may use its room again.
        this.#kept = Uint8Array.prototype.slice.call(piece);
        return;
      }
      await this.#open();
    }
    await this.#file?.write(piece);
  }

  async #finish(sha256: string): Promise<void> {
    if (this.#file === undefined && this.#refused === undefined) await this.#open();
    const file = this.#file;
    if (file === undefined) return this.#giveUp("not_verified");
    const { place } = this.#member;
    await this.#writer.prove(file, { place, relativePath: this.#path, sha256, bytes: file.bytes });
  }

  async #open(): Promise<void> {
    const opened = await this.#writer.create(this.#path);
    if (typeof opened === "string") this.#refused = opened;
    else this.#file = opened;
    if (this.#kept !== undefined) await this.#file?.write(this.#kept);
    this.#kept = undefined;
  }

  #giveUp(otherwise: SkipReason): void {
    if (this.#file !== undefined) this.#writer.discard(this.#file, this.#path);
    this.#writer.skip(this.#member, this.#refused ?? otherwise);
  }
}
