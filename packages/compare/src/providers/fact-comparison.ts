import type { ComparedFact, ProviderAgreement, ProviderContradiction, SingleSourceFact } from "@rea/core";

/** What two to four providers say of the same program, apart: only what not all of them say alike is kept. */
export interface FactComparison {
  readonly agreement: ProviderAgreement;
  readonly singleSource: readonly Placed<SingleSourceFact>[];
  readonly contradictions: readonly Placed<ProviderContradiction>[];
}

/** With its address as a number, by which lists are ordered. */
export interface Placed<T> {
  readonly place: bigint;
  readonly item: T;
}

/** Collects one kind of fact while its table is gone through. */
export class FactCollector {
  readonly #fact: ComparedFact;
  readonly #ids: readonly string[];
  readonly #singleSource: Placed<SingleSourceFact>[] = [];
  readonly #contradictions: Placed<ProviderContradiction>[] = [];
  #agreed = 0;
  #single = 0;
  #shared = 0;

  /** `ids`: of the sides, in their order. */
  constructor(fact: ComparedFact, ids: readonly string[]) {
    this.#fact = fact;
    this.#ids = ids;
  }

  agree(): void {
    this.#agreed += 1;
  }

  contradict(place: bigint, about: ProviderContradiction["about"], said: readonly (string | undefined)[]): void {
    const values = this.#ids.flatMap((provider, side) => {
      const value = said[side];
      return value === undefined ? [] : [{ provider, value }];
    });
    this.#contradictions.push({ place, item: { about, address: hex(place), values } });
  }

  /** `has`: which sides have it. */
  lack(place: bigint, has: readonly boolean[], shown: { readonly value: string | null; readonly truncated: boolean }): void {
    const providers = this.#ids.filter((_, side) => has[side] === true);
    if (providers.length === 1) this.#single += 1;
    else this.#shared += 1;
    const missing = this.#ids.filter((_, side) => has[side] !== true);
    this.#singleSource.push({
      place,
      item: { fact: this.#fact, address: hex(place), value: shown.value, value_truncated: shown.truncated, providers, missing },
    });
  }

  result(): FactComparison {
    return {
      agreement: {
        state: "compared",
        providers: [...this.#ids],
        agreed: this.#agreed,
        single_source: this.#single,
        shared: this.#shared,
        contradicted: this.#contradictions.length,
      },
      singleSource: this.#singleSource,
      contradictions: this.#contradictions,
    };
  }
}

/** Facts of a kind that fewer than two providers give. */
export function notCompared(ids: readonly string[]): FactComparison {
  const agreement: ProviderAgreement = { state: "not_compared", providers: [...ids], agreed: 0, single_source: 0, shared: 0, contradicted: 0 };
  return { agreement, singleSource: [], contradictions: [] };
}

export function hex(address: bigint): string {
  return `0x${address.toString(16)}`;
}
