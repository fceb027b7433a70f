import { checkRange } from "@rea/core";
import { DebugCursor } from "./debug-cursor.js";
import { form } from "./dwarf-numbers.js";

/** The shape of entries: a tag, whether children follow, and which attributes stand in which form. */
export interface Abbreviation {
  readonly tag: number;
  readonly hasChildren: boolean;
  /** Attribute and form alternate. */
  readonly specification: readonly number[];
  /** Values of `implicit_const`, by position of the attribute in the list. */
  readonly constants: ReadonlyMap<number, bigint>;
  readonly names: ReadonlySet<number>;
}

/** More than any compiler makes in one table. */
const mostAbbreviations = 200_000;
const mostAttributes = 512;
const mostTables = 100_000;

/** Tables of abbreviations by their offset, each read once. */
export class AbbreviationTables {
  readonly #bytes: Uint8Array;
  readonly #littleEndian: boolean;
  readonly #tables = new Map<number, ReadonlyMap<number, Abbreviation>>();
  #count = 0;

  constructor(bytes: Uint8Array, littleEndian: boolean) {
    this.#bytes = bytes;
    this.#littleEndian = littleEndian;
  }

  /** Throws the range error for a table that leaves its section. */
  at(offset: number): ReadonlyMap<number, Abbreviation> {
    const known = this.#tables.get(offset);
    if (known !== undefined) return known;
    const read = this.#read(offset);
    if (this.#tables.size < mostTables) this.#tables.set(offset, read);
    return read;
  }

  #read(offset: number): ReadonlyMap<number, Abbreviation> {
    const cursor = new DebugCursor(this.#bytes, this.#littleEndian, offset);
    const table = new Map<number, Abbreviation>();
    for (let code = cursor.uleb(); code !== 0; code = cursor.uleb()) {
      // Overlapping tables of a hostile file would be read again for every unit.
      this.#count += 1;
      if (this.#count > mostAbbreviations * 10 || table.size > mostAbbreviations) checkRange(cursor.at, Number.POSITIVE_INFINITY, cursor.end);
      const read = readAbbreviation(cursor);
      if (!table.has(code)) table.set(code, read);
    }
    return table;
  }
}

function readAbbreviation(cursor: DebugCursor): Abbreviation {
  const tag = cursor.uleb();
  const hasChildren = cursor.u8() !== 0;
  const specification: number[] = [];
  const constants = new Map<number, bigint>();
  for (;;) {
    const name = cursor.uleb();
    const kind = cursor.uleb();
    if (kind === form.implicitConst) constants.set(specification.length / 2, cursor.slebBig());
    if (name === 0 && kind === 0) break;
    specification.push(name, kind);
    if (specification.length > 2 * mostAttributes) checkRange(cursor.at, Number.POSITIVE_INFINITY, cursor.end);
  }
  const names = new Set(specification.filter((_, index) => index % 2 === 0));
  return { tag, hasChildren, specification, constants, names };
}
