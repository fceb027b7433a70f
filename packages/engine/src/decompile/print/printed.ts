import { typeText, widthOf, type CType } from "./c-type.js";

/**
 * An expression in C. Its value in its own type, taken modulo `valid` bits, is what is meant; where `valid` is the type's
 * width or more the value is exact, so that a wider context may take it as it stands.
 */
export interface Printed {
  readonly text: string;
  readonly level: Level;
  readonly type: CType;
  /** Low bits that count. */
  readonly valid: number;
}

/** How tightly the outermost operator binds; higher binds tighter. */
export type Level = number;
export const level = { conditional: 2, or: 3, and: 4, bitOr: 5, bitXor: 6, bitAnd: 7, equality: 8, relation: 9, shift: 10, sum: 11, product: 12, unary: 13, primary: 14 } as const;

export function inside(printed: Printed, least: Level): string {
  return printed.level >= least ? printed.text : `(${printed.text})`;
}

/** Operators that gcc and people like to see in parentheses even where the language needs none. */
export function operand(printed: Printed, of: Level): string {
  const isMixed = of <= level.shift && printed.level <= level.sum && printed.level > level.and;
  return isMixed && printed.level !== of && of !== level.equality && of !== level.relation ? `(${printed.text})` : inside(printed, of);
}

export function cast(printed: Printed, type: CType): Printed {
  return { text: `(${typeText(type)})${inside(printed, level.unary)}`, level: level.unary, type, valid: widthOf(type) };
}

export function primary(text: string, type: CType): Printed {
  return { text, level: level.primary, type, valid: widthOf(type) };
}
