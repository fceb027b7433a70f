import { brokenData } from "../../codecs/broken-data.js";
import { mainOutput, readFolder, type Folder } from "./folder.js";
import { HeaderBytes } from "./header-bytes.js";

/** Property numbers of 7z headers. */
export const property = {
  end: 0,
  header: 1,
  archiveProperties: 2,
  additionalStreams: 3,
  mainStreams: 4,
  files: 5,
  packInfo: 6,
  unpackInfo: 7,
  substreams: 8,
  size: 9,
  crc: 10,
  folder: 11,
  unpackSize: 12,
  substreamCount: 13,
  emptyStream: 14,
  emptyFile: 15,
  anti: 16,
  names: 17,
  attributes: 21,
  encodedHeader: 23,
  padding: 25,
} as const;

/** Where a folder's record and sizes stand. Records are kept as bytes: there may be a million of them. */
interface FolderPlace {
  readonly record: number;
  readonly firstPacked: number;
  readonly firstOutput: number;
}

/** The contents of members inside one folder, in order. */
export interface FolderMembers {
  readonly first: number;
  readonly count: number;
}

/** Packed streams of an archive, what decodes them, and where the contents of members end in them. */
export class Streams {
  /** Bytes from behind the signature header to the first packed stream. */
  packOffset = 0;
  packSizes: number[] = [];
  packDigests: Float64Array = new Float64Array(0);
  /** Of each output stream of each folder. */
  outputSizes: number[] = [];
  folderDigests: Float64Array = new Float64Array(0);
  /** Size and CRC-32 (−1: none) of each member's content. */
  memberSizes: number[] = [];
  memberDigests: number[] = [];
  readonly #header: HeaderBytes;
  readonly #places: FolderPlace[] = [];
  /** Of each folder, the contents before it. */
  #before: number[] = [];
  /** Where each packed stream starts, and where the last one ends. */
  #packStarts: number[] = [0];

  constructor(header: HeaderBytes) {
    this.#header = header;
    this.#read();
  }

  get folderCount(): number {
    return this.#places.length;
  }

  folder(index: number): Folder {
    const header = new HeaderBytes(this.#header.bytes);
    header.at = this.#place(index).record;
    return readFolder(header);
  }

  /** Number of the folder's first packed stream. */
  firstPacked(index: number): number {
    return this.#place(index).firstPacked;
  }

  /** Where a packed stream starts, counted from behind the signature header. */
  packStart(packed: number): number {
    return this.#packStarts[packed] ?? Number.POSITIVE_INFINITY;
  }

  outputSize(index: number, output: number): number {
    return this.outputSizes[this.#place(index).firstOutput + output] ?? 0;
  }

  members(index: number): FolderMembers {
    const first = this.#before[index] ?? 0;
    return { first, count: (this.#before[index + 1] ?? first) - first };
  }

  #place(index: number): FolderPlace {
    const place = this.#places[index];
    if (place === undefined) throw brokenData("A folder of the archive does not exist.");
    return place;
  }

  #read(): void {
    const header = this.#header;
    let id = header.number();
    if (id === property.packInfo) {
      this.#packInfo();
      id = header.number();
    }
    if (id === property.unpackInfo) {
      this.#unpackInfo();
      id = header.number();
    }
    this.#oneMemberEach();
    if (id === property.substreams) {
      this.#substreams();
      id = header.number();
    }
    if (id !== property.end) throw brokenData("The list of packed streams does not end where it should.");
  }

  #packInfo(): void {
    const header = this.#header;
    this.packOffset = header.number();
    const count = header.count(8, "packed streams");
    for (let id = header.number(); id !== property.end; id = header.number()) {
      if (id === property.size) this.packSizes = Array.from({ length: count }, () => header.number());
      else if (id === property.crc) this.packDigests = header.digests(count);
      else header.take(header.number());
    }
    if (this.packSizes.length !== count) throw brokenData("The sizes of the packed streams are missing.");
    this.#packStarts = [this.packOffset];
    for (const [index, size] of this.packSizes.entries()) this.#packStarts.push((this.#packStarts[index] ?? 0) + size);
  }

  #unpackInfo(): void {
    const header = this.#header;
    if (header.number() !== property.folder) throw brokenData("The list of folders does not start where it should.");
    const count = header.count(16, "folders");
    if (header.byte() !== 0) throw brokenData("The list of folders lies in a stream of its own, which no writer does.");
    let firstPacked = 0;
    let firstOutput = 0;
    for (let index = 0; index < count; index += 1) {
      this.#places.push({ record: header.at, firstPacked, firstOutput });
      const { coders, packed } = readFolder(header);
      firstPacked += packed.length;
      firstOutput += coders.reduce((total, { outputs }) => total + outputs, 0);
    }
    if (firstPacked > this.packSizes.length) throw brokenData("The folders want more packed streams than there are.");
    for (let id = header.number(); id !== property.end; id = header.number()) {
      if (id === property.unpackSize) this.outputSizes = Array.from({ length: firstOutput }, () => header.number());
      else if (id === property.crc) this.folderDigests = header.digests(count);
      else header.take(header.number());
    }
    if (this.outputSizes.length !== firstOutput) throw brokenData("The sizes of the folders are missing.");
  }

  /** The plain size of a folder. */
  plainSize(index: number): number {
    return this.outputSize(index, mainOutput(this.folder(index)));
  }

  #oneMemberEach(): void {
    this.#before = Array.from({ length: this.folderCount + 1 }, (_, index) => index);
    this.memberSizes = this.#places.map((_, index) => this.plainSize(index));
    this.memberDigests = this.#places.map((_, index) => this.folderDigests[index] ?? -1);
  }

  #substreams(): void {
    const header = this.#header;
    const counts = this.#places.map(() => 1);
    let id = header.number();
    if (id === property.substreamCount) {
      for (let index = 0; index < counts.length; index += 1) counts[index] = header.number();
      id = header.number();
    }
    // All sizes of a folder but the last are listed.
    const listed = counts.reduce((total, count) => total + Math.max(0, count - 1), 0);
    if (listed > header.left) throw brokenData(`The archive's header claims ${String(listed)} contents, for which it has no room.`);
    this.#sizes(counts, id === property.size);
    if (id === property.size) id = header.number();
    this.#digests(counts, id);
  }

  #sizes(counts: readonly number[], given: boolean): void {
    const sizes: number[] = [];
    this.#before = [0];
    for (const [index, count] of counts.entries()) {
      let left = this.plainSize(index);
      if (count > 1 && !given) throw brokenData("The sizes of contents inside a folder are missing.");
      for (let member = 1; member < count; member += 1) {
        const size = this.#header.number();
        if (size > left) throw brokenData("The contents of a folder are larger than the folder.");
        sizes.push(size);
        left -= size;
      }
      if (count > 0) sizes.push(left);
      this.#before.push(sizes.length);
    }
    this.memberSizes = sizes;
  }

  /** CRC-32 values of contents whose folder's own value is not theirs already. */
  #digests(counts: readonly number[], first: number): void {
    const header = this.#header;
    const own = counts.map((count, index) => (count === 1 ? (this.folderDigests[index] ?? -1) : -1));
    const missing = counts.reduce((total, count, index) => total + (count === 1 && (own[index] ?? -1) >= 0 ? 0 : count), 0);
    let given: Float64Array | undefined;
    for (let id = first; id !== property.end; id = header.number()) {
      if (id === property.crc) given = header.digests(missing);
      else header.take(header.number());
    }
    let at = 0;
    this.memberDigests = [];
    for (const [index, count] of counts.entries()) {
      const known = own[index] ?? -1;
      for (let member = 0; member < count; member += 1) {
        this.memberDigests.push(known >= 0 ? known : (given?.[at] ?? -1));
        if (known < 0) at += 1;
      }
    }
  }
}
