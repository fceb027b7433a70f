import { plistEntry, readPropertyList, type PlistValue, type PropertyList } from "@rea/binary";

export type ArchivedKind = PlistValue["kind"] | "class" | "object";

/** One object of an archive as it is stored: no class of it is made, references stay numbers. */
export interface ArchivedObject {
  readonly index: number;
  /** `object` has a class, `class` describes one; the others are plain values. */
  readonly kind: ArchivedKind;
  /** Name of its class; of the class it describes. Null where there is none or it leads nowhere. */
  readonly className: string | null;
  /** From the class itself to its root, as the archive tells; empty where it does not. */
  readonly hierarchy: readonly string[];
  /** Fields in stored order, without the reference to the class. */
  readonly fields: readonly { readonly key: string; readonly value: PlistValue }[];
  readonly value: PlistValue;
}

export interface KeyedArchive {
  readonly list: PropertyList;
  /** Class that wrote it, such as `NSKeyedArchiver`. */
  readonly archiver: string | null;
  readonly version: string | null;
  /** Named entry points: a reference, or a value in place. */
  readonly top: readonly { readonly name: string; readonly value: PlistValue; readonly reference: number | null }[];
  readonly count: number;
  object(index: number): ArchivedObject;
}

const mostTop = 500;
const longestHierarchy = 64;

/** Reads an archive of NSKeyedArchiver and its kin from the bytes of a property list; undefined when they hold none. */
export function readKeyedArchive(bytes: Uint8Array): KeyedArchive | undefined {
  const list = readPropertyList(bytes);
  return list === undefined ? undefined : keyedArchiveOf(list);
}

/** The archive that a property list is; undefined for any other list. */
export function keyedArchiveOf(list: PropertyList): KeyedArchive | undefined {
  const objects = plistEntry(list.root, "$objects");
  const archiver = plistEntry(list.root, "$archiver");
  const top = plistEntry(list.root, "$top");
  if (objects?.kind !== "array" || (archiver === undefined && top === undefined)) return undefined;
  const version = plistEntry(list.root, "$version");
  return {
    list,
    archiver: textOf(archiver) ?? null,
    version: version?.kind === "integer" ? String(version.value) : (textOf(version) ?? null),
    top: entriesOf(top, mostTop).map(({ key, value }) => ({ name: key, value, reference: referenceOf(value) ?? null })),
    count: objects.length,
    object: (index) => archivedObject(objects, index),
  };
}

/** The number that a value refers to; undefined when it is no reference. XML lists spell it as a dictionary of `CF$UID`. */
export function referenceOf(value: PlistValue): number | undefined {
  if (value.kind === "uid") return safe(value.value);
  if (value.kind !== "dictionary" || value.length !== 1) return undefined;
  const uid = plistEntry(value, "CF$UID");
  return uid?.kind === "integer" ? safe(uid.value) : undefined;
}

function safe(value: bigint): number | undefined {
  return value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined;
}

type Objects = Extract<PlistValue, { readonly kind: "array" | "set" }>;

function archivedObject(objects: Objects, index: number): ArchivedObject {
  const value = objects.item(index);
  const plain = { index, className: null, hierarchy: [], fields: [], value };
  if (value.kind === "string" && index === 0 && value.text === "$null") return { ...plain, kind: "null" };
  if (value.kind !== "dictionary") return { ...plain, kind: value.kind };
  const name = textOf(plistEntry(value, "$classname"));
  if (name !== undefined) return { ...plain, kind: "class", className: name, hierarchy: namesIn(plistEntry(value, "$classes")) };
  const reference = plistEntry(value, "$class");
  const fields = fieldsOf(value);
  if (reference === undefined) return { ...plain, kind: "dictionary", fields };
  const described = classAt(objects, referenceOf(reference));
  return { ...plain, kind: "object", fields, ...described };
}

function classAt(objects: Objects, index: number | undefined) {
  const described = index !== undefined && index < objects.length ? objects.item(index) : undefined;
  const className = described === undefined ? undefined : textOf(plistEntry(described, "$classname"));
  if (described === undefined || className === undefined) return { className: null, hierarchy: [] };
  return { className, hierarchy: namesIn(plistEntry(described, "$classes")) };
}

type Fields = readonly { readonly key: string; readonly value: PlistValue }[];

const listed = new WeakMap<PlistValue, Fields>();

/** Entries of a dictionary without the reference to its class; made once, as many objects may be one dictionary. */
function fieldsOf(value: PlistValue): Fields {
  const fields = listed.get(value) ?? entriesOf(value, Number.MAX_SAFE_INTEGER).filter(({ key }) => key !== "$class");
  listed.set(value, fields);
  return fields;
}

function entriesOf(value: PlistValue | undefined, most: number): Fields {
  if (value?.kind !== "dictionary") return [];
  return Array.from({ length: Math.min(value.length, most) }, (_, index) => {
    const key = value.key(index);
    return { key: key.kind === "string" ? key.text : "", value: value.value(index) };
  });
}

function namesIn(value: PlistValue | undefined): string[] {
  if (value?.kind !== "array") return [];
  const names = Array.from({ length: Math.min(value.length, longestHierarchy) }, (_, index) => textOf(value.item(index)));
  return names.filter((name) => name !== undefined);
}

function textOf(value: PlistValue | undefined): string | undefined {
  return value?.kind === "string" ? value.text : undefined;
}
