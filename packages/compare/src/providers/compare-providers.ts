import type { ComparedFact, ProviderContradiction, SingleSourceFact } from "@rea/core";
import { addressShift } from "./address-shift.js";
import { compareCallFacts, compareFunctionFacts, compareNameFacts, compareStringFacts, type Side, type Steps } from "./compare-facts.js";
import { notCompared, type FactComparison, type Placed } from "./fact-comparison.js";
import type { ProviderFacts } from "./provider-facts.js";

/** What several providers say of one program, compared. Lists are whole and ordered by address. */
export interface ComparedProviders {
  readonly agreement: { readonly [fact in ComparedFact]: FactComparison["agreement"] };
  readonly singleSource: readonly SingleSourceFact[];
  readonly contradictions: readonly ProviderContradiction[];
  /** Added to the addresses of each provider, by id. */
  readonly shifts: ReadonlyMap<string, bigint>;
  /** Sentences about what this comparison cannot tell. */
  readonly limitations: readonly string[];
}

/**
 * Compares what two to four providers say of the same bytes: functions, names, strings and calls, by address, once each
 * provider's placing of the program is laid over that of `reference`. Pure; yields now and then.
 *
 * @param reference Id of one of them; addresses of the result are its own.
 */
export function* compareProviders(providers: readonly ProviderFacts[], reference: string): Steps<ComparedProviders> {
  const placing = providers.find(({ id }) => id === reference)?.ranges ?? [];
  const shifts = new Map<string, bigint>();
  const limitations: string[] = [
    "Functions without a body in the program, and names made of addresses, are not compared.",
    "Names count as the same when they differ only by a version, a leading underscore, parameters or namespaces.",
  ];
  for (const { id, ranges } of providers) {
    const { shift, common, together } = addressShift(placing, ranges);
    shifts.set(id, shift);
    if (together < common || common === 0) limitations.push(placingNote([id, reference], common, together));
  }
  const shifted = <T>(pick: (facts: ProviderFacts) => readonly T[] | null, move: (fact: T, shift: bigint) => T): Side<T>[] =>
    providers.flatMap((facts) => {
      const given = pick(facts);
      const shift = shifts.get(facts.id) ?? 0n;
      if (given === null) return [];
      return [{ id: facts.id, facts: shift === 0n ? given : given.map((fact) => move(fact, shift)) }];
    });
  const at = <T extends { readonly address: bigint }>(fact: T, shift: bigint): T => ({ ...fact, address: fact.address + shift });
  const functions = yield* whereSeveral(shifted((facts) => facts.functions, at), compareFunctionFacts);
  const names = yield* whereSeveral(shifted((facts) => facts.names, at), compareNameFacts);
  const strings = yield* whereSeveral(shifted((facts) => facts.strings, at), compareStringFacts);
  const calls = yield* whereSeveral(
    shifted((facts) => facts.calls, ({ from, to }, shift) => ({ from: from + shift, to: to + shift })),
    compareCallFacts,
  );
  const all = [functions, names, strings, calls];
  return {
    agreement: { functions: functions.agreement, names: names.agreement, strings: strings.agreement, call_edges: calls.agreement },
    singleSource: inOrder(all.flatMap(({ singleSource }) => singleSource)),
    contradictions: inOrder(all.flatMap(({ contradictions }) => contradictions)),
    shifts,
    limitations,
  };
}

function* whereSeveral<T>(sides: readonly Side<T>[], compare: (sides: readonly Side<T>[]) => Steps<FactComparison>): Steps<FactComparison> {
  return sides.length < 2 ? notCompared(sides.map(({ id }) => id)) : yield* compare(sides);
}

/** By address; the order of the kinds decides between equals, as sorting keeps it. */
function inOrder<T>(facts: readonly Placed<T>[]): readonly T[] {
  return [...facts].sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0)).map(({ item }) => item);
}

function placingNote([id, reference]: readonly [string, string], common: number, together: number): string {
  if (common === 0) return `No section of ${id} has a name that ${reference} knows, so its addresses are compared as they are.`;
  return `Of ${String(common)} sections that ${id} and ${reference} both know, ${String(together)} lie in the same places; facts of the others are not laid over each other.`;
}
