import { FactCollector, hex, type FactComparison } from "./fact-comparison.js";
import { FactTable } from "./fact-table.js";
import { FunctionRanges } from "./function-ranges.js";
import { nameForms } from "./name-forms.js";
import type { CallFact, FunctionFact, NameFact, TextFact } from "./provider-facts.js";

/** One provider's facts of one kind, shifted to the placing of the first. */
export interface Side<T> {
  readonly id: string;
  readonly facts: readonly T[];
}

/** Yields now and then, so that its caller can let others have a turn. */
export type Steps<T> = Generator<undefined, T>;

/** Rows between two turns: a few milliseconds of work. */
const stride = 4_096;

/** Starts and sizes of functions; a start that another puts inside a function of its own contradicts it. */
export function* compareFunctionFacts(sides: readonly Side<FunctionFact>[]): Steps<FactComparison> {
  const collector = new FactCollector("functions", idsOf(sides));
  const ranges = sides.map(({ facts }) => new FunctionRanges(facts));
  const table = new FactTable<bigint, FunctionFact>(sides.length);
  yield* fill(table, sides, ({ address }) => address, (fact) => fact);
  for (const [index, [address, row]] of table.rows().entries()) {
    if (index % stride === 0) yield;
    const sizes = row.map((fact) => (fact?.size === null ? undefined : fact?.size));
    const missing = row.flatMap((fact, side) => (fact === undefined ? [side] : []));
    const around = missing.map((side) => ranges[side]?.inside(address));
    if (around.some((fact) => fact !== undefined)) {
      const said = row.map((fact, side) => (fact !== undefined ? "starts a function" : insideText(around[missing.indexOf(side)])));
      collector.contradict(address, "function_start", said);
    } else if (missing.length > 0) {
      collector.lack(address, row.map(isThere), { value: null, truncated: false });
    } else if (new Set(sizes.filter(isThere)).size > 1) {
      collector.contradict(address, "function_size", sizes.map((size) => (size === undefined ? undefined : `${String(size)} bytes`)));
    } else collector.agree();
  }
  return collector.result();
}

/** Names that are not made of addresses. Several names at one place agree when one of each is the same in some form. */
export function* compareNameFacts(sides: readonly Side<NameFact>[]): Steps<FactComparison> {
  const collector = new FactCollector("names", idsOf(sides));
  const table = new FactTable<bigint, Named>(sides.length);
  for (const [side, { facts }] of sides.entries()) {
    for (const [index, fact] of facts.entries()) {
      const forms = nameForms(fact);
      const before = table.at(fact.address)?.[side];
      if (forms.size > 0) table.set(fact.address, side, { fact: before?.fact ?? fact, forms: new Set([...(before?.forms ?? []), ...forms]) });
      if (index % stride === 0) yield;
    }
  }
  for (const [index, [address, row]] of table.rows().entries()) {
    if (index % stride === 0) yield;
    const said = row.filter(isThere);
    const [first] = said;
    if (first === undefined) continue;
    if (!everyPair(said, (one, other) => intersects(one.forms, other.forms))) {
      collector.contradict(address, "name", row.map((named) => named?.fact.value));
    } else if (said.length < sides.length) {
      collector.lack(address, row.map(isThere), { value: first.fact.value, truncated: first.fact.truncated });
    } else collector.agree();
  }
  return collector.result();
}

export function* compareStringFacts(sides: readonly Side<TextFact>[]): Steps<FactComparison> {
  const collector = new FactCollector("strings", idsOf(sides));
  const table = new FactTable<bigint, TextFact>(sides.length);
  yield* fill(table, sides, ({ address }) => address, (fact) => fact);
  for (const [index, [address, row]] of table.rows().entries()) {
    if (index % stride === 0) yield;
    const said = row.filter(isThere);
    const [first] = said;
    if (first === undefined) continue;
    if (!everyPair(said, isSameText)) collector.contradict(address, "string", row.map((fact) => fact?.value));
    else if (said.length < sides.length) collector.lack(address, row.map(isThere), { value: first.value, truncated: first.truncated });
    else collector.agree();
  }
  return collector.result();
}

export function* compareCallFacts(sides: readonly Side<CallFact>[]): Steps<FactComparison> {
  const collector = new FactCollector("call_edges", idsOf(sides));
  const table = new FactTable<string, CallFact>(sides.length);
  yield* fill(table, sides, ({ from, to }) => `${hex(from)} ${hex(to)}`, (fact) => fact);
  for (const [index, [, row]] of table.rows().entries()) {
    if (index % stride === 0) yield;
    const [first] = row.filter(isThere);
    if (first === undefined) continue;
    if (row.every(isThere)) collector.agree();
    else collector.lack(first.from, row.map(isThere), { value: hex(first.to), truncated: false });
  }
  return collector.result();
}

interface Named {
  readonly fact: NameFact;
  readonly forms: ReadonlySet<string>;
}

function* fill<K, F, T>(table: FactTable<K, T>, sides: readonly Side<F>[], keyOf: (fact: F) => K, valueOf: (fact: F) => T): Steps<void> {
  for (const [side, { facts }] of sides.entries()) {
    for (const [index, fact] of facts.entries()) {
      table.set(keyOf(fact), side, valueOf(fact));
      if (index % stride === 0) yield;
    }
  }
}

function idsOf(sides: readonly { readonly id: string }[]): readonly string[] {
  return sides.map(({ id }) => id);
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function insideText(around: FunctionFact | undefined): string | undefined {
  return around === undefined ? undefined : `lies inside ${hex(around.address)}`;
}

/** Being alike in some form is not handed on, so each has to be like each. */
function everyPair<T>(items: readonly T[], alike: (one: T, other: T) => boolean): boolean {
  return items.every((one, index) => items.slice(index + 1).every((other) => alike(one, other)));
}

function intersects(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  for (const form of one) if (other.has(form)) return true;
  return false;
}

/** What one has cut short may be the other's beginning. */
function isSameText(one: TextFact, other: TextFact): boolean {
  if (one.value === other.value) return true;
  return (one.truncated && other.value.startsWith(one.value)) || (other.truncated && one.value.startsWith(other.value));
}
