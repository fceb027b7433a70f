import { checkRange } from "@rea/core";

import type { Fixup, FixupSink } from "./fixups.js";
import { LebCursor } from "./leb128.js";
import type { DataRange, MachOFile } from "./macho-file.js";
import type { MachSegment } from "./segments.js";

const typeNames: readonly string[] = ["rebase", "rebase-pointer", "rebase-text-absolute32", "rebase-text-pcrel32"];

/** Runs `REBASE_OPCODE_*` (`mach-o/loader.h`) and adds a fix-up per rebased pointer, at most the limit in all. */
export function runRebaseOpcodes(file: MachOFile, range: DataRange, { items, limit }: FixupSink): void {
  const cursor = new LebCursor(file.reader, range.offset, range.offset + range.size);
  const step = BigInt(file.pointerSize);
  let type = 1;
  let segment: MachSegment | undefined;
  let offset = 0n;
  const rebase = (times: number, skip: bigint): void => {
    for (let index = 0; index < times; index += 1) {
      if (items.length >= limit) checkRange(cursor.offset, Infinity, cursor.end);
      items.push(rebaseAt(file, segment, offset, typeNames[type] ?? "rebase"));
      offset = BigInt.asUintN(64, offset + step + skip);
    }
  };
  while (!cursor.done) {
    const byte = cursor.u8();
    const immediate = byte & 0xf;
    switch (byte >> 4) {
      case 0x0:
        return;
      case 0x1:
        type = immediate;
        break;
      case 0x2:
        segment = file.segments[immediate];
        offset = cursor.uleb();
        break;
      case 0x3:
        offset = BigInt.asUintN(64, offset + cursor.uleb());
        break;
      case 0x4:
        offset += BigInt(immediate) * step;
        break;
      case 0x5:
        rebase(immediate, 0n);
        break;
      case 0x6:
        rebase(cursor.count(), 0n);
        break;
      case 0x7:
        rebase(1, cursor.uleb());
        break;
      case 0x8:
        rebase(cursor.count(), cursor.uleb());
        break;
      default:
        checkRange(cursor.offset, Infinity, cursor.end);
    }
  }
}

function rebaseAt(file: MachOFile, segment: MachSegment | undefined, offset: bigint, type: string): Fixup {
  if (segment === undefined || offset >= segment.virtualSize) checkRange(segment?.headerOffset ?? 0, Infinity, file.reader.size);
  const va = (segment?.va ?? 0n) + offset;
  const place = file.place(va);
  const held = place !== undefined && place.available >= file.pointerSize ? file.pointerAt(place.offset) : undefined;
  return { va, type, target: held, bind: undefined };
}
