import { checkRange } from "@rea/core";

import { decodeName } from "../name-text.js";
import type { BindTarget, Fixup, FixupSink } from "./fixups.js";
import { LebCursor } from "./leb128.js";
import type { DataRange, MachOFile } from "./macho-file.js";
import { decodePointer } from "./chained-pointer.js";
import type { MachSegment } from "./segments.js";

export type BindStream = "bind" | "weak-bind" | "lazy-bind";

const arm64e = 1;

/**
 * Runs `BIND_OPCODE_*` (`mach-o/loader.h`) and adds a fix-up per bound pointer, at most the limit in all. In the lazy
 * stream every entry ends with `DONE`, so it runs to the end of its data.
 */
export function runBindOpcodes(file: MachOFile, stream: BindStream, range: DataRange, sink: FixupSink): void {
  new BindMachine(file, stream, range, sink).run();
}

class BindMachine {
  readonly #file: MachOFile;
  readonly #stream: BindStream;
  readonly #cursor: LebCursor;
  readonly #items: Fixup[];
  readonly #limit: number;
  readonly #step: bigint;
  #segment: MachSegment | undefined;
  #offset = 0n;
  #ordinal = 0;
  #name = "";
  #nameOffset = 0;
  #weak = false;
  #addend = 0n;
  /** Threaded images list their binds first and then walk chains of pointers that index the list. */
  #threaded: BindTarget[] | undefined;

  constructor(file: MachOFile, stream: BindStream, range: DataRange, { items, limit }: FixupSink) {
    this.#file = file;
    this.#stream = stream;
    this.#cursor = new LebCursor(file.reader, range.offset, range.offset + range.size);
    this.#items = items;
    this.#limit = limit;
    this.#step = BigInt(file.pointerSize);
  }

  run(): void {
    while (!this.#cursor.done) {
      const byte = this.#cursor.u8();
      const opcode = byte >> 4;
      if (opcode === 0 && this.#stream !== "lazy-bind") return;
      if (opcode < 8) this.#set(opcode, byte & 0xf);
      else this.#act(opcode, byte & 0xf);
    }
  }

  #set(opcode: number, immediate: number): void {
    const cursor = this.#cursor;
    switch (opcode) {
      case 0x1:
        this.#ordinal = immediate;
        break;
      case 0x2:
        this.#ordinal = cursor.count();
        break;
      case 0x3:
        // Sign-extended from 4 bits: 0, -1, -2, -3.
        this.#ordinal = immediate === 0 ? 0 : immediate - 16;
        break;
      case 0x4:
        this.#nameOffset = cursor.offset;
        this.#name = decodeName(cursor.cstring());
        this.#weak = (immediate & 1) !== 0;
        break;
      case 0x6:
        this.#addend = cursor.sleb();
        break;
      case 0x7:
        this.#segment = this.#file.segments[immediate];
        this.#offset = cursor.uleb();
        break;
      default:
        // 0: end of one lazy entry; 5: pointer type, always pointer in practice.
        break;
    }
  }

  #act(opcode: number, immediate: number): void {
    const cursor = this.#cursor;
    switch (opcode) {
      case 0x8:
        this.#advance(cursor.uleb());
        break;
      case 0x9:
        this.#bind(1, 0n);
        break;
      case 0xa:
        this.#bind(1, cursor.uleb());
        break;
      case 0xb:
        this.#bind(1, BigInt(immediate) * this.#step);
        break;
      case 0xc:
        this.#bind(cursor.count(), cursor.uleb());
        break;
      case 0xd:
        this.#thread(immediate);
        break;
      default:
        checkRange(cursor.offset, Infinity, cursor.end);
    }
  }

  #advance(delta: bigint): void {
    this.#offset = BigInt.asUintN(64, this.#offset + delta);
  }

  #bind(times: number, skip: bigint): void {
    for (let index = 0; index < times; index += 1) {
      const bind = this.#target();
      if (this.#threaded !== undefined) {
        this.#threaded.push(bind);
        return;
      }
      this.#add({ va: this.#va(), type: this.#stream, target: undefined, bind });
      this.#advance(this.#step + skip);
    }
  }

  #target(): BindTarget {
    return {
      name: this.#name,
      ordinal: this.#ordinal,
      addend: this.#addend,
      weakImport: this.#weak,
      file: { offset: this.#nameOffset, size: this.#name.length + 1 },
    };
  }

  #va(): bigint {
    const segment = this.#segment;
    if (segment === undefined || this.#offset >= segment.virtualSize) checkRange(this.#cursor.offset, Infinity, this.#cursor.end);
    return (segment?.va ?? 0n) + this.#offset;
  }

  #add(fixup: Fixup): void {
    if (this.#items.length >= this.#limit) checkRange(this.#cursor.offset, Infinity, this.#cursor.end);
    this.#items.push(fixup);
  }

  #thread(action: number): void {
    if (action === 0) {
      this.#cursor.count();
      this.#threaded = [];
      return;
    }
    let next = 1;
    for (let va = this.#va(); next > 0; va += BigInt(next)) {
      const pointer = decodePointer(arm64e, this.#file.reader.u64(this.#file.offsetOf(va, 8)), this.#file.base);
      const bind = pointer.ordinal === undefined ? undefined : this.#threaded?.[pointer.ordinal];
      this.#add({ va, type: pointer.ordinal === undefined ? "threaded-rebase" : "threaded-bind", target: pointer.target, bind });
      next = pointer.next;
    }
  }
}
