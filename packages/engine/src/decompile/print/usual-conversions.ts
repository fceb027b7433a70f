import { i32, type CType } from "./c-type.js";

export function promoted(type: CType): CType {
  return type.kind === "int" && type.bits < 32 ? i32 : type;
}

/** The type of an operation on two integers, by C's usual conversions. */
export function usual(a: CType, b: CType): CType {
  const [x, y] = [promoted(a), promoted(b)];
  if (x.kind !== "int" || y.kind !== "int") return x;
  if (x.bits !== y.bits) return x.bits > y.bits ? x : y;
  return x.signed ? y : x;
}
