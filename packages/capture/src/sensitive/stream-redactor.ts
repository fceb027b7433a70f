import { leastHiddenBytes } from "./hidden-values.js";
import type { Redactor } from "./redactor.js";

/**
 * A stream of bytes in which hidden values are replaced however the stream was cut. What may be the beginning of a value is
 * held until it is known.
 */
export class StreamRedactor {
  readonly #redactor: Redactor;
  #held: Buffer = Buffer.alloc(0);

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** What can be told now. */
  take(chunk: Buffer): Buffer {
    if (this.#redactor.values.length === 0) return chunk;
    const all = Buffer.concat([this.#held, chunk]);
    const hits = this.#redactor.hits(all);
    const afterHits = hits.at(-1)?.end ?? 0;
    // A place that reaches the end may go on as a longer one, so the beginning is looked for from before it.
    const open = Math.min(this.#redactor.openEnd(all), all.length - afterHits);
    this.#held = all.subarray(all.length - open);
    return this.#redactor.bytes(all.subarray(0, all.length - open));
  }

  /** The rest at the end; the beginning of a value that never went on is hidden as well. */
  end(): Buffer {
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    if (rest.length < leastHiddenBytes) return rest;
    const begun = this.#redactor.values.find(({ bytes }) => bytes.subarray(0, rest.length).equals(rest));
    return begun === undefined ? this.#redactor.bytes(rest) : Buffer.from(begun.alias);
  }
}
