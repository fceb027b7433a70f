import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkRange, memorySource, type ByteSource } from "@rea/core";
import type { OpenedSource } from "../format.js";
import { inFile } from "../reading/file-runs.js";
import { readExactly } from "./host-file.js";

const inMemoryBytes = 4 * 1024 * 1024;

/**
 * Keeps a streamed content for random access: up to 4 MiB in memory, more in a private temporary file whose name is
 * removed as soon as it is open, so that nothing is left behind even when the process is killed (where the host does not
 * allow that, the name goes with `close`).
 */
export class Spool {
  #pieces: Uint8Array[] = [];
  #size = 0;
  #file: TemporaryFile | undefined;

  write(piece: Uint8Array): void {
    if (this.#file === undefined && this.#size + piece.byteLength > inMemoryBytes) this.#moveToFile();
    if (this.#file === undefined) this.#pieces.push(Uint8Array.prototype.slice.call(piece));
    else this.#file.append(piece);
    this.#size += piece.byteLength;
  }

  /** What was written. Valid until `close`. */
  source(): OpenedSource {
    const source: ByteSource = this.#file ?? memorySource(Buffer.concat(this.#pieces));
    const opened = { size: source.size, read: (offset: number, length: number) => source.read(offset, length), close: () => this.close() };
    return this.#file === undefined ? opened : inFile(opened, { handle: this.#file.handle, runs: [{ from: 0, length: source.size }] });
  }

  close(): void {
    this.#file?.close();
    this.#pieces = [];
  }

  #moveToFile(): void {
    this.#file = new TemporaryFile();
    for (const piece of this.#pieces) this.#file.append(piece);
    this.#pieces = [];
  }
}

class TemporaryFile implements ByteSource {
  readonly #directory: string;
  readonly handle: number;
  #size = 0;
  #open = true;
  #named = true;

  constructor() {
    this.#directory = mkdtempSync(join(tmpdir(), "rea-spool-"));
    this.handle = openSync(join(this.#directory, "content"), "wx+", 0o600);
    if (process.platform !== "win32") this.#removeName();
  }

  get size(): number {
    return this.#size;
  }

  append(piece: Uint8Array): void {
    for (let done = 0; done < piece.byteLength; ) {
      done += writeSync(this.handle, piece, done, piece.byteLength - done, this.#size + done);
    }
    this.#size += piece.byteLength;
  }

  read(offset: number, length: number): Uint8Array {
    checkRange(offset, length, this.#size);
    return readExactly(this.handle, offset, length);
  }

  close(): void {
    if (this.#open) closeSync(this.handle);
    this.#open = false;
    this.#removeName();
  }

  #removeName(): void {
    if (this.#named) rmSync(this.#directory, { recursive: true, force: true });
    this.#named = false;
  }
}
