import { decodeName } from "./name-text.js";

/**
 * The run-time line table of a Go program, `pclntab`, opened but not yet read (Go source `internal/abi` and
 * `debug/gosym`: layouts of Go 1.2, 1.16, 1.18 and 1.20). Offsets count from the start of the table.
 */
export interface LineTable {
  readonly layout: GoLayout;
  readonly view: DataView;
  readonly littleEndian: boolean;
  readonly pointerBytes: 4 | 8;
  readonly count: number;
  /** Value of the header's field; 0 where relocation fills it or the linker leaves it out. Undefined before Go 1.18. */
  readonly textStart: bigint | undefined;
  readonly namesOffset: number;
  /** Start of what is no text: counters by program point, then rows and records. */
  readonly countersOffset: number;
  /** Start of the rows, and where the offsets of function records count from. */
  readonly rowsOffset: number;
  readonly recordsOffset: number;
}

export type GoLayout = "go1.2" | "go1.16" | "go1.18" | "go1.20";

/** One row: `start` and `end` are addresses before Go 1.18 and distances from the start of text from then on. */
export interface LineTableRow {
  readonly start: bigint;
  readonly end: bigint;
  readonly nameOffset: number;
}

const layouts: ReadonlyMap<number, GoLayout> = new Map([
  [0xffff_fffb, "go1.2"],
  [0xffff_fffa, "go1.16"],
  [0xffff_fff0, "go1.18"],
  [0xffff_fff1, "go1.20"],
]);

/** True when the word starts a line table in some layout. */
export function isLineTableMagic(word: number): boolean {
  return word >= 0xffff_fff0 && layouts.has(word);
}

interface TableBytes {
  readonly bytes: Uint8Array;
  readonly littleEndian: boolean;
  readonly bits: 32 | 64;
}

/** Opens a table at the start of `bytes`; undefined when its header or its first rows contradict each other. */
export function openLineTable({ bytes, littleEndian, bits }: TableBytes): LineTable | undefined {
  if (bytes.length < 32) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const layout = layouts.get(view.getUint32(0, littleEndian));
  const pointerBytes = bits === 64 ? 8 : 4;
  if (layout === undefined || view.getUint16(4, littleEndian) !== 0 || view.getUint8(7) !== pointerBytes) return undefined;
  if (![1, 2, 4].includes(view.getUint8(6))) return undefined;
  const table = withHeader({ layout, view, littleEndian, pointerBytes });
  return table !== undefined && startsSound(table) ? table : undefined;
}

/** The fields after the first eight bytes, as words of the pointer's size. */
function withHeader(base: Pick<LineTable, "layout" | "view" | "littleEndian" | "pointerBytes">): LineTable | undefined {
  const { layout, view, pointerBytes } = base;
  const word = (index: number): number => Number(pointerAt(base, 8 + index * pointerBytes) ?? Number.MAX_SAFE_INTEGER);
  const count = word(0);
  const old = { ...base, count, textStart: undefined, namesOffset: 0, countersOffset: Infinity, rowsOffset: 8 + pointerBytes, recordsOffset: 0 };
  const at = layout === "go1.16" ? 2 : 3;
  const table =
    layout === "go1.2"
      ? old
      : {
          ...base,
          count,
          textStart: layout === "go1.16" ? undefined : pointerAt(base, 8 + 2 * pointerBytes),
          namesOffset: word(at),
          countersOffset: word(at + 3),
          rowsOffset: word(at + 4),
          recordsOffset: word(at + 4),
        };
  const rowBytes = rowSize(table);
  const fits = table.namesOffset < view.byteLength && table.rowsOffset + count * rowBytes < view.byteLength;
  return count > 0 && fits ? table : undefined;
}

const checkedRows = 8;

function startsSound(table: LineTable): boolean {
  for (let index = 0; index < Math.min(table.count, checkedRows); index += 1) if (rowAt(table, index) === undefined) return false;
  return true;
}

/** Rows count in 32-bit distances since Go 1.18, in pointers before. */
function fieldBytes({ layout, pointerBytes }: Pick<LineTable, "layout" | "pointerBytes">): 4 | 8 {
  return layout === "go1.18" || layout === "go1.20" ? 4 : pointerBytes;
}

/** Bytes of one row: a start and the offset of a record. */
export function rowSize(table: LineTable): number {
  return 2 * fieldBytes(table);
}

/** A row of the table, undefined when it contradicts its function record or the next row. */
export function rowAt(table: LineTable, index: number): LineTableRow | undefined {
  const width = fieldBytes(table);
  const at = table.rowsOffset + index * 2 * width;
  const start = fieldAt(table, at, width);
  const offset = fieldAt(table, at + width, width);
  const end = fieldAt(table, at + 2 * width, width);
  if (start === undefined || offset === undefined || end === undefined || end <= start) return undefined;
  if (offset > BigInt(table.view.byteLength)) return undefined;
  const record = table.recordsOffset + Number(offset);
  if (fieldAt(table, record, width) !== start) return undefined;
  const nameOffset = fieldAt(table, record + width, 4);
  return nameOffset === undefined ? undefined : { start, end, nameOffset: Number(nameOffset) };
}

/** Longest name read; longer ones are cut away as damage. */
const nameBytes = 16 * 1024;

/** The name at an offset of the name table; undefined when it leaves the table or does not end. */
export function nameAt(table: LineTable, nameOffset: number): string | undefined {
  const { view } = table;
  const start = table.namesOffset + nameOffset;
  if (start >= view.byteLength) return undefined;
  const bytes = new Uint8Array(view.buffer, view.byteOffset + start, Math.min(nameBytes, view.byteLength - start));
  const end = bytes.indexOf(0);
  return end <= 0 ? undefined : decodeName(bytes.subarray(0, end));
}

function pointerAt(table: Pick<LineTable, "view" | "littleEndian" | "pointerBytes">, at: number): bigint | undefined {
  return fieldAt(table, at, table.pointerBytes);
}

function fieldAt({ view, littleEndian }: Pick<LineTable, "view" | "littleEndian">, at: number, width: 4 | 8): bigint | undefined {
  if (at + width > view.byteLength) return undefined;
  return width === 8 ? view.getBigUint64(at, littleEndian) : BigInt(view.getUint32(at, littleEndian));
}
