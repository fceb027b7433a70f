import { decodeText, goFunctions, guessToolchain, type BinaryImage, type StringEncoding } from "@rea/binary";
import { referenceCode } from "../disassembler/disassembler.js";
import { stringScan } from "../native-settings.js";
import type { StringRecord } from "../program.js";
import type { CodeMap } from "./code-map.js";
import { goNames } from "./go-names.js";
import type { MemoryMap } from "./memory-map.js";
import { objcLiterals } from "./objc-literals.js";
import type { ReferenceTable } from "./reference-table.js";
import { SliceVotes } from "./slice-votes.js";
import { votesFromArm64 } from "./slices-in-arm64.js";
import { votesFromData } from "./slices-in-data.js";
import { votesFromX86 } from "./slices-in-x86.js";
import { splitRun, type TextPiece } from "./string-split.js";
import { StringRuns, type StringRun } from "./string-runs.js";
import { distanceStarts, innerStarts } from "./string-starts.js";
import type { WorkBounds } from "./work-bounds.js";

export interface StringInput {
  readonly image: BinaryImage;
  readonly memory: MemoryMap;
  readonly code: CodeMap;
  readonly references: ReferenceTable;
  /** Cell → target, in order of cells. */
  readonly pointers: ReadonlyMap<number, number>;
  readonly bounds: WorkBounds;
}

/** Go and Rust give strings their length instead of a NUL behind them. */
function countsLengths(image: BinaryImage): boolean {
  const language = guessToolchain(image)?.language;
  return language === "Go" || language === "Rust";
}

/**
 * Strings of the mapped data, sorted by address: what the search found, cut where lengths and references prove that several
 * texts stand one behind the other, and the ends of longer texts that references lead to. Texts are decoded when asked for.
 */
export function collectStrings(input: StringInput): readonly StringRecord[] {
  const { image, memory, references, bounds } = input;
  const runs = new StringRuns(image, memory, bounds);
  const isGo = goFunctions(image).items.length > 0;
  const counted = isGo || countsLengths(image);
  const inner = innerStarts(references, { runs, counted, bounds });
  const votes = counted ? votesOf(input, runs) : undefined;
  const chosen = votes?.tagged === true ? distanceStarts(references, { runs, memory, bounds }) : undefined;
  const voted = groupByRun(votes?.starts() ?? [], runs);
  const found: StringRecord[] = [];
  for (let index = 0; index < runs.count; index += 1) {
    bounds.worked(unitsPerRun);
    const run = votes === undefined ? fromControl(runs.run(index), memory, references) : runs.run(index);
    const referred = merged(inner.get(index) ?? none, chosen?.get(index) ?? none);
    const starts = voted.get(index) ?? none;
    if (referred.length > 0 || starts.length > 0) found.push(...recordsOf({ run, referred, voted: starts, votes, memory }));
    else found.push(...(isGo ? namesOf(run, memory) : [new MappedString(memory, run.start, run)]));
  }
  found.push(...objcLiterals(image, memory, input.pointers));
  return found.sort(bounds.watchedOrder((a, b) => a.rva - b.rva || b.byteLength - a.byteLength));
}

/** A run counts as so many instructions. */
const unitsPerRun = 16;

const none: readonly number[] = [];

/** A text between NULs that begins with a control character starts there when a reference leads to that. */
function fromControl(run: StringRun, memory: MemoryMap, references: ReferenceTable): StringRun {
  if (!run.terminated || (run.encoding !== "ascii" && run.encoding !== "utf-8")) return run;
  const start = run.start - 1;
  let leads = false;
  references.forEachTo(start, (row) => {
    leads ||= references.kindOf(row) === referenceCode.address;
  });
  const [before = 1, first = 0] = leads && start > 0 ? memory.read(start - 1, 2) : [];
  return before === 0 && ((first > 0 && first < 0x20) || first === 0x7f) ? { ...run, start } : run;
}

function merged(left: readonly number[], right: readonly number[]): readonly number[] {
  return right.length === 0 ? left : [...new Set([...left, ...right])].sort((a, b) => a - b);
}

function votesOf({ image, memory, code, pointers, bounds }: StringInput, runs: StringRuns): SliceVotes {
  const votes = new SliceVotes(runs, guessToolchain(image)?.language === "Rust");
  votesFromData({ image, memory, pointers, votes, bounds });
  for (const region of code.regions) {
    if (image.architecture === "x86_64") votesFromX86(region, { base: memory.base, is64: true, votes, bounds });
    if (image.architecture === "x86") votesFromX86(region, { base: memory.base, is64: false, votes, bounds });
    if (image.architecture === "arm64") votesFromArm64(region, votes, bounds);
  }
  return votes;
}

function groupByRun(starts: readonly number[], runs: StringRuns): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const start of starts) {
    const run = runs.indexAt(start);
    const group = groups.get(run);
    if (group === undefined) groups.set(run, [start]);
    else group.push(start);
  }
  return groups;
}

interface RunInput {
  readonly run: StringRun;
  readonly referred: readonly number[];
  readonly voted: readonly number[];
  readonly votes: SliceVotes | undefined;
  readonly memory: MemoryMap;
}

function recordsOf({ run, referred, voted, votes, memory }: RunInput): StringRecord[] {
  const isWide = run.encoding === "utf-16le" || run.encoding === "utf-16be";
  const bytes = memory.read(run.start, run.end - run.start);
  const isBoundary = (rva: number): boolean =>
    isWide ? (rva - run.start) % 2 === 0 : rva === run.end || ((bytes[rva - run.start] ?? 0) & 0xc0) !== 0x80;
  const cuts = referred.filter(isBoundary);
  const whole: TextPiece = { start: run.start, end: run.end, measured: false };
  const pieces = votes === undefined || isWide ? [whole] : splitRun({ run, referred: cuts, voted, votes, isBoundary });
  const known = new Set(pieces.map((piece) => piece.start));
  const tails = run.terminated ? cuts.filter((start) => !known.has(start) && run.end - start <= longestTail) : [];
  return [...pieces, ...tails.map((start): TextPiece => ({ start, end: run.end, measured: false }))].flatMap((piece) => {
    const part = bytes.subarray(piece.start - run.start, piece.end - run.start);
    if (!piece.measured && isShort(part, isWide)) return [];
    const terminated = run.terminated && piece.end === run.end;
    const plain = run.encoding === "utf-8" && part.length <= longestTail && part.every((byte) => byte < 0x80);
    const encoding = plain ? "ascii" : run.encoding;
    return [new MappedString(memory, piece.start, { ...piece, encoding, terminated })];
  });
}

/** A run that nothing points into, as the names of Go's type data where it is made of them. */
function namesOf(run: StringRun, memory: MemoryMap): StringRecord[] {
  const before = 2;
  const fits = run.end - run.start <= longestNames;
  const bytes = fits ? memory.read(run.start - before, run.end - run.start + before) : new Uint8Array(0);
  const pieces = goNames(run, (rva) => bytes[rva - run.start + before] ?? -1);
  if (pieces === undefined) return [new MappedString(memory, run.start, run)];
  return pieces.flatMap(({ start, end }) => {
    if (end - start < stringScan.minimumLength) return [];
    return [new MappedString(memory, start, { ...run, end, terminated: run.terminated && end === run.end })];
  });
}

const longestNames = 4096;
/** References into longer texts (embedded documents) do not make strings of their ends. */
const longestTail = 4096;

function isShort(bytes: Uint8Array, isWide: boolean): boolean {
  if (isWide) return bytes.length / 2 < stringScan.minimumLength;
  let count = 0;
  for (let at = 0; at < bytes.length && count < stringScan.minimumLength; at += 1) {
    if (((bytes[at] ?? 0) & 0xc0) !== 0x80) count += 1;
  }
  return count < stringScan.minimumLength;
}

class MappedString implements StringRecord {
  readonly rva: number;
  readonly byteLength: number;
  readonly encoding: StringEncoding;
  readonly terminated: boolean;
  readonly #memory: MemoryMap;

  constructor(memory: MemoryMap, rva: number, run: Omit<StringRun, "start">) {
    this.#memory = memory;
    this.rva = rva;
    this.byteLength = run.end - rva;
    this.encoding = run.encoding;
    this.terminated = run.terminated;
  }

  text(): string {
    return decodeText(this.#memory.read(this.rva, this.byteLength), this.encoding);
  }
}
