import type { DebugInformation, TypeId } from "@rea/binary";
import type { ValueType } from "../decompile/ssa/graph.js";

const deepest = 6;

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
      return size === undefined ? undefined : integer(size, debug.enumerators(type.id, 256).some(({ value }) => value < 0n));
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

/** Undefined where what is there is not one plain value. */
function pointedTo(debug: DebugInformation, id: TypeId | undefined, depth: number): ValueType | undefined {
  const found = depth >= deepest ? undefined : valueTypeOf(debug, id, depth + 1);
  return found === undefined || found.kind === "void" || (found.kind === "int" && found.bits > 64) ? undefined : found;
}

function integer(size: number, signed: boolean): ValueType | undefined {
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
