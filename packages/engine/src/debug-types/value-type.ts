import type { DebugInformation, TypeId } from "@rea/binary";
import type { RecordType, ValueType } from "../decompile/types/value-type.js";
import { RecordTypes } from "./record-types.js";

const deepest = 6;

const kept = new WeakMap<DebugInformation, RecordTypes>();

/** The structures, unions and enums of the debug information. */
export function recordTypes(debug: DebugInformation): RecordTypes {
  let found = kept.get(debug);
  if (found === undefined) kept.set(debug, (found = new RecordTypes(debug, (id) => valueTypeOf(debug, id))));
  return found;
}

/** The type as code sees it; undefined for what no single register holds: structures, wide numbers. */
export function valueTypeOf(debug: DebugInformation, id: TypeId | undefined, depth = 0): ValueType | undefined {
  if (id === undefined) return { kind: "void" };
  const type = debug.plainType(id);
  if (type === undefined) return { kind: "void" };
  const size = debug.sizeOf(type.id);
  switch (type.kind) {
    case "base":
      return size === undefined ? undefined : baseType(type.encoding, size);
    case "enum":
      return size === undefined ? undefined : enumerated(debug, id, size);
    case "pointer":
    case "reference":
    case "rvalue_reference":
      return size === 8 ? { kind: "pointer", to: pointedTo(debug, type.to, depth) } : undefined;
    case "unspecified":
      // `decltype(nullptr)` and C's `void` written out.
      return type.name === "void" ? { kind: "void" } : undefined;
    default:
      return undefined;
  }
}

/** The type without dimensions of an array; undefined where what is there is neither one plain value nor a structure whose layout is known. */
function pointedTo(debug: DebugInformation, id: TypeId | undefined, depth: number): ValueType | RecordType | undefined {
  const type = debug.plainType(id);
  if (type === undefined || depth >= deepest) return undefined;
  if (type.kind === "array") return pointedTo(debug, type.to, depth + 1);
  const found = valueTypeOf(debug, id, depth + 1);
  if (found !== undefined) return found.kind === "void" || (found.kind === "int" && found.bits > 64) ? undefined : found;
  return recordTypes(debug).record(id);
}

function enumerated(debug: DebugInformation, id: TypeId, size: number): ValueType | undefined {
  const plain = debug.plainType(id);
  const signed = plain !== undefined && debug.enumerators(plain.id, 512).some(({ value }) => value < 0n);
  const type = integer(size, signed);
  const names = recordTypes(debug).enumeration(id);
  return type === undefined || names === undefined ? type : { ...type, names };
}

function integer(size: number, signed: boolean): Extract<ValueType, { kind: "int" }> | undefined {
  return [1, 2, 4, 8].includes(size) ? { kind: "int", bits: 8 * size, signed } : undefined;
}

function baseType(encoding: string | undefined, size: number): ValueType | undefined {
  switch (encoding) {
    case "float":
      return size === 4 || size === 8 ? { kind: "float", bits: 8 * size } : undefined;
    case "signed":
    case "signed_char":
      return integer(size, true);
    case "unsigned":
    case "unsigned_char":
    case "boolean":
    case "character":
      return integer(size, false);
    default:
      return undefined;
  }
}
