import type { Address } from "@rea/core";
import type { FunctionRecord, Reference } from "../program.js";
import type { ProgramQuery } from "./query.js";
import { stringAt } from "./string-places.js";

export interface FunctionComment {
  readonly va: Address;
  readonly kind: "comment" | "inline";
  readonly text: string;
}

/** Comments inside the function, by address. */
export function commentsOf({ program, annotations }: ProgramQuery, fn: FunctionRecord): readonly FunctionComment[] {
  const isInside = ({ va }: { readonly va: Address }): boolean => {
    const rva = program.toRva(va);
    return rva !== undefined && (rva === fn.entry || fn.ranges.some((range) => rva >= range.start && rva < range.end));
  };
  const whole = annotations.comments("comment").map(({ va, text }) => ({ va, kind: "comment" as const, text }));
  const inline = annotations.comments("inline_comment").map(({ va, text }) => ({ va, kind: "inline" as const, text }));
  return [...whole, ...inline].filter(isInside).sort((a, b) => (a.va < b.va ? -1 : a.va > b.va ? 1 : 0));
}

/** Strings that the references lead to, whole or by their tail, once each, by address. */
export function referencedStrings(
  { program }: ProgramQuery,
  made: readonly Reference[],
): readonly { readonly rva: number; readonly text: string }[] {
  return targetsOf(made).flatMap((rva) => {
    const text = stringAt(program, rva);
    return text === undefined ? [] : [{ rva, text }];
  });
}

/** Addresses outside the function that have a name and that the references lead to, once each, sorted. */
export function referencedNames(
  { names }: ProgramQuery,
  fn: FunctionRecord,
  made: readonly Reference[],
): readonly number[] {
  const isInside = (rva: number): boolean => fn.ranges.some((range) => rva >= range.start && rva < range.end);
  return targetsOf(made).filter((rva) => !isInside(rva) && names.stated(rva) !== undefined);
}

function targetsOf(made: readonly Reference[]): readonly number[] {
  return [...new Set(made.map((reference) => reference.to))].sort((a, b) => a - b);
}
