import type { NameRecord, StringRecord } from "../program.js";
import { DamagedCache, requireRows, type SectionReader, type SectionWriter } from "./sections.js";
import { choice, readWords, TextColumn, writeTexts, writeWords } from "./text-columns.js";

type NameColumns = { readonly [K in keyof Required<NameRecord>]: unknown };
type StringColumns = { readonly [K in keyof Required<StringRecord>]: unknown };

export function writeNames(writer: SectionWriter, names: readonly NameRecord[]): void {
  writer.numbers("nm.rva", Float64Array.from(names, ({ rva }) => rva));
  writeTexts(writer, "nm.n", names.map(({ name }) => name));
  writeWords(writer, "nm.k", names.map(({ kind }) => kind));
  writeWords(writer, "nm.b", names.map(({ binding }) => binding));
  writeWords(writer, "nm.s", names.map(({ source }) => source));
  writeWords(writer, "nm.l", names.map(({ library }) => library));
}

export function readNames(reader: SectionReader): readonly NameRecord[] {
  const rvas = reader.numbers("nm.rva");
  const names = TextColumn.read(reader, "nm.n");
  const kinds = readWords(reader, "nm.k");
  const bindings = readWords(reader, "nm.b");
  const sources = readWords(reader, "nm.s");
  const libraries = readWords(reader, "nm.l");
  requireRows(rvas.length, names, kinds, bindings, sources, libraries);
  return Array.from(rvas, (rva, row) => {
    const source = sources.at(row);
    if (source === undefined) throw new DamagedCache("a name has no source");
    const record = {
      rva,
      name: names.text(row),
      kind: kinds.at(row),
      binding: bindings.at(row),
      source,
      library: libraries.at(row),
    } satisfies NameColumns;
    return record;
  });
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
  const kinds = readWords(reader, "st.e");
  const ends = reader.bytes("st.end");
  const texts = TextColumn.read(reader, "st.t");
  requireRows(rvas.length, sizes, kinds, ends, texts);
  for (const word of kinds.known) choice(encodings, word);
  return () =>
    Array.from(rvas, (rva, row) => {
      const record = {
        rva,
        byteLength: sizes[row] ?? 0,
        encoding: choice(encodings, kinds.at(row)),
        terminated: ends[row] === 1,
        text: () => texts.at(row) ?? "",
      } satisfies StringColumns;
      return record;
    });
}
