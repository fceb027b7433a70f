import { address, checkRange, type Address } from "@rea/core";
import { decodeName } from "../../name-text.js";
import { AbbreviationTables, type Abbreviation } from "./abbreviations.js";
import { readValue, type AttributeValue } from "./attribute-values.js";
import { DebugCursor } from "./debug-cursor.js";
import type { DebugSections } from "./debug-sections.js";
import { attribute, tag } from "./dwarf-numbers.js";
import { readUnits, type UnitHeader } from "./units.js";

/** One entry; its `id` counts over `.debug_info` and then `.debug_types`. */
export interface Entry {
  readonly id: number;
  readonly tag: number;
  readonly hasChildren: boolean;
  readonly attributes: ReadonlyMap<number, AttributeValue>;
  /** Id of what stands behind its attributes: its first child, or the next entry. */
  readonly next: number;
  readonly unit: Unit;
}

/** A unit with what its first entry says about the tables it uses. */
export interface Unit extends UnitHeader {
  readonly position: number;
  readonly language: number;
  readonly producer: string;
  readonly lowPc: bigint;
  readonly strOffsetsBase: number;
  readonly addrBase: number;
  readonly rnglistsBase: number;
  readonly loclistsBase: number;
  /** Of its part of `.debug_line`. */
  readonly lines: number | undefined;
}

const longestName = 16_384;
const deepest = 1024;
const longestChain = 5;

/** Reads entries wherever a reference leads. Damage throws the range error. */
export class Entries {
  readonly sections: DebugSections;
  readonly headers: readonly UnitHeader[];
  readonly #abbreviations: AbbreviationTables;
  readonly #units = new Map<number, Unit>();
  readonly #infoSize: number;
  #signatures: ReadonlyMap<bigint, number> | undefined;

  constructor(sections: DebugSections) {
    this.sections = sections;
    this.headers = readUnits(sections);
    this.#abbreviations = new AbbreviationTables(sections.bytes("abbrev"), this.littleEndian);
    this.#infoSize = sections.bytes("info").length;
  }

  get littleEndian(): boolean {
    return this.sections.image.endian === "little";
  }

  idOf(section: "info" | "types", offset: number): number {
    return section === "info" ? offset : this.#infoSize + offset;
  }

  /** Abbreviations of a unit. */
  table(header: UnitHeader): ReadonlyMap<number, Abbreviation> {
    return this.#abbreviations.at(header.abbreviations);
  }

  cursor(section: "info" | "types", at: number, end: number): DebugCursor {
    return new DebugCursor(this.sections.bytes(section), this.littleEndian, at, end);
  }

  /** The unit at a position of `headers`, with its first entry read. */
  unit(position: number): Unit {
    const known = this.#units.get(position);
    if (known !== undefined) return known;
    const header = this.headers[position];
    if (header === undefined) damaged();
    const made = this.#openUnit(header, position);
    this.#units.set(position, made);
    return made;
  }

  #openUnit(header: UnitHeader, position: number): Unit {
    const headerSize = header.offsetSize === 8 ? 16 : 8;
    // Where the unit does not name its part of a table, the part is behind the table's header (or at its start, before DWARF 5).
    const plain: Unit = {
      ...header, position, language: 0, producer: "", lowPc: 0n, strOffsetsBase: header.version >= 5 ? headerSize : 0, addrBase: header.version >= 5 ? headerSize : 0, rnglistsBase: headerSize + 4, loclistsBase: headerSize + 4, lines: undefined,
    };
    const first = this.#readAt(plain, header.entries);
    const bases: Unit = {
      ...plain,
      strOffsetsBase: numberOf(first, attribute.strOffsetsBase) ?? plain.strOffsetsBase,
      addrBase: numberOf(first, attribute.addrBase) ?? plain.addrBase,
      rnglistsBase: numberOf(first, attribute.rnglistsBase) ?? plain.rnglistsBase,
      loclistsBase: numberOf(first, attribute.loclistsBase) ?? plain.loclistsBase,
      lines: numberOf(first, attribute.statementList),
    };
    if (first.attributes.has(attribute.dwoName) || first.attributes.has(attribute.gnuDwoName)) this.sections.findings.note("debug information", "missing_companion", "Parts of it are in .dwo files beside the program, which are not read.");
    const entry = { ...first, unit: bases };
    const low = this.addressOf(entry, attribute.lowPc);
    return { ...bases, language: numberOf(first, attribute.language) ?? 0, producer: this.textOf(entry, attribute.producer) ?? "", lowPc: low ?? 0n };
  }

  /** The entry with that id; throws the range error where there is none. */
  entry(id: number): Entry {
    const section = id < this.#infoSize ? "info" : "types";
    const offset = section === "info" ? id : id - this.#infoSize;
    const position = this.#positionOf(section, offset);
    const unit = this.unit(position);
    return this.#readAt(unit, offset);
  }

  /** Entries right under another, in order. */
  *children(parent: Entry): Generator<Entry, void, undefined> {
    if (!parent.hasChildren) return;
    const end = this.idOf(parent.unit.section, parent.unit.end);
    let id = parent.next;
    while (id < end) {
      const child = this.#readAt(parent.unit, id - (parent.unit.section === "types" ? this.#infoSize : 0));
      if (child.tag === 0) return;
      yield child;
      id = this.#behind(child, end);
    }
  }

  /** The entry that an attribute refers to; undefined where it is missing or in another file. */
  referred(entry: Entry, name: number): number | undefined {
    const value = entry.attributes.get(name);
    switch (value?.kind) {
      case "reference":
        return this.idOf(entry.unit.section, value.value);
      case "far_reference":
        return value.value;
      case "signature":
        return this.#typeUnits().get(value.value);
      case "elsewhere":
        this.sections.findings.note("debug information", "missing_companion", "Parts of it are in a supplementary file, which is not read.");
        return undefined;
      default:
        return undefined;
    }
  }

  /** The entry, what it is an instance of, and what that completes: each says what the ones before do not. */
  chain(entry: Entry): readonly Entry[] {
    const found = [entry];
    for (let at: Entry | undefined = entry; at !== undefined && found.length < longestChain; ) {
      const id: number | undefined = this.referred(at, attribute.abstractOrigin) ?? this.referred(at, attribute.specification);
      at = id === undefined ? undefined : this.entry(id);
      if (at !== undefined) found.push(at);
    }
    return found;
  }

  /** The type that the entry, or what it is an instance of, has. */
  typeOf(entry: Entry): number | undefined {
    const found = entry.attributes.has(attribute.type) ? entry : this.chain(entry).find(({ attributes }) => attributes.has(attribute.type));
    return found === undefined ? undefined : this.referred(found, attribute.type);
  }

  nameOf(entry: Entry): string | undefined {
    for (const each of this.chain(entry)) {
      const text = this.textOf(each, attribute.name);
      if (text !== undefined && text !== "") return text;
    }
    return undefined;
  }

  /** Text of an attribute, with control characters kept as they are. */
  textOf(entry: Entry, name: number): string | undefined {
    const value = entry.attributes.get(name);
    return value === undefined ? undefined : this.textOfValue(value, entry.unit);
  }

  textOfValue(value: AttributeValue, unit: Unit): string | undefined {
    const bytes = this.#stringBytes(value, unit);
    return bytes === undefined ? undefined : decodeName(bytes.subarray(0, longestName));
  }

  addressOf(entry: Entry, name: number): Address | undefined {
    const value = entry.attributes.get(name);
    if (value?.kind === "address") return address(value.value);
    return value?.kind === "address_index" ? this.addressAt(entry.unit, value.value) : undefined;
  }

  /** The address with that index in the unit's part of `.debug_addr`. */
  addressAt(unit: Unit, index: number): Address {
    const cursor = new DebugCursor(this.sections.bytes("addr"), this.littleEndian);
    cursor.take(unit.addrBase);
    cursor.take(index * unit.addressSize);
    return address(cursor.unsigned(unit.addressSize));
  }

  #stringBytes(value: AttributeValue, unit: Unit): Uint8Array | undefined {
    if (value.kind === "string") return value.value;
    if (value.kind === "string_offset") return this.#stringAt(value.section, value.value);
    if (value.kind !== "string_index") return undefined;
    const cursor = new DebugCursor(this.sections.bytes("str_offsets"), this.littleEndian);
    cursor.take(unit.strOffsetsBase);
    cursor.take(value.value * unit.offsetSize);
    return this.#stringAt("str", cursor.offset(unit.offsetSize));
  }

  #stringAt(section: "str" | "line_str", offset: number): Uint8Array {
    const bytes = this.sections.bytes(section);
    checkRange(offset, 0, bytes.length);
    const end = bytes.indexOf(0, offset);
    return bytes.subarray(offset, end < 0 ? bytes.length : end);
  }

  #behind(child: Entry, end: number): number {
    if (!child.hasChildren) return child.next;
    const sibling = this.referred(child, attribute.sibling);
    if (sibling !== undefined && sibling > child.next && sibling <= end) return sibling;
    let id = child.next;
    const { section } = child.unit;
    for (let depth = 1; depth > 0; ) {
      const inner = this.#readAt(child.unit, section === "types" ? id - this.#infoSize : id);
      id = inner.next;
      if (inner.tag === 0) depth -= 1;
      else if (inner.hasChildren) depth += 1;
      if (depth > deepest) damaged();
    }
    return id;
  }

  #readAt(unit: Unit, offset: number): Entry {
    const cursor = this.cursor(unit.section, offset, unit.end);
    const code = cursor.uleb();
    const id = this.idOf(unit.section, offset);
    if (code === 0) return { id, tag: 0, hasChildren: false, attributes: noAttributes, next: this.idOf(unit.section, cursor.at), unit };
    const shape = this.table(unit).get(code);
    if (shape === undefined) damaged();
    const attributes = new Map<number, AttributeValue>();
    const { specification } = shape;
    for (let index = 0; index < specification.length; index += 2) {
      const value = readValue(cursor, specification[index + 1] ?? 0, unit, shape.constants.get(index / 2));
      attributes.set(specification[index] ?? 0, value);
    }
    return { id, tag: shape.tag, hasChildren: shape.hasChildren, attributes, next: this.idOf(unit.section, cursor.at), unit };
  }

  #positionOf(section: "info" | "types", offset: number): number {
    let low = 0;
    let high = this.headers.length;
    const id = this.idOf(section, offset);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const header = this.headers[middle];
      if (header !== undefined && this.idOf(header.section, header.start) <= id) low = middle + 1;
      else high = middle;
    }
    const found = this.headers[low - 1];
    if (found === undefined || found.section !== section || offset < found.entries || offset >= found.end) damaged();
    return low - 1;
  }

  #typeUnits(): ReadonlyMap<bigint, number> {
    this.#signatures ??= new Map(this.headers.flatMap(({ signature, typeEntry, section }) => (signature === undefined || typeEntry === undefined ? [] : [[signature, this.idOf(section, typeEntry)]])));
    return this.#signatures;
  }
}

const noAttributes: ReadonlyMap<number, AttributeValue> = new Map();

/** A constant or offset as a number; undefined for anything else and beyond 2^53. */
export function numberOf(entry: Entry, name: number): number | undefined {
  const value = entry.attributes.get(name);
  if (value?.kind === "section_offset") return value.value;
  if (value?.kind !== "constant" || value.value < 0n || value.value > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return Number(value.value);
}

export function isFlagged(entry: Entry, name: number): boolean {
  const value = entry.attributes.get(name);
  return value?.kind === "flag" && value.value;
}

export function isType(kind: number): boolean {
  return typeTags.has(kind);
}

const typeTags = new Set<number>([
  tag.arrayType, tag.classType, tag.enumerationType, tag.pointerType, tag.referenceType, tag.stringType, tag.structureType, tag.subroutineType, tag.typedef, tag.unionType, tag.pointerToMember,
  tag.setType, tag.subrangeType, tag.baseType, tag.constType, tag.volatileType, tag.restrictType, tag.interfaceType, tag.unspecifiedType, tag.rvalueReferenceType, tag.atomicType,
]);

/** Throws the range error, as reads past the end do. */
function damaged(): never {
  checkRange(0, Number.POSITIVE_INFINITY, 0);
  throw new RangeError("unreachable");
}
