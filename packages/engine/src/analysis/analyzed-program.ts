import type { BinaryImage } from "@rea/binary";
import type { Disassembler } from "../disassembler/disassembler.js";
import { referenceCode } from "../disassembler/disassembler.js";
import type {
  AnalysisCoverage,
  BasicBlock,
  DecodedInstruction,
  FunctionRecord,
  NameRecord,
  Program,
  Reference,
  StringRecord,
} from "../program.js";
import { basicBlocks, instructionStartsOf, type SwitchTargets } from "./blocks.js";
import type { CodeMap } from "./code-map.js";
import type { MemoryMap } from "./memory-map.js";
import { Neighbours } from "./neighbours.js";
import type { PointerColumns } from "./pointers.js";
import { RangeIndex, type FunctionTable, type NameTable } from "./range-index.js";
import type { ReferenceTable } from "./reference-table.js";
import { RecentResults } from "./recent-results.js";
import { firstAtLeast } from "./sort-order.js";
import type { Seeds } from "./seeds.js";

/** Where imports stand in the image. */
export interface ImportPlaces {
  /** Cells that the loader fills with an import. */
  readonly slots: ReadonlySet<number>;
  /** Those that have a stub: a call through the cell is a call of the stub. */
  readonly stubOfSlot: ReadonlyMap<number, number>;
}

export interface ProgramParts {
  readonly image: BinaryImage;
  readonly memory: MemoryMap;
  readonly code: CodeMap;
  readonly disassembler: Disassembler;
  /** True when a constant in an instruction may be an address, see `CodeBytes`. */
  readonly absolute: boolean;
  readonly pointers: PointerColumns;
  readonly imports: ImportPlaces;
  readonly functions: FunctionTable;
  readonly references: ReferenceTable;
  readonly names: NameTable;
  readonly switches: SwitchTargets;
  readonly strings: () => readonly StringRecord[];
  readonly coverage: AnalysisCoverage;
}

/** Blocks that are kept for the next question about their functions. */
const keptBlocks = 65_536;

/** The program as tables; lists are made when asked for. */
export class AnalyzedProgram implements Program {
  readonly image: BinaryImage;
  readonly base: bigint;
  readonly coverage: AnalysisCoverage;
  /** The tables themselves. */
  readonly parts: ProgramParts;
  readonly #index: RangeIndex;
  #neighbours: Neighbours | undefined;
  #strings: readonly StringRecord[] | undefined;
  readonly #blocks = new RecentResults<readonly BasicBlock[]>(keptBlocks);

  constructor(parts: ProgramParts) {
    this.parts = parts;
    this.image = parts.image;
    this.base = parts.memory.base;
    this.coverage = parts.coverage;
    this.#index = new RangeIndex(parts.functions);
  }

  get functions(): readonly FunctionRecord[] {
    return this.parts.functions.rows.all();
  }

  get names(): readonly NameRecord[] {
    return this.parts.names.rows.all();
  }

  get strings(): readonly StringRecord[] {
    return (this.#strings ??= this.parts.strings());
  }

  /** The strings when somebody has asked for them. */
  get knownStrings(): readonly StringRecord[] | undefined {
    return this.#strings;
  }

  toRva(va: bigint): number | undefined {
    return this.parts.memory.toRva(va);
  }

  toVa(rva: number): bigint {
    return this.base + BigInt(rva);
  }

  functionAt(entryRva: number): FunctionRecord | undefined {
    return this.#index.at(entryRva);
  }

  functionContaining(rva: number): FunctionRecord | undefined {
    return this.#index.containing(rva);
  }

  entriesNamed(name: string): readonly number[] {
    const { functions, names } = this.parts;
    const own = functions.rows.named(name).flatMap((row) => functions.entries[row] ?? []);
    const others = names.rows.named(name).flatMap((row) => names.rvas[row] ?? []);
    return [...new Set([...own, ...others.filter((rva) => this.functionAt(rva) !== undefined)])].sort((a, b) => a - b);
  }

  blocks(fn: FunctionRecord): readonly BasicBlock[] {
    const cut = () => basicBlocks(fn, this.parts.code, this.parts.switches);
    return this.#blocks.get(fn.entry, cut, (blocks) => blocks.length);
  }

  instructionStarts(fn: FunctionRecord): readonly number[] {
    return instructionStartsOf(fn, this.parts.code);
  }

  decodeAt(rva: number): DecodedInstruction | undefined {
    const { memory, disassembler } = this.parts;
    if (rva % disassembler.alignment !== 0) return undefined;
    const bytes = memory.read(rva, disassembler.longest);
    return bytes.byteLength === 0 ? undefined : disassembler.format(bytes, rva, this.base);
  }

  classify(rva: number): "instruction" | "mid_instruction" | "data" | "outside" | "undecodable" {
    const { memory, code } = this.parts;
    if (memory.rangeAt(rva) === undefined) return "outside";
    const region = code.regionAt(rva);
    if (region === undefined) return "data";
    if (region.claimed.has(rva - region.start)) return "instruction";
    if (this.instructionCovering(rva) !== undefined) return "mid_instruction";
    if (code.lengthAt(rva) > 0) return "instruction";
    if (region.data.has(rva - region.start)) return "data";
    return this.decodeAt(rva) === undefined ? "undecodable" : "data";
  }

  instructionCovering(rva: number): number | undefined {
    const region = this.parts.code.regionAt(rva);
    if (region === undefined) return undefined;
    const at = rva - region.start;
    let decoded: number | undefined;
    for (let back = 0; back < this.parts.disassembler.longest && back <= at; back += 1) {
      const covers = ((region.marks[at - back] ?? 0) & 15) > back;
      if (covers && region.claimed.has(at - back)) return rva - back;
      if (covers) decoded ??= rva - back;
    }
    return decoded;
  }

  neighbour(rva: number, direction: "next" | "previous"): number | undefined {
    this.#neighbours ??= new Neighbours(this.parts.code, this.parts.references, [
      ...this.names.map((name) => name.rva),
      ...this.strings.map((string) => string.rva),
    ]);
    return direction === "next" ? this.#neighbours.after(rva) : this.#neighbours.before(rva);
  }

  namesAt(rva: number): readonly NameRecord[] {
    const { rvas, rows } = this.parts.names;
    const found: NameRecord[] = [];
    for (let row = firstAtLeast(rvas, rva); rvas[row] === rva; row += 1) {
      const name = rows.at(row);
      if (name !== undefined) found.push(name);
    }
    return found;
  }

  referencesTo(rva: number): readonly Reference[] {
    return this.parts.references.to(rva);
  }

  referencesFrom(fn: FunctionRecord): readonly Reference[] {
    const ranges = [...fn.ranges].sort((a, b) => a.start - b.start);
    return ranges.flatMap((range) => this.parts.references.from(range.start, range.end));
  }

  referencesAt(rva: number): readonly Reference[] {
    return this.parts.references.from(rva, rva + 1);
  }

  callers(fn: FunctionRecord): readonly number[] {
    const { references } = this.parts;
    const found = new Set<number>();
    const visit = (row: number) => {
      const caller = this.functionContaining(references.fromOf(row));
      if (caller !== undefined && this.#isTransfer(row, caller, fn.entry)) found.add(caller.entry);
    };
    references.forEachTo(fn.entry, visit);
    for (const [slot, stub] of this.parts.imports.stubOfSlot) if (stub === fn.entry) references.forEachTo(slot, visit);
    for (const { start, end } of fn.ranges) {
      references.forEachInto(start, end, (row) => {
        const caller = this.#entered(row)?.entry === fn.entry ? this.functionContaining(references.fromOf(row)) : undefined;
        if (caller !== undefined && caller.entry !== fn.entry) found.add(caller.entry);
      });
    }
    return [...found].sort((a, b) => a - b);
  }

  callees(fn: FunctionRecord): readonly number[] {
    const { references, imports } = this.parts;
    const found = new Set<number>();
    for (const range of fn.ranges) {
      references.forEachFrom(range.start, range.end, (row) => {
        const to = references.toOf(row);
        const callee = imports.stubOfSlot.get(to) ?? to;
        const known = imports.slots.has(to) || this.functionAt(callee) !== undefined;
        if (known && callee !== fn.entry && this.#isTransfer(row, fn, callee)) found.add(callee);
        else if (callee === fn.entry && references.kindOf(row) === referenceCode.call) found.add(callee);
        const entered = known ? undefined : this.#entered(row);
        if (entered !== undefined && entered.entry !== fn.entry) found.add(entered.entry);
      });
    }
    return [...found].sort((a, b) => a - b);
  }

  /** The function that a call enters behind its start: at a second entry, or inside an unrolled loop. */
  #entered(row: number): FunctionRecord | undefined {
    const { references } = this.parts;
    const to = references.toOf(row);
    if (references.kindOf(row) !== referenceCode.call || references.isFromData(row)) return undefined;
    return this.functionAt(to) === undefined ? this.functionContaining(to) : undefined;
  }

  /** A call, or a jump that leaves the function for another one. */
  #isTransfer(row: number, from: FunctionRecord, to: number): boolean {
    const { references } = this.parts;
    if (references.isFromData(row)) return false;
    const kind = references.kindOf(row);
    return kind === referenceCode.call || (kind === referenceCode.jump && from.entry !== to);
  }
}

export function importPlaces({ stubs, slots }: Seeds): ImportPlaces {
  const stubOf = new Map([...stubs].map(([stub, imported]) => [imported, stub] as const));
  const pairs = [...slots].flatMap(([slot, imported]) => {
    const stub = stubOf.get(imported);
    return stub === undefined ? [] : [[slot, stub] as const];
  });
  return { slots: new Set(slots.keys()), stubOfSlot: new Map(pairs) };
}
