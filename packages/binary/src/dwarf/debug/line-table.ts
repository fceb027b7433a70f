import { isFormatError } from "../../findings.js";
import { DebugCursor } from "./debug-cursor.js";
import type { Entries, Unit } from "./entries.js";
import { lastAtOrBelow } from "./last-at-or-below.js";

/** From the address on, up to the next row's, code of a line; undefined behind the end of a sequence. */
export interface LineRow {
  readonly va: bigint;
  readonly place: { readonly file: number; readonly line: number } | undefined;
}

const mostRows = 2_000_000;

/** Rows of a unit's line table by address (DWARF 5 §6.2). What is damaged ends it. */
export function lineRows(entries: Entries, unit: Unit): readonly LineRow[] {
  if (unit.lines === undefined) return [];
  const rows: LineRow[] = [];
  const cursor = new DebugCursor(entries.sections.bytes("line"), entries.littleEndian);
  try {
    cursor.take(unit.lines);
    new LineProgram(cursor, unit, rows).run();
  } catch (error) {
    if (!isFormatError(error)) throw error;
  }
  // Of two rows at one address an end comes first: the other sequence goes on there.
  return rows.sort((a, b) => (a.va !== b.va ? (a.va < b.va ? -1 : 1) : Number(a.place !== undefined) - Number(b.place !== undefined)));
}

/** The row that covers an address. */
export function rowAt(rows: readonly LineRow[], va: bigint): LineRow | undefined {
  return rows[lastAtOrBelow(rows, va)];
}

interface Shape {
  readonly end: number;
  readonly step: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly firstSpecial: number;
  /** Numbers behind each standard operation. */
  readonly counts: readonly number[];
}

class LineProgram {
  readonly #cursor: DebugCursor;
  readonly #unit: Unit;
  readonly #rows: LineRow[];
  #va = 0n;
  #file = 1;
  #line = 1;

  constructor(cursor: DebugCursor, unit: Unit, rows: LineRow[]) {
    this.#cursor = cursor;
    this.#unit = unit;
    this.#rows = rows;
  }

  run(): void {
    const shape = this.#header();
    if (shape.lineRange === 0) return;
    while (this.#cursor.at < shape.end && this.#rows.length < mostRows) {
      const operation = this.#cursor.u8();
      if (operation >= shape.firstSpecial) this.#special(operation - shape.firstSpecial, shape);
      else if (operation === 0) this.#extended();
      else this.#standard(operation, shape);
    }
  }

  #header(): Shape {
    const cursor = this.#cursor;
    const short = cursor.u32();
    const offsetSize = short === 0xffffffff ? 8 : 4;
    const length = offsetSize === 8 ? cursor.offset(8) : short;
    const end = cursor.at + length;
    const version = cursor.u16();
    if (version >= 5) cursor.take(2);
    const headerLength = cursor.offset(offsetSize);
    const program = cursor.at + headerLength;
    const step = cursor.u8();
    // Operations of one instruction, which count only where several share one; and whether rows are statements.
    cursor.take(version >= 4 ? 2 : 1);
    const lineBase = (cursor.u8() << 24) >> 24;
    const lineRange = cursor.u8();
    const firstSpecial = cursor.u8();
    const counts = Array.from({ length: Math.max(0, firstSpecial - 1) }, () => cursor.u8());
    cursor.take(program - cursor.at);
    return { end: Math.min(end, cursor.end), step, lineBase, lineRange, firstSpecial, counts };
  }

  #row(): void {
    this.#rows.push({ va: this.#va, place: { file: this.#file, line: this.#line } });
  }

  #special(adjusted: number, { step, lineBase, lineRange }: Shape): void {
    this.#va += BigInt(Math.floor(adjusted / lineRange) * step);
    this.#line += lineBase + (adjusted % lineRange);
    this.#row();
  }

  #standard(operation: number, { step, firstSpecial, lineRange, counts }: Shape): void {
    const cursor = this.#cursor;
    switch (operation) {
      case 1:
        this.#row();
        return;
      case 2:
        this.#va += cursor.ulebBig() * BigInt(step);
        return;
      case 3:
        this.#line += Number(cursor.slebBig());
        return;
      case 4:
        this.#file = cursor.uleb();
        return;
      case 8:
        this.#va += BigInt(Math.floor((255 - firstSpecial) / lineRange) * step);
        return;
      case 9:
        this.#va += BigInt(cursor.u16());
        return;
      default:
        for (let left = counts[operation - 1] ?? 0; left > 0; left -= 1) cursor.ulebBig();
    }
  }

  #extended(): void {
    const cursor = this.#cursor;
    const length = cursor.uleb();
    if (length === 0) return;
    const end = cursor.at + length;
    const operation = cursor.u8();
    if (operation === 1) {
      this.#rows.push({ va: this.#va, place: undefined });
      [this.#va, this.#file, this.#line] = [0n, 1, 1];
    } else if (operation === 2) this.#va = cursor.unsigned(this.#unit.addressSize);
    cursor.take(end - cursor.at);
  }
}
