const newline = 0x0a;

export interface LineSink {
  /** One line without its line break. */
  line(bytes: Buffer): void;
  /** A line passed the limit; what belongs to it is dropped up to its line break. Told once a line. */
  tooLong(): void;
}

/** Cuts a byte stream into lines and never holds more than `limit` bytes of an unfinished one. */
export class LineSplitter {
  readonly #limit: number;
  readonly #sink: LineSink;
  #parts: Buffer[] = [];
  #held = 0;
  #dropping = false;

  constructor(limit: number, sink: LineSink) {
    this.#limit = limit;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  #hold(part: Buffer): void {
    if (this.#dropping) return;
    if (this.#held + part.length <= this.#limit) {
      this.#parts.push(part);
      this.#held += part.length;
      return;
    }
    this.#clear();
    this.#dropping = true;
    this.#sink.tooLong();
  }

  #finish(): void {
    const [first, ...others] = this.#parts;
    const line = others.length === 0 ? (first ?? Buffer.alloc(0)) : Buffer.concat(this.#parts, this.#held);
    const complete = !this.#dropping;
    this.#clear();
    this.#dropping = false;
    if (complete) this.#sink.line(line);
  }

  #clear(): void {
    this.#parts = [];
    this.#held = 0;
  }
}
