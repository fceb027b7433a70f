import { isBinaryList, plistProblems, type PlistValue } from "@rea/binary";
import { readKeyedArchive, referenceOf, type KeyedArchive } from "../keyed-archive/keyed-archive.js";
import { mostFields, type GraphField, type GraphObject, type GraphValue, type ObjectGraph } from "./object-graph.js";

const mostTextBytes = 4 * 1024 * 1024;

/** A nib that is a keyed archive: what `IB.objectdata` names, or the entry points themselves, leads to everything. */
export function readKeyedNib(bytes: Uint8Array): ObjectGraph | undefined {
  // Compiled nibs are binary lists; one in another form is small.
  if (!isBinaryList(bytes) && bytes.byteLength > mostTextBytes) return undefined;
  const archive = readKeyedArchive(bytes);
  if (archive === undefined) return undefined;
  const known = new Map<number, GraphObject>();
  let left = mostFields;
  const object = (index: number): GraphObject | undefined => {
    const made = known.get(index);
    if (made !== undefined || index >= archive.count) return made;
    const found = left > 0 ? graphObject(archive, index) : { className: null, fields: [] };
    left -= found.fields.length + 1;
    known.set(index, found);
    return found;
  };
  return {
    encoding: "keyed-archive",
    version: archive.version,
    count: archive.count,
    root: rootOf(archive, object),
    object,
    exhausted: () => left <= 0,
    get findings() {
      return archive.list.findings.map(({ problem, offset }) => ({ problem, detail: plistProblems[problem], offset }));
    },
  };
}

function rootOf({ top }: KeyedArchive, object: (index: number) => GraphObject | undefined): readonly GraphField[] {
  const data = top.find(({ name }) => name === "IB.objectdata" || name === "IB.objectdata.2");
  const index = data?.reference ?? undefined;
  if (index !== undefined) return object(index)?.fields ?? [];
  return top.map(({ name, value }) => ({ key: name, value: graphValue(value) }));
}

function graphObject(archive: KeyedArchive, index: number): GraphObject {
  const { kind, className, fields, value } = archive.object(index);
  if (value.kind === "integer") return { className: null, fields: [], number: Number(value.value) };
  if (value.kind === "string" && kind !== "null") return { className: null, fields: [], text: value.text };
  const isObject = kind === "object" || kind === "dictionary";
  return { className: kind === "object" ? className : null, fields: isObject ? fields.map((field) => ({ key: field.key, value: graphValue(field.value) })) : [] };
}

function graphValue(value: PlistValue): GraphValue {
  const index = referenceOf(value);
  // The first object of every archive stands for nothing.
  if (index !== undefined) return index === 0 ? { kind: "other" } : { kind: "reference", index };
  switch (value.kind) {
    case "string":
      return { kind: "text", text: value.text };
    case "integer":
    case "real":
      return { kind: "number", value: Number(value.value) };
    case "boolean":
      return { kind: "boolean", value: value.value };
    case "data":
      return { kind: "data", bytes: value.bytes };
    case "array":
    case "set":
      return listValue(value);
    default:
      return { kind: "other" };
  }
}

const lists = new WeakMap<PlistValue, GraphValue>();

/** Made once for each list, as many fields may hold the same one. */
function listValue(value: Extract<PlistValue, { readonly kind: "array" | "set" }>): GraphValue {
  const known = lists.get(value);
  if (known !== undefined) return known;
  const made: GraphValue = { kind: "list", indices: Array.from({ length: value.length }, (_, at) => referenceOf(value.item(at)) ?? 0) };
  lists.set(value, made);
  return made;
}
