import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

type Place =
  | { readonly kind: "memory"; readonly text: string; readonly bytes: number }
  | { readonly kind: "file"; readonly offset: number; readonly bytes: number };

interface SpillFile {
  readonly descriptor: number;
  /** Null when the name is already gone and the file lives only as long as this process holds it. */
  readonly path: string | null;
  end: number;
}

/**
 * Texts by key, the newest ones in memory and older ones in a file of this process (mode 0600), so that memory stays
 * bounded. Nothing is lost on the way: a text reads back as it was put. Close it to release the file.
 */
export class SpillStore {
  readonly #places = new Map<string, Place>();
  readonly #memoryBytes: number;
  readonly #directory: string;
  #file: SpillFile | null = null;
  #inMemory = 0;
  #bytes = 0;

  constructor(options: { readonly memoryBytes: number; readonly directory: string }) {
    this.#memoryBytes = options.memoryBytes;
    this.#directory = options.directory;
  }

  /** UTF-8 bytes of all texts. */
  get bytes(): number {
    return this.#bytes;
  }

  get spilledBytes(): number {
    return this.#bytes - this.#inMemory;
  }

  get size(): number {
    return this.#places.size;
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  /** Keys in the order they were first put. */
  keys(): IterableIterator<string> {
    return this.#places.keys();
  }

  bytesOf(key: string): number {
    return this.#places.get(key)?.bytes ?? 0;
  }

  /** Adds a text; a key that is there keeps its text. */
  put(key: string, text: string): void {
    if (this.#places.has(key)) return;
    const bytes = Buffer.byteLength(text);
    this.#places.set(key, { kind: "memory", text, bytes });
    this.#inMemory += bytes;
    this.#bytes += bytes;
    if (this.#inMemory > this.#memoryBytes) this.#spill();
  }

  get(key: string): string | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    return place.kind === "memory" ? place.text : this.#read(place.offset, place.bytes);
  }

  /** Forgets everything and gives the file back. The store can be used again. */
  clear(): void {
    this.#places.clear();
    this.#inMemory = 0;
    this.#bytes = 0;
    if (this.#file === null) return;
    closeSync(this.#file.descriptor);
    if (this.#file.path !== null) rmSync(this.#file.path, { force: true });
    this.#file = null;
  }

  /** Moves the oldest texts out until half of the memory is free again. */
  #spill(): void {
    for (const [key, place] of this.#places) {
      if (this.#inMemory <= this.#memoryBytes / 2) return;
      if (place.kind === "memory") this.#places.set(key, this.#write(place.text, place.bytes));
    }
  }

  #write(text: string, bytes: number): Place {
    this.#file ??= openSpillFile(this.#directory);
    const offset = this.#file.end;
    const buffer = Buffer.from(text);
    for (let done = 0; done < bytes; ) {
      done += writeSync(this.#file.descriptor, buffer, done, bytes - done, offset + done);
    }
    this.#file.end += bytes;
    this.#inMemory -= bytes;
    return { kind: "file", offset, bytes };
  }

  #read(offset: number, bytes: number): string {
    if (this.#file === null) throw new Error("The spill file is closed.");
    const buffer = Buffer.allocUnsafe(bytes);
    for (let done = 0; done < bytes; ) {
      const count = readSync(this.#file.descriptor, buffer, done, bytes - done, offset + done);
      if (count === 0) throw new Error("The spill file is shorter than what was written to it.");
      done += count;
    }
    return buffer.toString("utf8");
  }
}

function openSpillFile(directory: string): SpillFile {
  const path = join(directory, `rea-ledger-${randomUUID()}`);
  const descriptor = openSync(path, "wx+", 0o600);
  // Where the system lets an open file lose its name, nothing stays behind even after a crash.
  if (process.platform === "win32") return { descriptor, path, end: 0 };
  rmSync(path);
  return { descriptor, path: null, end: 0 };
}
