import { isFormatError } from "../../findings.js";
import { decodeName } from "../../name-text.js";
import { readValue } from "./attribute-values.js";
import { DebugCursor } from "./debug-cursor.js";
import type { Entries, Unit } from "./entries.js";

const mostFiles = 100_000;

/** Names of source files by the numbers that entries use, from the headers of line tables. */
export class FileNames {
  readonly #entries: Entries;
  readonly #byUnit = new Map<number, readonly string[]>();

  constructor(entries: Entries) {
    this.#entries = entries;
  }

  /** Without its directory; undefined for a number that the table does not have. */
  name(unit: Unit, index: number): string | undefined {
    let names = this.#byUnit.get(unit.position);
    if (names === undefined) this.#byUnit.set(unit.position, (names = this.#read(unit)));
    const found = names[index];
    return found === undefined || found === "" ? undefined : found.slice(found.lastIndexOf("/") + 1);
  }

  #read(unit: Unit): readonly string[] {
    if (unit.lines === undefined) return [];
    const cursor = new DebugCursor(this.#entries.sections.bytes("line"), this.#entries.littleEndian);
    try {
      cursor.take(unit.lines);
      return this.#header(cursor, unit);
    } catch (error) {
      if (!isFormatError(error)) throw error;
      return [];
    }
  }

  /** DWARF 5 §6.2.4; before version 5 numbers start at 1 and lists end with an empty name. */
  #header(cursor: DebugCursor, unit: Unit): readonly string[] {
    const short = cursor.u32();
    const offsetSize = short === 0xffffffff ? 8 : 4;
    if (offsetSize === 8) cursor.take(8);
    const version = cursor.u16();
    if (version >= 5) cursor.take(2);
    cursor.offset(offsetSize);
    cursor.take(version >= 4 ? 5 : 4);
    cursor.take(Math.max(0, cursor.u8() - 1));
    if (version >= 5) {
      this.#table(cursor, unit, offsetSize);
      return this.#table(cursor, unit, offsetSize);
    }
    while (cursor.text().length > 0);
    const names = [""];
    for (let name = cursor.text(); name.length > 0 && names.length < mostFiles; name = cursor.text()) {
      names.push(decodeName(name));
      for (let number = 0; number < 3; number += 1) cursor.uleb();
    }
    return names;
  }

  #table(cursor: DebugCursor, unit: Unit, offsetSize: 4 | 8): string[] {
    const shape: { readonly content: number; readonly form: number }[] = [];
    for (let count = cursor.u8(); count > 0; count -= 1) shape.push({ content: cursor.uleb(), form: cursor.uleb() });
    const names: string[] = [];
    for (let count = Math.min(cursor.uleb(), mostFiles); count > 0 && shape.length > 0; count -= 1) {
      let name = "";
      for (const { content, form } of shape) {
        const value = readValue(cursor, form, { ...unit, offsetSize }, undefined);
        if (content === 1) name = this.#entries.textOfValue(value, unit) ?? "";
      }
      names.push(name);
    }
    return names;
  }
}
