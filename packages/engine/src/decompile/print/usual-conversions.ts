import { i32, intType, type CType } from "./c-type.js";
import { cast, type Printed } from "./printed.js";

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

/** Two numbers that are what they are as signed ones of that width, so that C also takes them for signed together. */
export function signedTogether([x, y]: readonly [Printed, Printed], bits: number): readonly [Printed, Printed] {
  const type = usual(x.type, y.type);
  if (type.kind !== "int" || type.signed) return [x, y];
  const widened = (each: Printed): Printed => (each.type.kind === "int" && !each.type.signed ? cast(each, intType(bits, true)) : each);
  return [widened(x), widened(y)];
}
