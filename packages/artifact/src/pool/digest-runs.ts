import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { BlockDigests } from "../walk/block-digests.js";
import { inflatedExactly } from "./inflate-exactly.js";
import type { DigestAnswer, DigestJob, JobControl } from "./reading-job.js";

const pieceBytes = 1024 * 1024;
const zeros = Buffer.alloc(pieceBytes);

/** Measures one content. Undefined when the walk has ended, "failed" when the bytes are not there as described. */
export function digestRuns(job: DigestJob, control: JobControl): DigestAnswer | "failed" | undefined {
  const measure = new Measure(job);
  for (const piece of piecesOf(job)) {
    if (control.isCancelled()) return undefined;
    if (piece === undefined) return "failed";
    measure.take(piece);
    control.passed(piece.byteLength);
  }
  return measure.answer();
}

class Measure {
  readonly #job: DigestJob;
  readonly #sha256 = createHash("sha256");
  readonly #others: readonly (readonly [DigestJob["algorithms"][number], ReturnType<typeof createHash>])[];
  readonly #blocks: readonly BlockDigests[];
  readonly #head: Uint8Array<ArrayBuffer>;
  #crc: number | undefined;
  #bytes = 0;

  constructor(job: DigestJob) {
    this.#job = job;
    this.#others = job.algorithms.map((algorithm) => [algorithm, createHash(algorithm)] as const);
    this.#blocks = job.blocks.map((check) => new BlockDigests(check));
    this.#head = new Uint8Array(job.headBytes);
    if (job.crc32) this.#crc = 0;
  }

  take(piece: Uint8Array): void {
    this.#sha256.update(piece);
    if (this.#crc !== undefined) this.#crc = crc32(piece, this.#crc);
    for (const [, other] of this.#others) other.update(piece);
    for (const blocks of this.#blocks) blocks.update(piece);
    if (this.#bytes < this.#job.headBytes) this.#head.set(piece.subarray(0, this.#job.headBytes - this.#bytes), this.#bytes);
    this.#bytes += piece.byteLength;
  }

  answer(): DigestAnswer {
    return {
      kind: "digest",
      head: this.#head.slice(0, this.#bytes),
      bytes: this.#bytes,
      sha256: this.#sha256.digest("hex"),
      crc32: this.#crc,
      digests: this.#others.map(([algorithm, other]) => [algorithm, other.digest("hex")] as const),
      blocks: this.#blocks.map((blocks) => blocks.finish()[0]?.observed),
    };
  }
}

/** Pieces are good until the next is asked for; undefined where the file cannot give one. */
function* piecesOf({ handle, runs, plainBytes }: DigestJob): Generator<Uint8Array | undefined, void, undefined> {
  if (plainBytes >= 0) {
    const compressed = Buffer.allocUnsafeSlow(runs[1] ?? 0);
    const content = fill(handle, compressed, runs[0] ?? 0) ? inflatedExactly(compressed, plainBytes) : undefined;
    for (let at = 0; at < plainBytes; at += pieceBytes) yield content?.subarray(at, at + pieceBytes);
    if (plainBytes === 0) yield content;
    return;
  }
  const buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, longest(runs)));
  for (let at = 0; at < runs.length; at += 2) {
    const from = runs[at] ?? -1;
    const length = runs[at + 1] ?? 0;
    for (let done = 0; done < length; done += pieceBytes) {
      const count = Math.min(pieceBytes, length - done);
      if (from < 0) yield zeros.subarray(0, count);
      else yield fill(handle, buffer.subarray(0, count), from + done) ? buffer.subarray(0, count) : undefined;
    }
  }
}

function longest(runs: Float64Array): number {
  let most = 0;
  for (let at = 1; at < runs.length; at += 2) most = Math.max(most, runs[at] ?? 0);
  return most;
}

function fill(handle: number, into: Uint8Array, offset: number): boolean {
  try {
    for (let done = 0; done < into.byteLength; ) {
      const count = readSync(handle, into, done, into.byteLength - done, offset + done);
      if (count === 0) return false;
      done += count;
    }
    return true;
  } catch {
    return false;
  }
}
