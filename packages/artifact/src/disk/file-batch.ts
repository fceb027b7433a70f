import type { FilePlaces, FilesAnswer, FilesJob, ReadingAnswer } from "../pool/reading-job.js";
import type { ReadFile } from "../reading/read-file.js";
import { readFileAt } from "./file-run.js";

/** Has files read; `cost` is about the number of bytes. */
export type BatchReader = (job: FilesJob, cost: number) => ReadingAnswer | Promise<ReadingAnswer> | undefined;

/** Nobody knows their sizes yet; opening them costs about as much as reading so many bytes. */
const fileCost = 32 * 1024;
const filesInBatch = 128;

/** Small files of one or several directories that are read together. */
export class FileBatch {
  /** Undefined once the answer is there. */
  done: Promise<void> | undefined;
  /** Undefined as well where nothing could be read. */
  answer: FilesAnswer | undefined;
  readonly #places: FilePlaces[] = [];
  #count = 0;

  get room(): number {
    return filesInBatch - this.#count;
  }

  /** The index of the first of them in the batch. */
  add(places: FilePlaces): number {
    const from = this.#count;
    this.#places.push(places);
    this.#count += places.names.length;
    return from;
  }

  send(read: BatchReader): void {
    const answer = read({ kind: "files", places: this.#places }, this.#count * fileCost);
    if (answer instanceof Promise) this.done = answer.then((later) => this.#take(later));
    else if (answer !== undefined) this.#take(answer);
  }

  #take(answer: ReadingAnswer): void {
    this.done = undefined;
    if (answer.kind === "files") this.answer = answer;
  }

  /** Undefined for a file that was not read. */
  fileAt(index: number): ReadFile | undefined {
    return this.answer === undefined ? undefined : readFileAt(this.answer, index);
  }
}

/** Files are put together on the way through a tree, whatever directories they are in, and read when they are enough. */
export class FileBatches {
  readonly #read: BatchReader;
  readonly #sent = new Set<FileBatch>();
  #next = new FileBatch();
  #readsHere = false;

  constructor(read: BatchReader) {
    this.#read = read;
  }

  /** How many files fit into the batch that is being put together. */
  get room(): number {
    return this.#next.room;
  }

  /** True when the last batch was read by the calling thread. */
  get readsHere(): boolean {
    return this.#readsHere;
  }

  add(places: FilePlaces): { readonly batch: FileBatch; readonly from: number } {
    const batch = this.#next;
    const from = batch.add(places);
    if (batch.room <= 0) this.send();
    return { batch, from };
  }

  /** Has read what was put together so far. */
  send(): void {
    const batch = this.#next;
    if (batch.room === filesInBatch) return;
    this.#next = new FileBatch();
    batch.send(this.#read);
    this.#readsHere = batch.done === undefined;
    if (batch.done === undefined) return;
    this.#sent.add(batch);
    void batch.done.then(() => this.#sent.delete(batch));
  }

  /** When nothing is read any more. */
  async settled(): Promise<void> {
    for (const { done } of this.#sent) await done;
  }
}
