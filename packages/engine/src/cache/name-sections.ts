import type { NameTable } from "../analysis/range-index.js";
import { LazyRows } from "../analysis/rows.js";
import type { NameRecord, StringRecord } from "../program.js";
import { DamagedCache, requireRows, type SectionReader, type SectionWriter } from "./sections.js";
import { anyWord, choiceOf, readWords, stated, TextColumn, writeTexts, writeWords } from "./text-columns.js";

type NameColumns = { readonly [K in keyof Required<NameRecord>]: unknown };
type StringColumns = { readonly [K in keyof Required<StringRecord>]: unknown };

export function writeNames(writer: SectionWriter, table: NameTable): void {
  const { rows, rvas, ...rest } = table;
  rest satisfies Record<string, never>;
  const names = rows.all();
  writer.numbers("nm.rva", rvas);
  writeTexts(writer, "nm.n", names.map(({ name }) => name));
  writeWords(writer, "nm.k", names.map(({ kind }) => kind));
  writeWords(writer, "nm.b", names.map(({ binding }) => binding));
  writeWords(writer, "nm.s", names.map(({ source }) => source));
  writeWords(writer, "nm.l", names.map(({ library }) => library));
}

/** The columns are checked at once; records are made when they are asked for. */
export function readNames(reader: SectionReader): NameTable {
  const rvas = reader.numbers("nm.rva");
  const names = TextColumn.read(reader, "nm.n");
  const kinds = readWords(reader, "nm.k", anyWord);
  const bindings = readWords(reader, "nm.b", anyWord);
  const sources = readWords(reader, "nm.s", stated);
  const libraries = readWords(reader, "nm.l", anyWord);
  requireRows(rvas.length, names, kinds, bindings, sources, libraries);
  if (!names.isComplete) throw new DamagedCache("a name is missing");
  const record = (row: number) => {
    return {
      rva: rvas[row] ?? 0,
      name: names.at(row) ?? "",
      kind: kinds.at(row),
      binding: bindings.at(row),
      source: sources.at(row) ?? "",
      library: libraries.at(row),
    } satisfies NameColumns;
  };
  return { rows: new LazyRows<NameRecord>({ length: rvas.length, make: record, named: (name) => names.rowsOf(name) }), rvas };
}

const encodings: readonly StringRecord["encoding"][] = ["ascii", "utf-8", "utf-16le", "utf-16be"];

export function writeStrings(writer: SectionWriter, strings: readonly StringRecord[]): void {
  writer.numbers("st.rva", Float64Array.from(strings, ({ rva }) => rva));
  writer.numbers("st.size", Float64Array.from(strings, ({ byteLength }) => byteLength));
  writeWords(writer, "st.e", strings.map(({ encoding }) => encoding));
  writer.bytes("st.end", Uint8Array.from(strings, ({ terminated }) => (terminated ? 1 : 0)));
  writeTexts(writer, "st.t", strings.map((record) => record.text()));
}

/** The columns are checked at once; the records are made when they are asked for. */
export function readStrings(reader: SectionReader): () => readonly StringRecord[] {
  const rvas = reader.numbers("st.rva");
  const sizes = reader.numbers("st.size");
  const kinds = readWords(reader, "st.e", choiceOf(encodings));
  const ends = reader.bytes("st.end");
  const texts = TextColumn.read(reader, "st.t");
  requireRows(rvas.length, sizes, kinds, ends, texts);
  return () =>
    Array.from(rvas, (rva, row) => {
      const record = {
        rva,
        byteLength: sizes[row] ?? 0,
        encoding: kinds.at(row) ?? "ascii",
        terminated: ends[row] === 1,
        text: () => texts.at(row) ?? "",
      } satisfies StringColumns;
      return record;
    });
}
