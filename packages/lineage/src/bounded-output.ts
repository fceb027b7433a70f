import type { Readable } from "node:stream";

/** What a stream of a process gave: the bytes kept, and exactly how many there were. */
export interface CapturedOutput {
  readonly bytes: Buffer;
  readonly totalBytes: number;
  /** Not all bytes were kept. */
  readonly truncated: boolean;
}

export interface OutputBound {
  readonly maximumBytes: number;
  /** Which end is kept when there is more; default `head`. */
  readonly keep?: "head" | "tail";
  /** Called once, when the bound is passed. */
  readonly onPassed?: () => void;
}

/** Reads a stream to its end and keeps a bounded part; it is always drained, so that a full pipe never blocks the writer. */
export class BoundedOutput {
  readonly #bound: OutputBound;
  readonly #parts: Buffer[] = [];
  #kept = 0;
  #total = 0;

  constructor(stream: Readable | null, bound: OutputBound) {
    this.#bound = bound;
    stream?.on("data", (chunk: Buffer) => this.#take(chunk));
    // A stream that breaks has ended; what it gave stays.
    stream?.on("error", () => undefined);
    stream?.resume();
  }

  get totalBytes(): number {
    return this.#total;
  }

  read(): CapturedOutput {
    const all = Buffer.concat(this.#parts);
    const { maximumBytes, keep = "head" } = this.#bound;
    const bytes = keep === "head" ? all : all.subarray(Math.max(0, all.length - maximumBytes));
    return { bytes, totalBytes: this.#total, truncated: this.#total > bytes.length };
  }

  #take(chunk: Buffer): void {
    const { maximumBytes, keep = "head", onPassed } = this.#bound;
    const before = this.#total;
    this.#total += chunk.length;
    if (keep === "head") this.#push(chunk.subarray(0, Math.max(0, maximumBytes - this.#kept)));
    else {
      this.#push(chunk);
      while (this.#kept - (this.#parts[0]?.length ?? 0) >= maximumBytes && this.#parts.length > 1) this.#kept -= this.#parts.shift()?.length ?? 0;
    }
    if (before <= maximumBytes && this.#total > maximumBytes) onPassed?.();
  }

  #push(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#kept += part.length;
  }
}
