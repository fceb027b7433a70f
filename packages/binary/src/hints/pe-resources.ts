import type { ByteReader, ByteSource } from "@rea/core";
import type { FileRange } from "../image.js";
import { PeFile } from "../pe/pe-file.js";

const mostResources = 4096;
const mostDirectories = 1024;
const longestName = 256;
const levels = 3;
const nested = 0x8000_0000;

/** A resource of a PE file: by type, name and language (PE/COFF §6.9). */
export interface PeResource {
  /** Numbers as decimal text. */
  readonly type: string;
  readonly name: string;
  readonly file: FileRange;
}

/** Resources whose data is in the file, in the directory's order; directories that lead back are passed over. */
export function peResources(source: ByteSource): readonly PeResource[] {
  const file = new PeFile(source);
  const directory = file.directory("resources");
  const base = directory === undefined ? undefined : file.place(directory.rva)?.offset;
  return base === undefined ? [] : new ResourceWalk(file, base).resources();
}

class ResourceWalk {
  readonly #file: PeFile;
  readonly #reader: ByteReader;
  readonly #base: number;
  readonly #seen = new Set<number>();
  readonly #found: PeResource[] = [];

  constructor(file: PeFile, base: number) {
    this.#file = file;
    this.#reader = file.reader;
    this.#base = base;
  }

  resources(): readonly PeResource[] {
    this.#directory(0, []);
    return this.#found;
  }

  #directory(offset: number, path: readonly string[]): void {
    const at = this.#base + offset;
    if (this.#seen.has(offset) || this.#seen.size >= mostDirectories || !this.#holds(at, 16)) return;
    this.#seen.add(offset);
    const count = this.#reader.u16(at + 12) + this.#reader.u16(at + 14);
    for (let index = 0; index < count && this.#found.length < mostResources; index += 1) {
      const entry = at + 16 + index * 8;
      if (!this.#holds(entry, 8)) return;
      this.#entry(this.#reader.u32(entry + 4), [...path, this.#name(this.#reader.u32(entry))]);
    }
  }

  #entry(target: number, path: readonly string[]): void {
    if (target >= nested) {
      if (path.length < levels) this.#directory(target - nested, path);
      return;
    }
    const at = this.#base + target;
    if (!this.#holds(at, 8)) return;
    const place = this.#file.place(this.#reader.u32(at));
    const size = Math.min(this.#reader.u32(at + 4), place?.available ?? 0);
    if (place !== undefined && size > 0 && this.#holds(place.offset, size)) this.#found.push({ type: path[0] ?? "", name: path[1] ?? "", file: { offset: place.offset, size } });
  }

  /** An id, or the offset of a counted name of 16-bit units. */
  #name(id: number): string {
    if (id < nested) return String(id);
    const at = this.#base + (id - nested);
    if (!this.#holds(at, 2)) return "";
    const length = Math.min(this.#reader.u16(at), longestName) * 2;
    return this.#holds(at + 2, length) ? Buffer.from(this.#reader.bytes(at + 2, length)).toString("utf16le") : "";
  }

  #holds(offset: number, length: number): boolean {
    return offset >= 0 && offset + length <= this.#reader.size;
  }
}
