import { readSync } from "node:fs";
import { KeptEnds, keptOf } from "../reading/tar/kept-ends.js";
import { MeasuredMember } from "../reading/tar/measured-member.js";
import { TarStreamPass, type SeenMember } from "../reading/tar/tar-stream-pass.js";
import type { JobControl, TarAnswer, TarJob } from "./reading-job.js";

const pieceBytes = 1024 * 1024;
/** Members that are no more together are read at once. */
const windowBytes = 4 * 1024 * 1024;

/** Bytes of what a job is about; undefined where they are not to be had. `passing`: in memory that is used again when the job is done. */
export type ReadBytes = (offset: number, length: number, passing: boolean) => Uint8Array<ArrayBuffer> | undefined;

/** The members of a job, wherever they lie. */
export type TarMembers = Omit<TarJob, "kind" | "handle">;

/**
 * Streams members through tar-stream and measures what it gives of each. Undefined when the walk has ended, "failed" when
 * the bytes are not there as described.
 */
export async function streamTar(job: TarMembers, control: JobControl, read: ReadBytes): Promise<TarAnswer | "failed" | undefined> {
  const library = await TarStreamPass.load();
  try {
    return await new TarReading(job, { library, control, read }).answer();
  } finally {
    library.close();
  }
}

/** The same from an open file. */
export async function readTar(job: TarJob, control: JobControl): Promise<TarAnswer | "failed" | undefined> {
  const own = spare ?? Buffer.allocUnsafeSlow(windowBytes);
  spare = undefined;
  try {
    return await streamTar(job, control, (offset, length, passing) => readAt(job.handle, offset, passing ? own.subarray(0, length) : Buffer.allocUnsafeSlow(length)));
  } finally {
    spare = own;
  }
}

/** A window of a job that is done, for the next. */
let spare: Buffer<ArrayBuffer> | undefined;

interface Means {
  readonly library: TarStreamPass;
  readonly control: JobControl;
  readonly read: ReadBytes;
}

class TarReading {
  readonly #job: TarMembers;
  readonly #means: Means;
  readonly #facts: Float64Array<ArrayBuffer>;
  readonly #seen: SeenMember[] = [];
  /** The ends of contents, one behind the other. */
  readonly #ends: Uint8Array<ArrayBuffer>;
  #kept = 0;
  #sha256 = "";

  constructor(job: TarMembers, means: Means) {
    this.#job = job;
    this.#means = means;
    this.#facts = new Float64Array((job.members.length / 3) * 4);
    let kept = 0;
    for (const { bytes } of membersOf(job)) kept += endsOf(bytes);
    this.#ends = new Uint8Array(kept);
  }

  async answer(): Promise<TarAnswer | "failed" | undefined> {
    const contents = await this.#contents();
    if (contents !== undefined) return { kind: "tar", contents, facts: this.#facts, sha256: this.#sha256, seen: this.#seen };
    return this.#means.control.isCancelled() ? undefined : "failed";
  }

  /** Undefined where bytes are missing, or not wanted any more. */
  async #contents(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { offset, whole } = this.#job;
    const all = [...membersOf(this.#job)].reduce((sum, { length }) => sum + length, 0);
    if (all > windowBytes) return (await this.#inPieces()) ? this.#ends : undefined;
    const window = this.#means.read(offset, all, !whole);
    if (window === undefined || !(await this.#atOnce(window))) return undefined;
    return whole ? window : this.#ends;
  }

  async #atOnce(window: Uint8Array): Promise<boolean> {
    let start = 0;
    for (const { index, length, dataStart, bytes } of membersOf(this.#job)) {
      if (this.#means.control.isCancelled()) return false;
      const measured = this.#begin(dataStart, bytes, !this.#job.whole);
      const piece = window.subarray(start, start + length);
      measured.expect(piece, 0);
      await this.#means.library.write(piece);
      await this.#end(index, measured, this.#job.whole ? { from: start + dataStart, head: bytes, tail: 0 } : this.#placeOf(bytes));
      this.#means.control.passed(length);
      start += length;
    }
    return true;
  }

  /** Piece by piece, with turns for others, should it be read where there are any. */
  async #inPieces(): Promise<boolean> {
    let start = this.#job.offset;
    for (const { index, length, dataStart, bytes } of membersOf(this.#job)) {
      const measured = this.#begin(dataStart, bytes, true);
      for (let at = 0; at < length; at += pieceBytes) {
        const piece = this.#means.control.isCancelled() ? undefined : this.#means.read(start + at, Math.min(pieceBytes, length - at), false);
        if (piece === undefined) return false;
        measured.expect(piece, at);
        await this.#means.library.write(piece);
        await measured.settled();
        this.#means.control.passed(piece.byteLength);
        await new Promise<void>((resume) => setImmediate(resume));
      }
      await this.#end(index, measured, this.#placeOf(bytes));
      start += length;
    }
    return true;
  }

  #begin(dataStart: number, bytes: number, keeps: boolean): MeasuredMember {
    const measured = new MeasuredMember(dataStart, bytes, keeps ? new KeptEnds(this.#ends.subarray(this.#kept), bytes) : undefined);
    this.#means.library.begin((chunk) => measured.take(chunk));
    return measured;
  }

  #placeOf(bytes: number): Place {
    const from = this.#kept;
    this.#kept += endsOf(bytes);
    return { from, ...keptOf(bytes) };
  }

  async #end(index: number, measured: MeasuredMember, { from, head, tail }: Place): Promise<void> {
    this.#seen.push(await this.#means.library.end());
    this.#facts.set([measured.isSame ? 1 : 0, from, from + head, from + head + tail], index * 4);
    this.#sha256 += measured.digest();
  }
}

interface Place {
  readonly from: number;
  readonly head: number;
  readonly tail: number;
}

function endsOf(bytes: number): number {
  const { head, tail } = keptOf(bytes);
  return head + tail;
}

function* membersOf({ members }: TarMembers): Generator<{ readonly index: number; readonly length: number; readonly dataStart: number; readonly bytes: number }, void, undefined> {
  for (let at = 0; at < members.length; at += 3) yield { index: at / 3, length: members[at] ?? 0, dataStart: members[at + 1] ?? 0, bytes: members[at + 2] ?? 0 };
}

function readAt(handle: number, offset: number, into: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  try {
    for (let done = 0; done < into.byteLength; ) {
      const count = readSync(handle, into, done, into.byteLength - done, offset + done);
      if (count === 0) return undefined;
      done += count;
    }
    return new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
  } catch {
    return undefined;
  }
}
