import { readSync } from "node:fs";
import { MeasuredMember } from "../reading/tar/measured-member.js";
import { TarStreamPass, type SeenMember } from "../reading/tar/tar-stream-pass.js";
import type { JobControl, TarAnswer, TarJob } from "./reading-job.js";

const pieceBytes = 1024 * 1024;
/** Members that are no more together are read at once. */
const windowBytes = 4 * 1024 * 1024;

/** Bytes of what a job is about, in memory of their own; undefined where they are not to be had. */
export type ReadBytes = (offset: number, length: number) => Uint8Array | undefined;

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
export function readTar(job: TarJob, control: JobControl): Promise<TarAnswer | "failed" | undefined> {
  return streamTar(job, control, (offset, length) => readAt(job.handle, offset, length));
}

interface Means {
  readonly library: TarStreamPass;
  readonly control: JobControl;
  readonly read: ReadBytes;
}

class TarReading {
  readonly #job: TarMembers;
  readonly #means: Means;
  readonly #contents: Uint8Array<ArrayBuffer>;
  readonly #facts: Float64Array<ArrayBuffer>;
  readonly #seen: SeenMember[] = [];
  #kept = 0;
  #sha256 = "";
  #offset: number;

  constructor(job: TarMembers, means: Means) {
    this.#job = job;
    this.#means = means;
    this.#offset = job.offset;
    this.#facts = new Float64Array(job.members.length);
    let kept = 0;
    for (let at = 2; at < job.members.length; at += 3) kept += this.#keptOf(job.members[at] ?? 0);
    this.#contents = new Uint8Array(Buffer.allocUnsafeSlow(kept).buffer);
  }

  async answer(): Promise<TarAnswer | "failed" | undefined> {
    const { members, offset } = this.#job;
    const { control, read } = this.#means;
    let all = 0;
    for (let at = 0; at < members.length; at += 3) all += members[at] ?? 0;
    const window = all <= windowBytes ? read(offset, all) : undefined;
    const bytes: ReadBytes = window === undefined ? read : (from, length) => window.subarray(from - offset, from - offset + length);
    for (let at = 0; at < members.length; at += 3) {
      if (!(await this.#member(at, bytes))) return control.isCancelled() ? undefined : "failed";
    }
    return { kind: "tar", contents: this.#contents, facts: this.#facts, sha256: this.#sha256, seen: this.#seen };
  }

  /** False where bytes are missing, or not wanted any more. */
  async #member(index: number, bytes: ReadBytes): Promise<boolean> {
    const [length = 0, dataStart = 0, size = 0] = this.#job.members.subarray(index, index + 3);
    const { library, control } = this.#means;
    const keptEnd = this.#kept + this.#keptOf(size);
    const measured = new MeasuredMember(dataStart, size, this.#contents.subarray(this.#kept, keptEnd));
    library.begin((chunk) => measured.take(chunk));
    for (let at = 0; at < length; at += pieceBytes) {
      const piece = control.isCancelled() ? undefined : bytes(this.#offset + at, Math.min(pieceBytes, length - at));
      if (piece === undefined) return false;
      measured.expect(piece, at);
      await library.write(piece);
      if (length > pieceBytes) await settledWithTurn(measured);
      control.passed(piece.byteLength);
    }
    this.#seen.push(await library.end());
    this.#kept = keptEnd;
    this.#facts.set([measured.isSame ? 1 : 0, measured.bytes, keptEnd], index);
    this.#sha256 += measured.digest();
    this.#offset += length;
    return true;
  }

  #keptOf(size: number): number {
    const { wholeBytes, headBytes } = this.#job;
    return size <= wholeBytes ? size : Math.min(size, headBytes);
  }
}

/** What is large is read with turns for others, should it be read where there are any. */
async function settledWithTurn(measured: MeasuredMember): Promise<void> {
  await measured.settled();
  await new Promise<void>((resume) => setImmediate(resume));
}

function readAt(handle: number, offset: number, length: number): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafeSlow(length);
  try {
    for (let done = 0; done < length; ) {
      const count = readSync(handle, bytes, done, length - done, offset + done);
      if (count === 0) return undefined;
      done += count;
    }
    return bytes;
  } catch {
    return undefined;
  }
}
