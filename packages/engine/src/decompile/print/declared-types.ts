import { debugOfImage } from "../../debug-types/debug-of-image.js";
import { recordTypes } from "../../debug-types/value-type.js";
import { libraryFunction } from "../calls/library.js";
import type { ProgramView } from "../program/program-view.js";
import type { Enumeration, RecordType, StoredType } from "../types/value-type.js";
import { innerRecords, RecordWriter } from "./record-text.js";
import type { NamedConstant, Referenced } from "./references.js";

export interface DeclaredTypes {
  readonly lines: readonly string[];
  /** Values of the constants that the lines define. */
  readonly constants: ReadonlyMap<string, bigint>;
}

/** Definitions of the records and enums that texts need, and declarations of those they only name. */
export function declaredTypes(referenced: readonly Referenced[], texts: readonly string[], view: ProgramView): DeclaredTypes {
  const used = new Map<RecordType, Set<string>>();
  for (const { records } of referenced) for (const [record, members] of records) used.set(record, new Set([...(used.get(record) ?? []), ...members]));
  const objects = referenced.flatMap(({ objects: all }) => [...all.values()].flatMap(({ type }) => type ?? []));
  for (const record of objects.flatMap(innerRecords)) if (!used.has(record)) used.set(record, new Set());
  const writer = new RecordWriter(used);
  const definitions = writer.definitions(used.keys());
  const all = [...texts, ...definitions, ...objects.flatMap(enumText)];
  const enums = enumLines(referenced.flatMap(({ constants }) => [...constants.values()]), tagsIn(all, "enum"), view);
  const defined = new Set(tagsIn(definitions.filter((line) => line.endsWith("{")), "struct|union"));
  const ofHeaders = new Set([...used.keys()].filter(({ isOfHeader }) => isOfHeader).map(({ tag }) => tag));
  const forward = new Set(all.flatMap((text) => [...text.matchAll(/\b(struct|union) (\w+) \*/g)].flatMap(([, keyword = "", tag = ""]) => (defined.has(tag) || ofHeaders.has(tag) ? [] : [`${keyword} ${tag};`]))));
  return { lines: [...enums.lines, ...[...forward].sort(), ...definitions], constants: enums.constants };
}

function enumText(type: StoredType): string[] {
  if (type.kind === "array") return enumText(type.of);
  return type.kind === "int" && type.names?.isWhole === true ? [`enum ${type.names.tag}`] : [];
}

function tagsIn(texts: readonly string[], keyword: string): string[] {
  const pattern = new RegExp(`\\b(?:${keyword}) (?:__attribute__\\(\\(packed\\)\\) )?(\\w+)`, "g");
  return texts.flatMap((text) => [...text.matchAll(pattern)].flatMap(([, tag]) => tag ?? []));
}

function enumLines(named: readonly NamedConstant[], tags: readonly string[], view: ProgramView): DeclaredTypes {
  const debug = debugOfImage(view.program.image);
  const found = new Set<Enumeration>(named.map(({ of }) => of));
  for (const tag of new Set(tags)) {
    const known = debug === undefined ? undefined : recordTypes(debug).enumOfTag(tag);
    if (known !== undefined) found.add(known);
  }
  const constants = new Map<string, bigint>();
  const lines: string[] = [];
  for (const { tag, names } of [...found].sort((a, b) => (a.tag < b.tag ? -1 : 1))) {
    const own = [...names].filter(([, name]) => !constants.has(name) && libraryFunction(name) === undefined && !view.isNamed(name));
    let next = 0n;
    const values = own.map(([value, name]) => {
      constants.set(name, value);
      const text = value === next ? name : `${name} = ${constantText(value)}`;
      next = value + 1n;
      return text;
    });
    // An enum needs a constant; without one of its own it gets a name that nobody uses.
    lines.push(`enum ${tag} { ${values.length === 0 ? `rea_of_${tag}` : values.join(", ")} };`);
  }
  return { lines, constants };
}

function constantText(value: bigint): string {
  if (value === -0x80000000n) return "-0x7fffffff - 1";
  return value > 0x7fffffffn ? `${String(value)}u` : String(value);
}
