import { createHash } from "node:crypto";
import { closeSync, fdatasync, read, readSync, write, writeSync } from "node:fs";
import { promisify } from "node:util";
import { sha256Hex } from "@rea/core";

const makeDurable = promisify(fdatasync);
const readAt = promisify(read);
const writeAt = promisify(write);

/** Up to here a call that waits costs less than one that does not, and holds nobody up. */
const atOnceBytes = 64 * 1024;
const readBackBytes = 256 * 1024;
/** What was just written is read back from memory. */
const readBackAtOnceBytes = 1024 * 1024;
/** For files that are read back at once, one after another. */
let room = Buffer.alloc(0);

/** A file of an extraction that is being written, then proven. */
export class OutputFile {
  readonly #handle: number;
  #bytes = 0;
  #open = true;

  /** Takes the handle over. */
  constructor(handle: number) {
    this.#handle = handle;
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  async write(piece: Uint8Array): Promise<void> {
    for (let done = 0; done < piece.byteLength; ) {
      const left = piece.byteLength - done;
      const written =
        left <= atOnceBytes ? writeSync(this.#handle, piece, done, left, this.#bytes) : (await writeAt(this.#handle, piece, done, left, this.#bytes)).bytesWritten;
      done += written;
      this.#bytes += written;
    }
  }

  /** Makes what was written durable, reads it back through the same handle, and tells its SHA-256. Closes the file. */
  async seal(): Promise<string> {
    try {
      await makeDurable(this.#handle);
      return this.#bytes <= readBackAtOnceBytes ? this.#digestAtOnce() : await this.#digest();
    } finally {
      this.close();
    }
  }

  close(): void {
    if (this.#open) closeSync(this.#handle);
    this.#open = false;
  }

  /** One byte more is asked for than was written, so that a file that grew is another. */
  #digestAtOnce(): string {
    const wanted = this.#bytes + 1;
    if (room.byteLength < wanted) room = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * room.byteLength));
    let filled = 0;
    for (let count = -1; count !== 0 && filled < wanted; filled += count) {
      count = readSync(this.#handle, room, filled, wanted - filled, filled);
    }
    return sha256Hex(room.subarray(0, filled));
  }

  async #digest(): Promise<string> {
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(readBackBytes);
    for (let position = 0; ; ) {
      const { bytesRead } = await readAt(this.#handle, buffer, 0, readBackBytes, position);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
      position += bytesRead;
    }
  }
}
