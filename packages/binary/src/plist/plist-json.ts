import { escapeUntrusted, omission, sha256Hex, truncateCodePoints, type JsonValue, type Omission } from "@rea/core";
import { keyPathStep } from "./key-path.js";
import type { PlistArray, PlistDictionary, PlistProblem, PlistValue } from "./property-list.js";
import { dateText } from "./xml-values.js";

export interface PlistJsonBounds {
  /** Containers inside containers. */
  readonly depth: number;
  readonly values: number;
  /** Characters of all text together, base64 of data among it. */
  readonly characters: number;
  /** Bytes of one data value that are given. */
  readonly dataBytes: number;
  readonly typed: number;
}

const plistJsonBounds: PlistJsonBounds = { depth: 40, values: 20_000, characters: 512 * 1024, dataBytes: 16 * 1024, typed: 200 };

/** A value whose type its JSON form does not show. */
export interface TypedPlace {
  readonly key_path: string;
  readonly type: "date" | "data" | "real" | "integer" | "uid" | "set" | "null" | "unreadable";
  readonly offset: number;
}

export interface PlistJson {
  readonly value: JsonValue;
  readonly typed: readonly TypedPlace[];
  readonly typedTotal: number;
  readonly duplicateKeys: number;
  readonly omissions: readonly Omission[];
}

/**
 * A value as JSON: text escaped, dates RFC 3339, data as `{data, bytes, sha256}` with base64, integers beyond the safe
 * range and reals as strings, UIDs as `{uid}`. What is beyond a bound, unreadable or a cycle is null and an omission.
 */
export function plistJson(root: PlistValue, bounds: PlistJsonBounds = plistJsonBounds): PlistJson {
  const writer = new JsonWriter(bounds);
  const value = writer.write(root, "");
  return { value, typed: writer.typed, typedTotal: writer.typedTotal, duplicateKeys: writer.duplicateKeys, omissions: writer.omissions() };
}

/** A place with a longer path is counted only. */
const longestPath = 1024;

type Left = "limit_depth" | "limit_items" | "malformed";

class JsonWriter {
  readonly typed: TypedPlace[] = [];
  typedTotal = 0;
  duplicateKeys = 0;
  readonly #bounds: PlistJsonBounds;
  readonly #around = new Set<PlistValue>();
  readonly #left = new Map<Left, number>();
  #values = 0;
  #characters = 0;

  constructor(bounds: PlistJsonBounds) {
    this.#bounds = bounds;
  }

  omissions(): Omission[] {
    const found: Omission[] = [];
    const { depth, values } = this.#bounds;
    const how_to_continue = "Ask for the part with `root`.";
    const deep = this.#left.get("limit_depth");
    const many = this.#left.get("limit_items");
    const damaged = this.#left.get("malformed");
    if (deep !== undefined) found.push(omission("Values nested deeper than the bound are null.", "limit_depth", { count: deep, limit: depth, how_to_continue }));
    if (many !== undefined) found.push(omission("Values beyond the size of one answer.", "limit_items", { count: many, limit: values, how_to_continue }));
    if (damaged !== undefined) found.push(omission("Values that cannot be read are null.", "malformed", { count: damaged }));
    return found;
  }

  write(value: PlistValue, path: string): JsonValue {
    this.#values += 1;
    switch (value.kind) {
      case "string":
        return this.#text(value.text);
      case "boolean":
        return value.value;
      case "integer":
        return this.#integer(value.value, value.offset, path);
      case "real":
        this.#note("real", value.offset, path);
        return Object.is(value.value, -0) ? "-0" : String(value.value);
      case "date":
        this.#note("date", value.offset, path);
        return dateText(value.seconds) ?? `${String(value.seconds)} s from 2001-01-01T00:00:00Z`;
      case "data":
        this.#note("data", value.offset, path);
        return this.#data(value.bytes);
      case "uid":
        this.#note("uid", value.offset, path);
        return { uid: plainInteger(value.value) };
      case "null":
        this.#note("null", value.offset, path);
        return null;
      case "array":
      case "set":
        if (value.kind === "set") this.#note("set", value.offset, path);
        return this.#inside(value, () => this.#array(value, path));
      case "dictionary":
        return this.#inside(value, () => this.#dictionary(value, path));
      case "unreadable":
        this.#note("unreadable", value.offset, path);
        return this.#leave("malformed");
    }
  }

  #integer(value: bigint, offset: number, path: string): JsonValue {
    const plain = plainInteger(value);
    if (typeof plain === "string") this.#note("integer", offset, path);
    return plain;
  }

  #text(text: string): string {
    const { text: kept, truncated } = truncateCodePoints(text, Math.max(0, this.#bounds.characters - this.#characters));
    this.#characters += kept.length;
    if (truncated) this.#leave("limit_items");
    return escapeUntrusted(kept, { multiline: true });
  }

  #data(bytes: Uint8Array): JsonValue {
    const room = Math.floor(((this.#bounds.characters - this.#characters) / 4) * 3);
    const shown = bytes.subarray(0, Math.max(0, Math.min(this.#bounds.dataBytes, room)));
    const data = Buffer.from(shown).toString("base64");
    this.#characters += data.length;
    const truncated = shown.byteLength < bytes.byteLength;
    if (truncated) this.#leave("limit_items");
    return { data, data_truncated: truncated, bytes: bytes.byteLength, sha256: sha256Hex(bytes) };
  }

  /** Runs `write` unless the container is around itself or too deep. */
  #inside(container: PlistArray | PlistDictionary, write: () => JsonValue): JsonValue {
    if (this.#around.has(container)) return this.#leave("malformed");
    if (this.#around.size >= this.#bounds.depth) return this.#leave("limit_depth");
    this.#around.add(container);
    try {
      return write();
    } finally {
      this.#around.delete(container);
    }
  }

  #array(list: PlistArray, path: string): JsonValue {
    const items: JsonValue[] = [];
    for (let index = 0; index < list.length && this.#hasRoom(list.length - index); index += 1) {
      items.push(this.write(list.item(index), keyPathStep(path, String(index))));
    }
    return items;
  }

  #dictionary(list: PlistDictionary, path: string): JsonValue {
    const entries = new Map<string, JsonValue>();
    for (let index = 0; index < list.length && this.#hasRoom(list.length - index); index += 1) {
      const key = list.key(index);
      const name = key.kind === "string" ? key.text : `(${key.kind} ${String(index)})`;
      this.#characters += name.length;
      const shown = escapeUntrusted(name);
      if (entries.has(shown)) this.duplicateKeys += 1;
      entries.set(shown, this.write(list.value(index), keyPathStep(path, shown)));
    }
    // fromEntries defines members, so "__proto__" stays an own key.
    return Object.fromEntries(entries);
  }

  #hasRoom(left: number): boolean {
    if (this.#values < this.#bounds.values && this.#characters < this.#bounds.characters) return true;
    this.#left.set("limit_items", (this.#left.get("limit_items") ?? 0) + left);
    return false;
  }

  #note(type: TypedPlace["type"], offset: number, path: string): void {
    this.typedTotal += 1;
    if (this.typed.length < this.#bounds.typed && path.length <= longestPath) this.typed.push({ key_path: path, type, offset });
  }

  #leave(reason: Left): null {
    this.#left.set(reason, (this.#left.get(reason) ?? 0) + 1);
    return null;
  }
}

function plainInteger(value: bigint): number | string {
  const safe = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return safe ? Number(value) : String(value);
}

/** What each problem means, for a person. */
export const plistProblems: { readonly [P in PlistProblem]: string } = {
  truncated: "The list ends, or a count leads out of it, before everything that it announces.",
  bad_trailer: "The 32 bytes at the end do not describe a table of offsets inside the file.",
  bad_reference: "A reference leads to no object.",
  unknown_type: "An object has a type that the format does not know.",
  bad_text: "Text is not valid in its encoding, or too long for its escapes to be read.",
  bad_number: "A number or length cannot be read.",
  bad_date: "A date cannot be read.",
  bad_data: "Data are neither base64 nor pairs of hexadecimal digits.",
  depth: "Containers are nested deeper than they are read.",
  cycle: "A container holds itself.",
  syntax: "Something stands where it does not belong.",
  missing_key: "A value has no key.",
  missing_value: "A key has no value.",
  unknown_element: "An element does not belong into a property list.",
  entity_declaration: "The document declares entities of its own; they are not expanded.",
  unknown_entity: "An entity is not one of the five; it is left as it stands.",
  trailing_data: "Something follows after the end of the list.",
  too_many_values: "The list has more values than are read.",
};
