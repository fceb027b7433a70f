import { isReaError } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import type { ReaderInput } from "../../format.js";
import { FolderOutput, type FolderNotes, type FolderSource } from "./folder-output.js";
import type { FolderPlan } from "./folder-plan.js";

/**
 * The plain bytes of one folder after the other, each decoded once: members that are read in order cost nothing more.
 * Bytes of members that nobody reads are decoded to get behind them, up to the walk's bound on bytes.
 */
export class FolderCursor {
  readonly #from: FolderSource;
  readonly #notes: FolderNotes;
  #passable: number;
  #plan: FolderPlan | undefined;
  #output: FolderOutput | undefined;

  constructor(from: FolderSource, notes: FolderNotes, { limits }: Pick<ReaderInput, "limits">) {
    this.#from = from;
    this.#notes = notes;
    this.#passable = limits.maxTotalBytes;
  }

  /** False when too much would have to be decoded to reach a content. */
  reaches(plan: FolderPlan, offset: number): boolean {
    return this.#distance(plan, offset) <= this.#passable;
  }

  /** Packed bytes read of a folder so far. */
  packedRead(plan: FolderPlan): number {
    return this.#plan === plan ? (this.#output?.packedRead ?? 0) : 0;
  }

  /** Part of a folder's bytes, from front to back. */
  async *read(plan: FolderPlan, offset: number, length: number): AsyncGenerator<Uint8Array, void, undefined> {
    const output = await this.#goTo(plan, offset);
    let left = length;
    for await (const piece of output.reader.take(length)) {
      left -= piece.byteLength;
      yield piece;
    }
    if (left > 0) throw brokenData("The packed data ends before this content does.");
    // The last content of a folder: what its coders say at their end is heard.
    if (offset + length === plan.plainBytes) await this.#hearEnd(output);
  }

  async #hearEnd(output: FolderOutput): Promise<void> {
    try {
      await output.reader.atEnd();
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      this.#notes.oddEnd(error.message);
    }
  }

  async close(): Promise<void> {
    await this.#output?.close();
    this.#output = undefined;
    this.#plan = undefined;
  }

  #distance(plan: FolderPlan, offset: number): number {
    const position = this.#plan === plan ? (this.#output?.reader.position ?? 0) : 0;
    return position <= offset ? offset - position : offset;
  }

  async #goTo(plan: FolderPlan, offset: number): Promise<FolderOutput> {
    const distance = this.#distance(plan, offset);
    if (distance > this.#passable) throw brokenData("More bytes stand before this content than are decoded to reach it.");
    this.#passable -= distance;
    let output = this.#output;
    if (output === undefined || this.#plan !== plan || output.reader.position > offset) {
      await this.close();
      output = new FolderOutput(this.#from, plan, this.#notes);
      this.#output = output;
      this.#plan = plan;
    }
    const missing = offset - output.reader.position;
    if ((await output.reader.skip(missing)) < missing) throw brokenData("The packed data ends before this content starts.");
    return output;
  }
}
