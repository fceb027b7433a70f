import { compareCodePoints, isJsonObject, jsonValue, ReaError, z, type JsonObject, type JsonValue } from "@rea/core";

const count = z.number().int().nonnegative();

/** One item or member; `value` is null and `left_out` says what it is where it is too large to stand in a list. */
export const wholeRowSchema = z.strictObject({
  pointer: z.string(),
  value: jsonValue,
  left_out: z.strictObject({ kind: z.enum(["array", "object", "string"]), total: count, bytes: count }).nullable(),
});
type Row = z.output<typeof wholeRowSchema>;

interface Wanted {
  readonly pointer: string;
  readonly offset: number;
  readonly limit: number;
}

interface Page {
  readonly kind: "array" | "object" | "string" | "number" | "boolean" | "null";
  readonly total: number;
  readonly next_offset: number | null;
  rows: Row[];
  readonly text: string | null;
  readonly value: number | boolean | null;
}

/** Of JSON, of one row and of all rows of a page. */
const rowBytes = 8 * 1024;
const pageBytes = 48 * 1024;
const textCharacters = 16_384;

const nothing = { total: 1, next_offset: null, rows: [], text: null, value: null } as const;

/** A page of what a JSON pointer finds in a retained whole. Throws `invalid_request` for a pointer that finds nothing. */
export function pageOfWhole(whole: JsonValue, { pointer, offset, limit }: Wanted): Page {
  const found = valueAt(whole, pointer);
  if (found === null) return { ...nothing, rows: [], kind: "null" };
  if (typeof found === "string") return textPage(found, offset);
  if (typeof found === "number") return { ...nothing, rows: [], kind: "number", value: found };
  if (typeof found === "boolean") return { ...nothing, rows: [], kind: "boolean", value: found };
  const isObject = isJsonObject(found);
  const all = isObject ? membersOf(found) : found.map((value, index) => [String(index), value] as const);
  const total = all.length;
  const rows = fittingRows(all.slice(offset, offset + limit).map(([key, value]) => rowOf(`${pointer}/${escaped(key)}`, value)));
  const end = offset + rows.length;
  return { ...nothing, kind: isObject ? "object" : "array", total, next_offset: end < total && rows.length > 0 ? end : null, rows };
}

/** In order of their names, which is that of the canonical JSON. */
function membersOf(value: JsonObject): (readonly [string, JsonValue])[] {
  return Object.entries(value).sort(([a], [b]) => compareCodePoints(a, b));
}

/** A piece never ends inside a surrogate pair. */
function textPage(text: string, offset: number): Page {
  const cut = text.slice(offset, offset + textCharacters);
  const end = offset + cut.length;
  const whole = end < text.length && /[\ud800-\udbff]$/u.test(cut) ? cut.slice(0, -1) : cut;
  const next = offset + whole.length;
  return { ...nothing, rows: [], kind: "string", total: text.length, next_offset: next < text.length && whole !== "" ? next : null, text: whole };
}

function rowOf(pointer: string, value: JsonValue): Row {
  if (typeof value !== "object" && typeof value !== "string") return { pointer, value, left_out: null };
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (value === null || bytes <= rowBytes) return { pointer, value, left_out: null };
  if (typeof value === "string") return { pointer, value: null, left_out: { kind: "string", total: value.length, bytes } };
  if (Array.isArray(value)) return { pointer, value: null, left_out: { kind: "array", total: value.length, bytes } };
  return { pointer, value: null, left_out: { kind: "object", total: Object.keys(value).length, bytes } };
}

function fittingRows(rows: readonly Row[]): Row[] {
  let room = pageBytes;
  const end = rows.findIndex((row) => (room -= Buffer.byteLength(JSON.stringify(row)) + 1) < 0);
  return rows.slice(0, end === -1 ? rows.length : Math.max(1, end));
}

function valueAt(whole: JsonValue, pointer: string): JsonValue {
  if (pointer === "") return whole;
  const [first, ...segments] = pointer.split("/");
  if (first !== "") throw noSuchPlace();
  let at = whole;
  for (const segment of segments) {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    const next = memberOf(at, key);
    if (next === undefined) throw noSuchPlace();
    at = next;
  }
  return at;
}

function memberOf(value: JsonValue, key: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (isJsonObject(value)) return Object.hasOwn(value, key) ? value[key] : undefined;
  return /^(?:0|[1-9]\d*)$/u.test(key) ? value[Number(key)] : undefined;
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function noSuchPlace(): ReaError {
  return new ReaError("invalid_request", {
    message: "The pointer finds nothing in this whole. Leave it out to see the sections, and go on from the pointers of the rows.",
    details: { operation: "read_retained", issues: [{ path: "pointer", reason: "invalid_value", expected: "a JSON pointer to a place in the whole" }] },
  });
}
