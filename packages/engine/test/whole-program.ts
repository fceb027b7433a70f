import { expect } from "vitest";
import type { Program } from "../src/program.js";

/** Answers of two programs to every query must be equal; addresses are asked at steps, and around everything known. */
export function expectSame(actual: Program, wanted: Program): void {
  expect(actual.base).toBe(wanted.base);
  expect(actual.coverage).toStrictEqual(wanted.coverage);
  expect(actual.names).toStrictEqual(wanted.names);
  expect(actual.functions).toStrictEqual(wanted.functions);
  expect(stringsOf(actual)).toStrictEqual(stringsOf(wanted));
  expect(actual.functions.flatMap(({ entry, name }) => (actual.entriesNamed(name).includes(entry) ? [] : [name]))).toStrictEqual([]);
  expect(actual.names.flatMap(({ rva, name }) => (actual.entriesNamed(name).includes(rva) === (actual.functionAt(rva) !== undefined) ? [] : [name]))).toStrictEqual([]);
  for (const fn of wanted.functions) expect(functionAnswers(actual, fn.entry)).toStrictEqual(functionAnswers(wanted, fn.entry));
  for (const rva of places(wanted)) expect(placeAnswers(actual, rva)).toStrictEqual(placeAnswers(wanted, rva));
}

function stringsOf({ strings }: Program) {
  return strings.map((record) => ({ ...record, text: record.text() }));
}

function functionAnswers(program: Program, entry: number) {
  const fn = program.functionAt(entry);
  if (fn === undefined) return undefined;
  return {
    blocks: program.blocks(fn),
    starts: program.instructionStarts(fn),
    references: program.referencesFrom(fn),
    to: program.referencesTo(entry),
    callers: program.callers(fn),
    callees: program.callees(fn),
    sameName: program.entriesNamed(fn.name),
  };
}

function placeAnswers(program: Program, rva: number) {
  return {
    kind: program.classify(rva),
    covering: program.instructionCovering(rva),
    next: program.neighbour(rva, "next"),
    previous: program.neighbour(rva, "previous"),
    names: program.namesAt(rva),
    holder: program.functionContaining(rva),
    references: program.referencesAt(rva),
    to: program.referencesTo(rva),
    decoded: program.decodeAt(rva),
    va: program.toVa(rva),
  };
}

/** Some hundred addresses over the whole image, beside its end, and at names and strings. */
function places(program: Program): readonly number[] {
  const end = Math.max(0, ...program.functions.flatMap(({ ranges }) => ranges.map((range) => range.end)));
  const step = Math.max(1, Math.floor(end / 300));
  const spread = Array.from({ length: 310 }, (_, index) => index * step);
  const some = <T extends { readonly rva: number }>(items: readonly T[]) => items.filter((_, index) => index % Math.ceil(items.length / 50) === 0);
  return [...spread, ...some(program.names).map(({ rva }) => rva), ...some(program.strings).map(({ rva }) => rva + 1)];
}
