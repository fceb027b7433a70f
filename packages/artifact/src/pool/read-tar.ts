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
  readonly #members: readonly Member[];
  readonly #facts: Float64Array<ArrayBuffer>;
  readonly #seen: SeenMember[] = [];
  /** The ends of contents, one behind the other. */
  readonly #ends: Uint8Array<ArrayBuffer>;
  #sha256 = "";

  constructor(job: TarMembers, means: Means) {
    this.#job = job;
    this.#means = means;
    this.#members = membersOf(job.members);
    this.#facts = new Float64Array(this.#members.length * 4);
    this.#ends = new Uint8Array(this.#members.reduce((sum, { head, tail }) => sum + head + tail, 0));
  }

  async answer(): Promise<TarAnswer | "failed" | undefined> {
    const contents = await this.#contents();
    if (contents !== undefined) return { kind: "tar", contents, facts: this.#facts, sha256: this.#sha256, seen: this.#seen };
    return this.#means.control.isCancelled() ? undefined : "failed";
  }

  /** Undefined where bytes are missing, or not wanted any more. */
  async #contents(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { offset, whole } = this.#job;
    const all = this.#members.reduce((sum, { length }) => sum + length, 0);
    if (all > windowBytes) return (await this.#inPieces()) ? this.#ends : undefined;
    const window = this.#means.read(offset, all, !whole);
    if (window === undefined || !((await this.#together(window)) || (await this.#oneByOne(window)))) return undefined;
    return whole ? window : this.#ends;
  }

  /** All members written at once; false, with nothing told, when the library does not see just these. */
  async #together(window: Uint8Array): Promise<boolean> {
    const { library, control } = this.#means;
    const all = this.#members.map((member) => this.#measuring(member, window));
    library.beginAll((entry) => (chunk) => all[entry]?.take(chunk));
    await library.write(window);
    const seen = await library.endAll(all.length);
    if (seen === undefined || !all.every(({ isSame }) => isSame)) return false;
    for (const [index, measured] of all.entries()) this.#tell(index, measured, seen[index]);
    control.passed(window.byteLength);
    return true;
  }

  /** False when that is not wanted any more. */
  async #oneByOne(window: Uint8Array): Promise<boolean> {
    const { library, control } = this.#means;
    for (const [index, member] of this.#members.entries()) {
      if (control.isCancelled()) return false;
      const measured = this.#measuring(member, window);
      library.begin((chunk) => measured.take(chunk));
      await library.write(window.subarray(member.start, member.start + member.length));
      this.#tell(index, measured, await library.end());
      control.passed(member.length);
    }
    return true;
  }

  #measuring({ start, length, dataStart, bytes, from }: Member, window: Uint8Array): MeasuredMember {
    const measured = new MeasuredMember(dataStart, bytes, this.#job.whole ? undefined : new KeptEnds(this.#ends.subarray(from), bytes));
    measured.expect(window.subarray(start, start + length), 0);
    return measured;
  }

  /** Piece by piece, with turns for others, should it be read where there are any. */
  async #inPieces(): Promise<boolean> {
    const { library, control, read } = this.#means;
    for (const [index, { start, length, dataStart, bytes, from }] of this.#members.entries()) {
      const measured = new MeasuredMember(dataStart, bytes, new KeptEnds(this.#ends.subarray(from), bytes));
      library.begin((chunk) => measured.take(chunk));
      for (let at = 0; at < length; at += pieceBytes) {
        const piece = control.isCancelled() ? undefined : read(this.#job.offset + start + at, Math.min(pieceBytes, length - at), false);
        if (piece === undefined) return false;
        measured.expect(piece, at);
        await library.write(piece);
        await measured.settled();
        control.passed(piece.byteLength);
        await new Promise<void>((resume) => setImmediate(resume));
      }
      this.#tell(index, measured, await library.end(), true);
    }
    return true;
  }

  #tell(index: number, measured: MeasuredMember, seen: SeenMember | undefined, inPieces = false): void {
    const member = this.#members[index];
    if (member === undefined || seen === undefined) return;
    this.#seen.push(seen);
    const isWhole = this.#job.whole && !inPieces;
    const from = isWhole ? member.start + member.dataStart : member.from;
    const headEnd = from + (isWhole ? member.bytes : member.head);
    this.#facts.set([measured.isSame ? 1 : 0, from, headEnd, headEnd + (isWhole ? 0 : member.tail)], index * 4);
    this.#sha256 += measured.digest();
  }
}

/** Where a member stands behind the first one, and its ends among those that are kept. */
interface Member {
  readonly start: number;
  readonly length: number;
  readonly dataStart: number;
  readonly bytes: number;
  readonly from: number;
  readonly head: number;
  readonly tail: number;
}

function membersOf(numbers: Float64Array): readonly Member[] {
  const members: Member[] = [];
  let start = 0;
  let from = 0;
  for (let at = 0; at < numbers.length; at += 3) {
    const [length = 0, dataStart = 0, bytes = 0] = numbers.subarray(at, at + 3);
    const { head, tail } = keptOf(bytes);
    members.push({ start, length, dataStart, bytes, from, head, tail });
    start += length;
    from += head + tail;
  }
  return members;
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
