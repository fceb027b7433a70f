import { hash } from "node:crypto";
import { readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { inflatedExactly } from "./inflate-exactly.js";
import { contentStates, type JobControl, type SlicesAnswer, type SlicesJob } from "./reading-job.js";
import { Scratch } from "./scratch.js";

const noDigest = "0".repeat(64);
const packed = new Scratch();
const plain = new Scratch();

/** Reads contents that lie near one another with one call where that wastes little. */
export function readSlices({ handle, slices, crc32: wantsCrc }: SlicesJob, control: JobControl): SlicesAnswer | undefined {
  const count = slices.length / 3;
  const facts = new Float64Array(count * 2);
  const sums = new Uint32Array(wantsCrc ? count : 0);
  const at = spanReader(handle, slices);
  let sha256 = "";
  plain.clear();
  for (let index = 0; index < count; index += 1) {
    if (control.isCancelled()) return undefined;
    const stored = at(slices[index * 3] ?? 0, slices[index * 3 + 1] ?? 0);
    const content = stored === undefined ? undefined : contentOf(stored, slices[index * 3 + 2] ?? -1);
    facts[index * 2] = content === undefined ? contentStates.failed : contentStates.read;
    sha256 += content === undefined ? noDigest : hash("sha256", content, "hex");
    if (content !== undefined) {
      plain.room(content.byteLength).set(content);
      plain.keep(content.byteLength);
      if (wantsCrc) sums[index] = crc32(content);
      control.passed(content.byteLength);
    }
    facts[index * 2 + 1] = plain.filled;
  }
  return { kind: "slices", contents: plain.take(), facts, sha256, crc32: sums };
}

function contentOf(stored: Uint8Array, plainBytes: number): Uint8Array | undefined {
  return plainBytes < 0 ? stored : inflatedExactly(stored, plainBytes);
}

type SliceReader = (offset: number, length: number) => Uint8Array | undefined;

/** A gap that costs less to read than a call. */
const cheapGapBytes = 16 * 1024;

/** Reads everything at once when the contents stand one behind the other with small gaps. */
function spanReader(handle: number, slices: Float64Array): SliceReader {
  let end = -1;
  let start = 0;
  for (let at = 0; at < slices.length; at += 3) {
    const offset = slices[at] ?? 0;
    if (end < 0) start = offset;
    else if (offset < end || offset - end > cheapGapBytes) return (from, length) => readAt(handle, from, length);
    end = offset + (slices[at + 1] ?? 0);
  }
  const span = end < 0 ? undefined : readAt(handle, start, end - start);
  // One that is cut short breaks only those that lack bytes.
  if (span === undefined) return (from, length) => readAt(handle, from, length);
  return (offset, length) => span.subarray(offset - start, offset - start + length);
}

/** Undefined when the file cannot give them. */
function readAt(handle: number, offset: number, length: number): Uint8Array | undefined {
  packed.clear();
  const bytes = packed.room(length);
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
