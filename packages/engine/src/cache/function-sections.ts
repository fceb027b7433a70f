import { procedureSources, type ProcedureSource } from "@rea/core";
import type { FunctionTable } from "../analysis/range-index.js";
import { LazyRows } from "../analysis/rows.js";
import type { FunctionRecord } from "../program.js";
import { DamagedCache, requireRows, type SectionReader, type SectionWriter } from "./sections.js";
import { choiceOf, readWords, stated, TextColumn, writeTexts, writeWords } from "./text-columns.js";

const nameSources: readonly FunctionRecord["nameSource"][] = ["symbol", "export", "import", "generated"];
const flag = { external: 1, thunk: 2, noReturn: 4 } as const;

type Columns = { readonly [K in keyof Required<FunctionRecord>]: unknown };

export function writeFunctions(writer: SectionWriter, table: FunctionTable): void {
  const { rows, entries, starts, ends, owners, ...rest } = table;
  rest satisfies Record<string, never>;
  writer.numbers("fx.from", starts);
  writer.numbers("fx.to", ends);
  writer.words("fx.owner", owners);
  writer.numbers("fn.at", entries);
  writeRecords(writer, rows.all());
}

function writeRecords(writer: SectionWriter, functions: readonly FunctionRecord[]): void {
  writer.words("fn.parts", Uint32Array.from(functions, ({ ranges }) => ranges.length));
  writer.numbers("fn.from", Float64Array.from(functions.flatMap(({ ranges }) => ranges.map(({ start }) => start))));
  writer.numbers("fn.to", Float64Array.from(functions.flatMap(({ ranges }) => ranges.map(({ end }) => end))));
  writer.numbers("fn.size", Float64Array.from(functions, ({ size }) => size));
  writeTexts(writer, "fn.n", functions.map(({ name }) => name));
  writeWords(writer, "fn.k", functions.map(({ nameSource }) => nameSource));
  writeWords(writer, "fn.s", functions.map(({ sources }) => sources.join(" ")));
  writeTexts(writer, "fn.t", functions.map(({ thunkTarget }) => thunkTarget));
  writer.bytes("fn.flags", Uint8Array.from(functions, flagsOf));
}

function flagsOf({ external, thunk, noReturn }: FunctionRecord): number {
  return (external ? flag.external : 0) | (thunk ? flag.thunk : 0) | (noReturn ? flag.noReturn : 0);
}

/** The columns are checked at once; records are made when they are asked for. */
export function readFunctions(reader: SectionReader): FunctionTable {
  const starts = reader.numbers("fx.from");
  const ends = reader.numbers("fx.to");
  const owners = reader.words("fx.owner");
  const entries = reader.numbers("fn.at");
  const records = readRecords(reader, entries);
  requireRows(starts.length, ends, owners);
  if (owners.some((row) => row >= entries.length)) throw new DamagedCache("a range belongs to no function");
  return { rows: new LazyRows({ length: entries.length, ...records }), entries, starts, ends, owners };
}

function readRecords(reader: SectionReader, entries: Float64Array) {
  const parts = reader.words("fn.parts");
  const from = reader.numbers("fn.from");
  const to = reader.numbers("fn.to");
  const sizes = reader.numbers("fn.size");
  const names = TextColumn.read(reader, "fn.n");
  const kinds = readWords(reader, "fn.k", choiceOf(nameSources));
  const sources = readWords(reader, "fn.s", sourcesOf);
  const targets = TextColumn.read(reader, "fn.t");
  const flags = reader.bytes("fn.flags");
  requireRows(entries.length, parts, sizes, names, kinds, sources, targets, flags);
  if (!names.isComplete) throw new DamagedCache("a function has no name");
  const firsts = firstRows(parts);
  requireRows(firsts[parts.length] ?? 0, from, to);
  const make = (row: number): FunctionRecord => {
    const first = firsts[row] ?? 0;
    const marks = flags[row] ?? 0;
    return {
      entry: entries[row] ?? 0,
      ranges: Array.from({ length: parts[row] ?? 0 }, (_, part) => ({ start: from[first + part] ?? 0, end: to[first + part] ?? 0 })),
      size: sizes[row] ?? 0,
      name: names.at(row) ?? "",
      nameSource: kinds.at(row) ?? "generated",
      sources: sources.at(row) ?? [],
      external: (marks & flag.external) !== 0,
      thunk: (marks & flag.thunk) !== 0,
      thunkTarget: targets.at(row),
      noReturn: (marks & flag.noReturn) !== 0,
    } satisfies Columns;
  };
  return { make, named: (name: string) => names.rowsOf(name) };
}

/** Where the parts of each row begin, and where the last ones end. */
function firstRows(counts: Uint32Array): Float64Array {
  const firsts = new Float64Array(counts.length + 1);
  for (let row = 0; row < counts.length; row += 1) firsts[row + 1] = (firsts[row] ?? 0) + (counts[row] ?? 0);
  return firsts;
}

const sourceOf = choiceOf(procedureSources);

function sourcesOf(words: string | undefined): readonly ProcedureSource[] {
  return Object.freeze(stated(words).split(" ").map(sourceOf));
}
