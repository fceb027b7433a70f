import type { MemberSink } from "../walk/content-sink.js";
import type { Place } from "../walk/place.js";
import type { OutputFile } from "./output-file.js";
import type { RefusedWrite } from "./output-tree.js";

/** Why a selected member is not in the output. */
export type SkipReason = RefusedWrite | "not_found" | "unsafe_name" | "not_verified" | "not_restored";

/** A place in the order of the walk. */
export interface Ordered {
  readonly place: Place;
  readonly ordinal: number;
}

export interface WrittenMember {
  readonly place: Place;
  readonly relativePath: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Where members are written. */
export interface MemberOutput {
  create(relativePath: string): Promise<OutputFile | RefusedWrite>;
  /** Closes and removes a file. */
  discard(file: OutputFile, relativePath: string): void;
  /** Makes a file durable and compares it with the digest. Closes it. */
  prove(file: OutputFile, member: WrittenMember): Promise<void>;
  skip(member: Ordered, reason: SkipReason): void;
  /** Does work while the walk goes on; comes back as soon as there is room for it. */
  inBackground(work: () => Promise<void>): Promise<void>;
  /** Does work whose failure ends the extraction. */
  noting(work: () => Promise<void>): Promise<void>;
}

/** A content of one piece that is no larger is kept until it is known to hold, and then written in the background. */
const keptBytes = 64 * 1024;

/** One member on its way to the disk. */
export class MemberFile implements MemberSink {
  readonly #output: MemberOutput;
  readonly #member: Ordered;
  readonly #path: string;
  #kept: Uint8Array | undefined;
  #file: OutputFile | undefined;
  #refused: SkipReason | undefined;

  constructor(output: MemberOutput, member: Ordered, path: string) {
    this.#output = output;
    this.#member = member;
    this.#path = path;
  }

  write(piece: Uint8Array): Promise<void> {
    return this.#output.noting(() => this.#write(piece));
  }

  whole(content: Uint8Array): void {
    this.#kept = content;
  }

  async end(sha256: string | undefined): Promise<void> {
    if (sha256 === undefined) this.#giveUp("not_verified");
    else await this.#output.inBackground(() => this.#finish(sha256));
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
    await this.#output.prove(file, { place, relativePath: this.#path, sha256, bytes: file.bytes });
  }

  async #open(): Promise<void> {
    const opened = await this.#output.create(this.#path);
    if (typeof opened === "string") this.#refused = opened;
    else this.#file = opened;
    if (this.#kept !== undefined) await this.#file?.write(this.#kept);
    this.#kept = undefined;
  }

  #giveUp(otherwise: SkipReason): void {
    if (this.#file !== undefined) this.#output.discard(this.#file, this.#path);
    this.#output.skip(this.#member, this.#refused ?? otherwise);
  }
}
