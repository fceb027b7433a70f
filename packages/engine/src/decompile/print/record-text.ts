import { storedSize, type RecordField, type RecordType, type StoredType } from "../types/value-type.js";
import { declared, recordText, typeText, type CType } from "./c-type.js";

/** Of a record with more members only those that are used are written out. */
const mostMembers = 40;

/** Which members a text uses, by record; layouts follow from it, so it is whole before the first is asked for. */
type UsedMembers = ReadonlyMap<RecordType, ReadonlySet<string>>;

interface Layout {
  readonly lines: readonly string[];
  readonly alignment: number;
  readonly isPacked: boolean;
}

/** Writes records so that C lays them out as they are: with gaps and packing where its own rules give something else. */
export class RecordWriter {
  readonly #used: UsedMembers;
  readonly #layouts = new Map<RecordType, Layout>();

  constructor(used: UsedMembers) {
    this.#used = used;
  }

  /** Definitions of the records and of those inside them, each behind what it needs. */
  definitions(records: Iterable<RecordType>): string[] {
    const done = new Set<RecordType>();
    const lines: string[] = [];
    const write = (record: RecordType): void => {
      if (done.has(record) || record.isOfHeader) return;
      done.add(record);
      for (const field of this.#members(record)) innerRecords(field.type).forEach(write);
      const { lines: members, isPacked } = this.#layout(record);
      const packed = isPacked ? "__attribute__((packed)) " : "";
      if (record.isInferred === true) lines.push("/* As the code reaches into it: members that it does not use, and names, are not known. */");
      lines.push(`${record.keyword} ${packed}${record.tag} {`, ...members.map((text) => `  ${text}`), "};");
    };
    [...records].sort((a, b) => (a.tag < b.tag ? -1 : 1)).forEach(write);
    return lines;
  }

  #members(record: RecordType): readonly RecordField[] {
    const all = record.fields();
    if (all.length <= mostMembers) return all;
    const used = this.#used.get(record);
    return all.filter(({ name }) => used?.has(name) === true);
  }

  #layout(record: RecordType): Layout {
    let found = this.#layouts.get(record);
    if (found === undefined) this.#layouts.set(record, (found = this.#laidOut(record, false) ?? this.#laidOut(record, true) ?? { lines: [], alignment: 1, isPacked: true }));
    return found;
  }

  /** Undefined where natural alignment cannot give the places. */
  #laidOut(record: RecordType, isPacked: boolean): Layout | undefined {
    const lines: string[] = [];
    let end = 0;
    let strictest = 1;
    for (const field of this.#members(record)) {
      const alignment = isPacked ? 1 : this.#alignment(field.type);
      strictest = Math.max(strictest, alignment);
      if (field.offset % alignment !== 0) return undefined;
      if (record.keyword === "struct" && roundedUp(end, alignment) !== field.offset) lines.push(gap(end, field.offset));
      lines.push(`${memberText(field.type, field.name, lines.length > 0)};`);
      end = Math.max(end, field.offset + field.sizeBytes);
    }
    if (record.sizeBytes % strictest !== 0) return undefined;
    if (roundedUp(end, strictest) !== record.sizeBytes) lines.push(record.keyword === "struct" ? gap(end, record.sizeBytes) : gap(0, record.sizeBytes));
    return { lines, alignment: strictest, isPacked };
  }

  #alignment(type: StoredType): number {
    if (type.kind === "record") return type.isOfHeader ? 8 : this.#layout(type).alignment;
    return type.kind === "array" ? this.#alignment(type.of) : storedSize(type);
  }
}

/** Records that stand inside a value of the type. */
export function innerRecords(type: StoredType): RecordType[] {
  if (type.kind === "record") return [type];
  return type.kind === "array" ? innerRecords(type.of) : [];
}

/** A declaration of something of the type. */
export function memberText(type: StoredType, name: string, isBehind = true): string {
  let of: StoredType = type;
  let dimensions = "";
  for (; of.kind === "array"; of = of.of) dimensions += of.count === undefined ? (isBehind ? "[]" : "[0]") : `[${String(of.count)}]`;
  const whole = name + dimensions;
  if (of.kind === "record") return `${recordText(of)} ${whole}`;
  return isText(of, dimensions) ? `char ${whole}` : declared(of, whole);
}

function isText(type: CType, dimensions: string): boolean {
  return dimensions !== "" && typeText(type) === "int8_t";
}

/** Bytes that have no name of their own: padding, bit fields, what was left out. */
function gap(start: number, end: number): string {
  return `uint8_t gap_${start.toString(16)}[${String(end - start)}];`;
}

function roundedUp(value: number, to: number): number {
  return Math.ceil(value / to) * to;
}
