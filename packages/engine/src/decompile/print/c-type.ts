import type { CType, RecordType, ValueType } from "../types/value-type.js";

export type { CType } from "../types/value-type.js";

export const i32: CType = { kind: "int", bits: 32, signed: true };

export function intType(bits: number, signed: boolean): CType {
  const width = [8, 16, 32, 64, 128].find((each) => each >= bits) ?? 128;
  return { kind: "int", bits: width, signed: bits === 1 ? false : signed };
}

export function typeText(type: CType): string {
  if (type.kind === "float") return type.bits === 32 ? "float" : "double";
  if (type.kind === "pointer") return `${pointedText(type.to)} *`.replace("* *", "**");
  if (type.names?.isWhole === true) return `enum ${type.names.tag}`;
  if (type.bits === 128) return type.signed ? "rea_i128" : "rea_u128";
  return `${type.signed ? "" : "u"}int${String(type.bits)}_t`;
}

export function recordText({ keyword, tag }: RecordType): string {
  return `${keyword} ${tag}`;
}

/** True for the bytes of texts, which C calls plain characters; processors differ in whether those have a sign. */
export function isCharacter(type: CType | RecordType): boolean {
  return type.kind === "int" && type.bits === 8 && type.signed;
}

function pointedText(to: CType | RecordType | undefined): string {
  if (to === undefined) return "void";
  if (to.kind === "record") return recordText(to);
  return isCharacter(to) ? "char" : typeText(to);
}

/** With the name behind it, as in a declaration. */
export function declared(type: CType, name: string): string {
  const text = typeText(type);
  return text.endsWith("*") ? text + name : `${text} ${name}`;
}

/** Bits of a value of the type in memory. */
export function widthOf(type: CType): number {
  return type.kind === "pointer" ? 64 : type.bits;
}

export function cTypeOf(type: ValueType): CType | undefined {
  switch (type.kind) {
    case "void":
      return undefined;
    case "int":
      return type.names === undefined ? intType(type.bits, type.signed ?? true) : { kind: "int", bits: type.bits, signed: type.signed ?? true, names: type.names };
    case "float":
      return { kind: "float", bits: type.bits };
    case "pointer":
      return { kind: "pointer", to: type.to === undefined ? undefined : type.to.kind === "record" ? type.to : cTypeOf(type.to) };
  }
}

export function sameType(a: CType, b: CType): boolean {
  return typeText(a) === typeText(b);
}
