import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressShift, compareProviders, type ComparedProviders, type ProviderFacts } from "../../src/index.js";
import { nameForms } from "../../src/providers/name-forms.js";
import { factsOf, movedBy } from "./facts.js";

function compared(facts: readonly ProviderFacts[], reference = facts[0]?.id ?? ""): ComparedProviders {
  const steps = compareProviders(facts, reference);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const address = fc.bigInt({ min: 0n, max: 0x400n }).map((value) => 0x1000n + value);
const once = <T extends { readonly address: bigint }>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { selector: ({ address: at }) => at, maxLength: 20 });
const text = fc.constantFrom("main", "helper", "a string", "FUN_00001010", "");
const program = fc
  .record({
    functions: once(fc.record({ address, size: fc.option(fc.integer({ min: 0, max: 64 })) })),
    names: once(fc.record({ address, value: text, truncated: fc.boolean(), demangled: fc.constant(undefined) })),
    strings: once(fc.record({ address, value: text, truncated: fc.boolean() })),
    calls: fc.uniqueArray(fc.record({ from: address, to: address }), { selector: ({ from, to }) => `${String(from)} ${String(to)}`, maxLength: 20 }),
  })
  .map((facts) => factsOf("a", facts));
const shift = fc.bigInt({ min: -0x1000n, max: 0x7fff_0000_0000n });

describe("comparison of providers", () => {
  test("a program agrees with itself, wherever each provider places it", () => {
    fc.assert(
      fc.property(program, shift, (facts, by) => {
        const { agreement, singleSource, contradictions, shifts } = compared([facts, { ...movedBy(facts, by), id: "b" }]);
        expect([singleSource, contradictions]).toEqual([[], []]);
        expect(agreement.functions.agreed).toBe(facts.functions?.length);
        expect(agreement.strings.agreed).toBe(facts.strings?.length);
        expect(agreement.call_edges.agreed).toBe(facts.calls?.length);
        expect(shifts.get("b")).toBe(-by);
      }),
    );
  });

  test("who is named first changes nothing but the order of names", () => {
    const sorted = ({ agreement, singleSource, contradictions }: ComparedProviders) => {
      const counts = Object.entries(agreement).map(([fact, { providers, ...rest }]) => [fact, [...providers].sort(), rest]);
      const facts = singleSource.map((item) => JSON.stringify({ ...item, providers: [...item.providers].sort(), missing: [...item.missing].sort(), value: null, value_truncated: null }));
      const values = contradictions.map((item) => JSON.stringify({ ...item, values: [...item.values].sort((a, b) => (a.provider < b.provider ? -1 : 1)) }));
      return [counts, facts.sort(), values.sort()];
    };
    fc.assert(
      fc.property(program, program, program, (one, two, three) => {
        const sides = [one, { ...two, id: "b" }, { ...three, id: "c" }];
        expect(sorted(compared([...sides].reverse(), "a"))).toEqual(sorted(compared(sides, "a")));
      }),
    );
  });

  test("every fact of every provider is counted exactly once", () => {
    fc.assert(
      fc.property(program, program, (one, two) => {
        const { agreement, singleSource, contradictions } = compared([one, { ...two, id: "b" }]);
        const places = new Set([...(one.strings ?? []), ...(two.strings ?? [])].map(({ address: at }) => at));
        const { agreed, single_source: single, shared, contradicted } = agreement.strings;
        expect(agreed + single + shared + contradicted).toBe(places.size);
        expect(singleSource.filter(({ fact }) => fact === "strings")).toHaveLength(single);
        expect(contradictions.filter(({ about }) => about === "string")).toHaveLength(contradicted);
        const order = singleSource.map(({ address: at }) => BigInt(at));
        expect(order).toEqual([...order].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      }),
    );
  });

  test("what a provider does not offer is not compared, and nobody is said to miss it", () => {
    const facts = factsOf("a", { strings: [{ address: 0x1000n, value: "x", truncated: false }] });
    const { agreement, singleSource } = compared([facts, factsOf("b", { strings: null })]);
    expect(agreement.strings).toEqual({ state: "not_compared", providers: ["a"], agreed: 0, single_source: 0, shared: 0, contradicted: 0 });
    expect(singleSource).toEqual([]);
  });

  test("a text that one cuts short is the other's beginning, and otherwise a contradiction", () => {
    const strings = (value: string, truncated: boolean) => ({ strings: [{ address: 0x1000n, value, truncated }] });
    const outcome = (one: ReturnType<typeof strings>, two: ReturnType<typeof strings>) => compared([factsOf("a", one), factsOf("b", two)]).agreement.strings;
    expect(outcome(strings("hel", true), strings("hello", false))).toMatchObject({ agreed: 1, contradicted: 0 });
    expect(outcome(strings("hel", false), strings("hello", false))).toMatchObject({ agreed: 0, contradicted: 1 });
  });
});

describe("the placing of a program", () => {
  test("is decided by the most sections; names used twice and tables of others say nothing", () => {
    const ranges = [{ name: ".text", start: 0x1000n }, { name: ".data", start: 0x4000n }, { name: ".rodata", start: 0x2000n }];
    const moved = [{ name: ".text", start: 0x101000n }, { name: ".rodata", start: 0x102000n }, { name: ".data", start: 0x999n }];
    expect(addressShift(ranges, moved)).toEqual({ shift: -0x100000n, common: 3, together: 2 });
    const twice = [{ name: ".text", start: 0x1n }, { name: ".text", start: 0x2n }];
    expect(addressShift(ranges, twice)).toEqual({ shift: 0n, common: 0, together: 0 });
    expect(addressShift(ranges, [])).toEqual({ shift: 0n, common: 0, together: 0 });
  });
});

describe("forms of a name", () => {
  const same = (one: string, other: string, demangled?: string): boolean => {
    const [a, b] = [nameForms({ value: one, demangled: undefined }), nameForms({ value: other, demangled })];
    return [...a].some((form) => b.has(form));
  };
  test.each([
    ["main", "_main"],
    ["printf", "printf@GLIBC_2.2.5"],
    ["printf", "printf@@GLIBC_2.2.5"],
    ["call", "ns::Type::call(std::string)"],
    ["~Type", "ns::Type::~Type()"],
  ])("%s and %s are the same", (one, other) => expect(same(one, other)).toBe(true));
  test("a mangled name and its readable form are the same where the reading is told", () => expect(same("ns::f(int)", "_ZN2ns1fEi", "ns::f(int)")).toBe(true));
  test.each([["main", "start"], ["f(int)", "g(int)"], ["FUN_00101020", "sub_101020"]])("%s and %s are not", (one, other) => expect(same(one, other)).toBe(false));
  test("a hostile name takes no time", () => {
    const began = performance.now();
    nameForms({ value: "::".repeat(2_000), demangled: "(".repeat(4_000) });
    nameForms({ value: `${"a::".repeat(1_300)}(`, demangled: undefined });
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
