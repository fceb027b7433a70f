import type { Dirent } from "node:fs";
import type { FilesJob, FilesAnswer, ReadingAnswer } from "../pool/reading-job.js";
import { contentStates } from "../pool/reading-job.js";
import { noDigests, type Fetched } from "../reading/fetched.js";

/** Has files read; `cost` is about the number of bytes. */
export type BatchReader = (job: FilesJob, cost: number) => ReadingAnswer | Promise<ReadingAnswer> | undefined;

/** Nobody knows their sizes yet; opening them costs about as much as reading so many bytes. */
const fileCost = 32 * 1024;

const filesInBatch = 64;

/** One file of a batch, to be asked when the batch is done. */
export interface BatchedFile {
  readonly batch: FileBatch;
  readonly index: number;
}

/** A file that was small enough to be read whole. */
export interface ReadFile {
  readonly fetched: Fetched;
  readonly executable: boolean;
  /** False when it changed while it was read. */
  readonly unchanged: boolean;
}

/** Some files of one directory that are read together. */
export class FileBatch {
  /** Undefined once the answer is there. */
  done: Promise<void> | undefined;
  readonly #count: number;
  #taken = 0;
  #answer: FilesAnswer | undefined;

  /** The first files of a list from an index on. */
  constructor(read: BatchReader, prefix: string, list: readonly Dirent<Buffer>[], from: number) {
    const names: string[] = [];
    for (let at = from; at < list.length && names.length < filesInBatch; at += 1) {
      const child = list[at];
      if (child?.isFile() === true) names.push(child.name.toString("latin1"));
    }
    this.#count = names.length;
    const answer = read({ kind: "files", prefix, names }, names.length * fileCost);
    if (answer instanceof Promise) this.done = answer.then((later) => this.#take(later));
    else if (answer !== undefined) this.#take(answer);
  }

  #take(answer: ReadingAnswer): void {
    this.done = undefined;
    if (answer.kind === "files") this.#answer = answer;
  }

  isUsedUp(): boolean {
    return this.#taken === this.#count;
  }

  next(): BatchedFile {
    this.#taken += 1;
    return { batch: this, index: this.#taken - 1 };
  }

  /** Undefined for a file that was not read: it is large, or something is wrong with it. */
  fileAt(index: number): ReadFile | undefined {
    const answer = this.#answer;
    if (answer === undefined) return undefined;
    const { facts, contents, sha256 } = answer;
    const state = facts[index * 4];
    if (state !== contentStates.read && state !== contentStates.changed) return undefined;
    const content = contents.subarray(index === 0 ? 0 : facts[index * 4 - 1], facts[index * 4 + 3]);
    return {
      fetched: { bytes: content.byteLength, sha256: sha256.slice(index * 64, index * 64 + 64), crc32: undefined, content, head: content, digests: noDigests, blocks: noDigests },
      executable: ((facts[index * 4 + 2] ?? 0) & 0o111) !== 0,
      unchanged: state === contentStates.read,
    };
  }
}
