import { address, checkRange, type ByteReader } from "@rea/core";
import { isFormatError, type Findings } from "../findings.js";
import type { UnwindRange } from "../image.js";
import { advance, omittedPointer, readNumber, readPointer, readUnsigned, type Cursor, type PointerBases } from "./encoded-pointer.js";

/** One call-frame section (DWARF §6.4; LSB: "Exception Frames"). */
export interface CallFrameSection {
  readonly reader: ByteReader;
  readonly kind: "eh_frame" | "debug_frame";
  readonly offset: number;
  readonly size: number;
  /** Address of the first byte; pc-relative pointers count from here. */
  readonly va: bigint;
  readonly bits: 32 | 64;
  /** Bases for text- and data-relative pointers, where the platform defines them. */
  readonly textBase?: bigint;
  readonly dataBase?: bigint;
}

interface CommonInformation {
  readonly addressEncoding: number;
  readonly lsdaEncoding: number;
  readonly augmented: boolean;
  readonly signalFrame: boolean;
}

interface Entry {
  /** Offset behind the length field. */
  readonly body: number;
  readonly end: number;
  readonly idSize: 4 | 8;
}

const scope = "unwind ranges";
const longestAugmentation = 32;
const maximumRanges = 2_000_000;

/** Every frame description of the section, in order. Entries that cannot be read are noted and skipped. */
export function readCallFrames(section: CallFrameSection, findings: Findings): readonly UnwindRange[] {
  const frames = new CallFrameReader(section);
  const found: UnwindRange[] = [];
  const end = section.offset + section.size;
  let at = section.offset;
  while (at + 4 <= end) {
    const entry = frames.entryAt(at);
    if (entry === undefined) {
      findings.malformed(scope, at, "an entry is longer than its section");
      return found;
    }
    const range = entry.end === entry.body ? undefined : readable(frames, entry, at, findings);
    if (range !== undefined) found.push(range);
    at = entry.end;
    if (found.length < maximumRanges) continue;
    findings.limited(scope, "limit_items", 1, maximumRanges);
    return found;
  }
  return found;
}

/** The frame description whose entry starts at `offset`, as an index such as `.eh_frame_hdr` names it. */
export function readFrameAt(frames: CallFrameReader, offset: number, findings: Findings): UnwindRange | undefined {
  const entry = frames.entryAt(offset);
  if (entry !== undefined) return readable(frames, entry, offset, findings);
  findings.malformed(scope, offset, "an entry is longer than its section");
  return undefined;
}

function readable(frames: CallFrameReader, entry: Entry, at: number, findings: Findings): UnwindRange | undefined {
  try {
    return frames.range(entry);
  } catch (error) {
    if (!isFormatError(error)) throw error;
    findings.malformed(scope, at, "a frame description cannot be read");
    return undefined;
  }
}

/** Reads entries of one section; common information is read once for all frames that share it. */
export class CallFrameReader {
  readonly #section: CallFrameSection;
  readonly #bases: PointerBases;
  readonly #common = new Map<number, CommonInformation | undefined>();

  constructor(section: CallFrameSection) {
    this.#section = section;
    this.#bases = {
      vaOf: (offset) => section.va + BigInt(offset - section.offset),
      bits: section.bits,
      text: section.textBase ?? 0n,
      data: section.dataBase ?? 0n,
    };
  }

  /** The entry's extent, empty for a terminator; undefined when its length leaves the section. */
  entryAt(offset: number): Entry | undefined {
    const { reader } = this.#section;
    const end = this.#section.offset + this.#section.size;
    if (offset < this.#section.offset || offset + 4 > end) return undefined;
    const short = reader.u32(offset);
    if (short !== 0xffffffff) {
      const body = offset + 4;
      return body + short <= end ? { body, end: body + short, idSize: 4 } : undefined;
    }
    if (offset + 12 > end) return undefined;
    const body = offset + 12;
    const length = reader.u64(offset + 4);
    return length <= BigInt(end - body) ? { body, end: body + Number(length), idSize: 8 } : undefined;
  }

  /** The code range of a frame description; undefined for common information and empty ranges. */
  range(entry: Entry): UnwindRange | undefined {
    const { reader, kind, bits } = this.#section;
    const cursor: Cursor = { reader, at: entry.body, end: entry.end };
    const id = readNumber(cursor, entry.idSize === 8 ? 4 : 3, bits);
    if (this.#isCommon(id, entry.idSize)) return undefined;
    const common = this.#commonAt(kind === "eh_frame" ? BigInt(entry.body) - id : BigInt(this.#section.offset) + id);
    if (common === undefined) return undefined;
    const start = readPointer(cursor, common.addressEncoding, this.#bases);
    const length = BigInt.asUintN(bits, readNumber(cursor, common.addressEncoding & 15, bits));
    if (length === 0n || start + length > 1n << BigInt(bits)) return undefined;
    // The range of a signal frame begins a byte early, so that the address before the handler's return is inside.
    const early = common.signalFrame && (start + 1n) % 16n === 0n ? 1n : 0n;
    const lsda = common.augmented ? this.#landingPads(cursor, common.lsdaEncoding) : 0n;
    return {
      start: address(start + early),
      end: address(BigInt.asUintN(64, start + length)),
      source: kind,
      primary: undefined,
      lsda: lsda === 0n ? undefined : address(lsda),
    };
  }

  #isCommon(id: bigint, idSize: 4 | 8): boolean {
    if (this.#section.kind === "eh_frame") return id === 0n;
    return id === (idSize === 8 ? 0xffff_ffff_ffff_ffffn : 0xffff_ffffn);
  }

  #landingPads(cursor: Cursor, encoding: number): bigint {
    readUnsigned(cursor);
    // An indirect pointer names a cell that the loader fills, not the table itself.
    return encoding === omittedPointer || (encoding & 0x80) !== 0 ? 0n : readPointer(cursor, encoding, this.#bases);
  }

  #commonAt(place: bigint): CommonInformation | undefined {
    if (place < 0n || place > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
    const offset = Number(place);
    if (this.#common.has(offset)) return this.#common.get(offset);
    const entry = this.entryAt(offset);
    const common = entry === undefined || entry.end === entry.body ? undefined : this.#readCommon(entry);
    this.#common.set(offset, common);
    return common;
  }

  #readCommon(entry: Entry): CommonInformation {
    const { reader, bits } = this.#section;
    const cursor: Cursor = { reader, at: entry.body + entry.idSize, end: entry.end };
    const version = reader.u8(advance(cursor, 1));
    const augmentation = this.#augmentation(cursor);
    if (augmentation === "eh") advance(cursor, bits / 8);
    if (version >= 4) advance(cursor, 2);
    readUnsigned(cursor);
    readUnsigned(cursor);
    if (version === 1) advance(cursor, 1);
    else readUnsigned(cursor);
    const plain = { addressEncoding: 0, lsdaEncoding: omittedPointer, augmented: false, signalFrame: false };
    if (!augmentation.startsWith("z")) return plain;
    readUnsigned(cursor);
    return { ...plain, augmented: true, ...this.#encodings(cursor, augmentation.slice(1)) };
  }

  #augmentation(cursor: Cursor): string {
    let text = "";
    for (let byte = cursor.reader.u8(advance(cursor, 1)); byte !== 0; byte = cursor.reader.u8(advance(cursor, 1))) {
      text += String.fromCharCode(byte);
      // Known ones have at most six letters; an endless one would be read again for every frame that names it.
      if (text.length > longestAugmentation) checkRange(cursor.at, Number.POSITIVE_INFINITY, cursor.end);
    }
    return text;
  }

  #encodings(cursor: Cursor, letters: string): Partial<CommonInformation> {
    let found: Partial<CommonInformation> = {};
    for (const letter of letters) {
      if (letter === "R") found = { ...found, addressEncoding: cursor.reader.u8(advance(cursor, 1)) };
      else if (letter === "L") found = { ...found, lsdaEncoding: cursor.reader.u8(advance(cursor, 1)) };
      else if (letter === "P") readPointer(cursor, cursor.reader.u8(advance(cursor, 1)), this.#bases);
      else if (letter === "S") found = { ...found, signalFrame: true };
      else if (letter !== "B" && letter !== "G") return found;
    }
    return found;
  }
}
