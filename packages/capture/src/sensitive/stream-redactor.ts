import { leastHiddenBytes } from "./hidden-values.js";
import type { Redactor } from "./redactor.js";

/**
 * A stream of bytes in which hidden values are replaced however the stream was cut. What may be the beginning of a value is
 * held until it is known.
 */
export class StreamRedactor {
  readonly #redactor: Redactor;
  #held: Buffer = Buffer.alloc(0);
  /** How many bytes at the beginning of what is held an alias already stands for. */
  #covered = 0;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** What can be told now. */
  take(chunk: Buffer): Buffer {
    if (this.#redactor.values.length === 0) return chunk;
    const all = Buffer.concat([this.#held, chunk]);
    // What ends in a value may be the beginning of a longer one, or of another that overlaps it.
    return this.#tell(all, all.length - this.#redactor.openEnd(all));
  }

  /** The rest at the end; the beginning of a value that never went on is hidden as well. */
  end(): Buffer {
    const rest = this.#held;
    const begun = rest.length < leastHiddenBytes ? undefined : this.#redactor.values.find(({ bytes }) => bytes.subarray(0, rest.length).equals(rest));
    if (begun === undefined) return this.#tell(rest, rest.length);
    this.#held = Buffer.alloc(0);
    return this.#covered > 0 ? Buffer.alloc(0) : Buffer.from(begun.alias);
  }

  /** Tells the bytes before `cut`, and a value that goes on behind it as one alias; holds the rest. */
  #tell(all: Buffer, cut: number): Buffer {
    const parts: Buffer[] = [];
    let at = this.#covered;
    for (const { start, end, alias } of this.#redactor.hits(all)) {
      if (start >= cut) break;
      if (start >= at) parts.push(all.subarray(at, start), Buffer.from(alias));
      at = Math.max(at, end);
    }
    parts.push(all.subarray(at, Math.max(at, cut)));
    this.#held = all.subarray(cut);
    this.#covered = Math.max(0, at - cut);
    return Buffer.concat(parts);
  }
}
