import { Findings } from "./findings.js";
import { isLineTableMagic, nameAt, openLineTable, rowAt, rowSize, type LineTable } from "./go-line-table.js";
import { goTextStart } from "./go-text-start.js";
import type { BinaryImage, FileRange, Table } from "./image.js";

/** A function of a Go program as its run-time line table has it. Half-open; padding behind the code is inside. */
export interface GoFunction {
  readonly start: bigint;
  readonly end: bigint;
  /** As the Go run-time shows it, e.g. `main.main`, `net/http.(*Server).Serve`. */
  readonly name: string;
}

const maximumFunctions = 2_000_000;
const maximumNameBytes = 128 * 1024 * 1024;
const tableBytes = 512 * 1024 * 1024;
const searchedBytes = 256 * 1024 * 1024;
const scope = "Go functions";

const none: Table<GoFunction> = { items: [], omissions: [] };
const read = new WeakMap<BinaryImage, Table<GoFunction>>();

/**
 * Functions of a Go program, by address, from its `pclntab`, which stays when the symbol table is stripped. It is found
 * by its section (`.gopclntab`, `__gopclntab`) or, in files without one, by its header in the first 256 MiB of data.
 * Empty for other programs. The row of the build id, which is data inside the code section, is left out.
 */
export function goFunctions(image: BinaryImage): Table<GoFunction> {
  const known = read.get(image);
  if (known !== undefined) return known;
  const place = placeOf(image);
  const functions = place === undefined ? none : readFunctions(image, place);
  read.set(image, functions);
  return functions;
}

/**
 * The part of the line table that holds counters, rows and records instead of names: to the end of its section, or where no
 * section is named after it to the end of the rows. Undefined without a table, and for Go 1.2's, which mixes both.
 */
export function goCounters(image: BinaryImage): FileRange | undefined {
  const place = placeOf(image);
  if (place === undefined || place.table.countersOffset > place.table.rowsOffset) return undefined;
  const start = place.offset + place.table.countersOffset;
  return { offset: start, size: place.end - start };
}

interface Place {
  readonly va: bigint;
  readonly offset: number;
  /** File offset behind the table as far as it is known. */
  readonly end: number;
  readonly table: LineTable;
}

interface Area {
  readonly name?: string | undefined;
  readonly va: bigint;
  readonly file: FileRange;
}

const places = new WeakMap<BinaryImage, { readonly place: Place | undefined }>();

function placeOf(image: BinaryImage): Place | undefined {
  const known = places.get(image) ?? { place: findTable(image) };
  places.set(image, known);
  return known.place;
}

const named = /^(?:\.data\.rel\.ro)?\.gopclntab$|^__gopclntab$/;

function findTable(image: BinaryImage): Place | undefined {
  const areas = image.sections().items.flatMap(({ name, va, file, kind }) =>
    va === undefined || file === undefined ? [] : [{ name, kind, va, file }],
  );
  for (const area of areas) {
    const found = named.test(area.name) ? openAt(image, area, 0) : undefined;
    if (found !== undefined) return found;
  }
  const data = areas.filter(({ kind }) => kind === "rodata" || kind === "data").slice(0, 512);
  const segments = image.segments().items.filter((segment) => segment.file.size > 0).slice(0, 64);
  return searchTable(image, data.length > 0 ? data : segments);
}

/** Headers stand at multiples of four. */
function searchTable(image: BinaryImage, areas: readonly Area[]): Place | undefined {
  let left = searchedBytes;
  for (const area of areas) {
    const size = Math.max(0, Math.min(area.file.size, left, image.source.size - area.file.offset));
    left -= size;
    if (size < 32) continue;
    const bytes = image.source.read(area.file.offset, size);
    const view = new DataView(bytes.buffer, bytes.byteOffset, size);
    for (let at = 0; at + 32 <= size; at += 4) {
      if (!isLineTableMagic(view.getUint32(at, image.endian === "little"))) continue;
      const found = openAt(image, area, at);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function openAt(image: BinaryImage, area: Area, at: number): Place | undefined {
  const offset = area.file.offset + at;
  const size = Math.max(0, Math.min(area.file.size - at, tableBytes, image.source.size - offset));
  const bytes = image.source.read(Math.min(offset, image.source.size), size);
  const table = openLineTable({ bytes, littleEndian: image.endian === "little", bits: image.bits });
  if (table === undefined) return undefined;
  const ends = area.name !== undefined && named.test(area.name) ? size : Math.min(size, table.rowsOffset + table.count * rowSize(table));
  return { va: area.va + BigInt(at), offset, end: offset + ends, table };
}

function readFunctions(image: BinaryImage, { va, offset, table }: Place): Table<GoFunction> {
  const findings = new Findings();
  const relative = table.layout === "go1.18" || table.layout === "go1.20";
  const text = relative ? goTextStart(image, table, va) : 0n;
  if (text === undefined) {
    findings.note(scope, "unreadable", `The line table at file offset 0x${offset.toString(16)} does not say where the code starts.`);
    return { items: [], omissions: findings.list() };
  }
  const count = Math.min(table.count, maximumFunctions);
  if (count < table.count) findings.limited(scope, "limit_items", table.count - count, maximumFunctions);
  return { items: rows({ table, count, text, offset }, findings), omissions: findings.list() };
}

interface Reading {
  readonly table: LineTable;
  readonly count: number;
  readonly text: bigint;
  readonly offset: number;
}

function rows({ table, count, text, offset }: Reading, findings: Findings): GoFunction[] {
  const items: GoFunction[] = [];
  let left = maximumNameBytes;
  for (let index = 0; index < count; index += 1) {
    const row = rowAt(table, index);
    const name = row === undefined ? undefined : nameAt(table, row.nameOffset);
    if (row === undefined || name === undefined) {
      findings.malformed(scope, offset, `row ${String(index)} of the line table contradicts its record or the next row`);
      continue;
    }
    left -= name.length;
    if (left < 0) {
      findings.limited(scope, "limit_total_bytes", count - index, maximumNameBytes);
      break;
    }
    if (name !== "go.buildid" && name !== "go:buildid") items.push({ start: text + row.start, end: text + row.end, name });
  }
  return items;
}
