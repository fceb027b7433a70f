import type { ProviderFacts } from "../../src/index.js";

/** Facts of one provider; what is not given is empty. */
export function factsOf(id: string, more: Partial<ProviderFacts> = {}): ProviderFacts {
  return { id, ranges: [{ name: ".text", start: 0x1000n }], functions: [], names: [], strings: [], calls: [], omissions: [], ...more };
}

/** The same program at another base. */
export function movedBy(facts: ProviderFacts, shift: bigint): ProviderFacts {
  const at = <T extends { readonly address: bigint }>(items: readonly T[] | null): readonly T[] | null => items?.map((item) => ({ ...item, address: item.address + shift })) ?? null;
  return {
    ...facts,
    ranges: facts.ranges.map(({ name, start }) => ({ name, start: start + shift })),
    functions: at(facts.functions),
    names: at(facts.names),
    strings: at(facts.strings),
    calls: facts.calls?.map(({ from, to }) => ({ from: from + shift, to: to + shift })) ?? null,
  };
}
