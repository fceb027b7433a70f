import { procedureSources, type ProcedureSource } from "@rea/core";
import type { FunctionRecord } from "../program.js";
import { DamagedCache, requireRows, type SectionReader, type SectionWriter } from "./sections.js";
import { choice, readWords, TextColumn, writeTexts, writeWords } from "./text-columns.js";

const nameSources: readonly FunctionRecord["nameSource"][] = ["symbol", "export", "import", "generated"];
const flag = { external: 1, thunk: 2, noReturn: 4 } as const;

type Columns = { readonly [K in keyof Required<FunctionRecord>]: unknown };

export function writeFunctions(writer: SectionWriter, functions: readonly FunctionRecord[]): void {
  writer.numbers("fn.at", Float64Array.from(functions, ({ entry }) => entry));
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

export function readFunctions(reader: SectionReader): readonly FunctionRecord[] {
  const entries = reader.numbers("fn.at");
  const parts = reader.words("fn.parts");
  const from = reader.numbers("fn.from");
  const to = reader.numbers("fn.to");
  const sizes = reader.numbers("fn.size");
  const names = TextColumn.read(reader, "fn.n");
  const kinds = readWords(reader, "fn.k");
  const sources = readWords(reader, "fn.s");
  const targets = TextColumn.read(reader, "fn.t");
  const flags = reader.bytes("fn.flags");
  requireRows(entries.length, parts, sizes, names, kinds, sources, targets, flags);
  requireRows(parts.reduce((sum, count) => sum + count, 0), from, to);
  let next = 0;
  return Array.from(entries, (entry, row) => {
    const count = parts[row] ?? 0;
    const marks = flags[row] ?? 0;
    const record = {
      entry,
      ranges: Array.from({ length: count }, (_, part) => ({ start: from[next + part] ?? 0, end: to[next + part] ?? 0 })),
      size: sizes[row] ?? 0,
      name: names.text(row),
      nameSource: choice(nameSources, kinds.at(row)),
      sources: sourcesOf(sources.at(row)),
      external: (marks & flag.external) !== 0,
      thunk: (marks & flag.thunk) !== 0,
      thunkTarget: targets.at(row),
      noReturn: (marks & flag.noReturn) !== 0,
    } satisfies Columns;
    next += count;
    return record;
  });
}

/** Few combinations occur; functions share them. */
const lists = new Map<string, readonly ProcedureSource[]>();

function sourcesOf(words: string | undefined): readonly ProcedureSource[] {
  if (words === undefined) throw new DamagedCache("sources are missing");
  const list = lists.get(words) ?? Object.freeze(words.split(" ").map((word) => choice(procedureSources, word)));
  lists.set(words, list);
  return list;
}
