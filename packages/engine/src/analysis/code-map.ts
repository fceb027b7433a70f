import type { CodeBytes, Disassembler, InstructionDecoder } from "../disassembler/disassembler.js";
import { flow } from "../disassembler/flow.js";
import { AddressSet } from "./address-set.js";
import { lastAtOrBelow, type MemoryMap } from "./memory-map.js";

/** One executable range with what decoding has found in it. Offsets count from `start`. */
export interface CodeRegion {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
  /** For each byte: 0, or at the start of an instruction `flow × 16 + length`. */
  readonly marks: Uint8Array;
  /** Starts of straight runs, see `Explorer`. */
  readonly runs: AddressSet;
  /** Targets of direct and resolved jumps: places that control reaches from elsewhere in the function. */
  readonly leaders: AddressSet;
  /** Entries of functions. */
  readonly entries: AddressSet;
  /** First offsets after ranges that an unwind table or symbol size gives to one function. */
  readonly extentEnds: AddressSet;
  /** Instruction starts that a function owns. */
  readonly claimed: AddressSet;
  /** Bytes known to be data: tables and constants that instructions read. Where control leads to them, they are code all the same. */
  readonly data: AddressSet;
  readonly decoder: InstructionDecoder;
}

/** All executable ranges of an image. */
export class CodeMap {
  readonly regions: readonly CodeRegion[];
  readonly alignment: number;
  readonly functionAlignment: number;
  /** VA of RVA 0. */
  readonly base: bigint;
  /** The region the last look-up found; code refers to code near by. */
  #last: CodeRegion | undefined;

  constructor(memory: MemoryMap, disassembler: Disassembler, context: Pick<CodeBytes, "absolute" | "relocated">) {
    this.alignment = disassembler.alignment;
    this.functionAlignment = disassembler.functionAlignment;
    this.base = memory.base;
    this.regions = memory.code.map((range) => {
      const bytes = memory.readFile(range.fileOffset, range.end - range.start);
      const size = bytes.byteLength;
      const data = new AddressSet(size);
      return {
        start: range.start,
        end: range.start + size,
        bytes,
        marks: new Uint8Array(size),
        runs: new AddressSet(size),
        leaders: new AddressSet(size),
        entries: new AddressSet(size),
        extentEnds: new AddressSet(size),
        claimed: new AddressSet(size),
        data,
        decoder: disassembler.open({
          ...context,
          bytes,
          data,
          start: range.start,
          base: memory.base,
          imageSize: memory.size,
        }),
      };
    });
  }

  regionAt(rva: number): CodeRegion | undefined {
    const last = this.#last;
    if (last !== undefined && rva >= last.start && rva < last.end) return last;
    const region = this.regions[lastAtOrBelow(this.regions, rva)];
    if (region === undefined || rva >= region.end) return undefined;
    this.#last = region;
    return region;
  }

  /** True where an instruction may start. */
  isCode(rva: number): boolean {
    return rva % this.alignment === 0 && this.regionAt(rva) !== undefined;
  }

  /** Length of the instruction that starts at the RVA, 0 when none was decoded there. */
  lengthAt(rva: number): number {
    const region = this.regionAt(rva);
    return region === undefined ? 0 : (region.marks[rva - region.start] ?? 0) & 15;
  }

  /** A number of `flow`; meaningful where `lengthAt` is not 0. */
  flowAt(rva: number): number {
    const region = this.regionAt(rva);
    return region === undefined ? flow.sequential : (region.marks[rva - region.start] ?? 0) >>> 4;
  }

  setFlow(rva: number, kind: number): void {
    const region = this.regionAt(rva);
    if (region === undefined) return;
    const mark = region.marks[rva - region.start] ?? 0;
    region.marks[rva - region.start] = (kind << 4) | (mark & 15);
  }

  /** Notes a place that control reaches from elsewhere; ignored outside code. */
  addLeader(rva: number): void {
    const region = this.regionAt(rva);
    if (region !== undefined) region.leaders.add(rva - region.start);
  }

  addExtentEnd(rva: number): void {
    const region = this.regionAt(rva);
    if (region !== undefined) region.extentEnds.add(rva - region.start);
  }

  /** Frees the decoders; marks and sets stay readable. Safe to call twice. */
  close(): void {
    for (const region of this.regions) region.decoder.close();
  }
}
