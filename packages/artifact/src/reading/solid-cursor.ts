import { isReaError } from "@rea/core";
import { brokenData } from "../codecs/broken-data.js";
import type { ArtifactLimits } from "../limits.js";
import type { SequentialReader } from "./sequential-reader.js";

/** The plain bytes of a run of contents that were packed as one. */
export interface SolidStream {
  readonly reader: SequentialReader;
  close(): Promise<void>;
}

export interface SolidOptions<Run, Stream> {
  readonly open: (run: Run) => Stream;
  /** All bytes of a run came, and then its packed data met damage; `what` is a sentence of ours. */
  readonly onOddEnd: (run: Run, what: string) => void;
  readonly limits: ArtifactLimits;
}

/**
 * Contents that were packed together, one run after the other, each decoded once: what is read in order costs nothing
 * more. Bytes of contents that nobody reads are decoded to get behind them, up to the walk's bound on bytes.
 */
export class SolidCursor<Run extends { readonly plainBytes: number }, Stream extends SolidStream> {
  readonly #options: SolidOptions<Run, Stream>;
  #passable: number;
  #run: Run | undefined;
  #stream: Stream | undefined;

  constructor(options: SolidOptions<Run, Stream>) {
    this.#options = options;
    this.#passable = options.limits.maxTotalBytes;
  }

  /** False when too much would have to be decoded to reach a content. */
  reaches(run: Run, offset: number): boolean {
    return this.#distance(run, offset) <= this.#passable;
  }

  /** What is open of a run. */
  opened(run: Run): Stream | undefined {
    return this.#run === run ? this.#stream : undefined;
  }

  /** Part of a run's bytes, from front to back. */
  async *read(run: Run, offset: number, length: number): AsyncGenerator<Uint8Array, void, undefined> {
    const stream = await this.#goTo(run, offset);
    let left = length;
    for await (const piece of stream.reader.take(length)) {
      left -= piece.byteLength;
      yield piece;
    }
    if (left > 0) throw brokenData("The packed data ends before this content does.");
    // The last content of a run: what its codec says at its end is heard.
    if (offset + length === run.plainBytes) await this.#hearEnd(run, stream);
  }

  async close(): Promise<void> {
    await this.#stream?.close();
    this.#stream = undefined;
    this.#run = undefined;
  }

  async #hearEnd(run: Run, stream: Stream): Promise<void> {
    try {
      await stream.reader.atEnd();
    } catch (error) {
      if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
      this.#options.onOddEnd(run, error.message);
    }
  }

  #distance(run: Run, offset: number): number {
    const position = this.opened(run)?.reader.position ?? 0;
    return position <= offset ? offset - position : offset;
  }

  async #goTo(run: Run, offset: number): Promise<Stream> {
    const distance = this.#distance(run, offset);
    if (distance > this.#passable) throw brokenData("More bytes stand before this content than are decoded to reach it.");
    this.#passable -= distance;
    let stream = this.opened(run);
    if (stream === undefined || stream.reader.position > offset) {
      await this.close();
      stream = this.#options.open(run);
      this.#stream = stream;
      this.#run = run;
    }
    const missing = offset - stream.reader.position;
    if ((await stream.reader.skip(missing)) < missing) throw brokenData("The packed data ends before this content starts.");
    return stream;
  }
}
