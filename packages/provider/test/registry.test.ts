import { expect, test } from "vitest";
import { createFakeProvider } from "../../testkit/src/index.js";
import { createProviderRegistry } from "../src/index.js";

const make = (id: string) => createFakeProvider({ id });

test("providers are listed by id, whatever the order of registration", () => {
  const registry = createProviderRegistry([make("zz"), make("aa"), make("mm")]);
  expect(registry.providers.map((provider) => provider.identity().id)).toEqual(["aa", "mm", "zz"]);
  expect(registry.find("mm")?.identity().id).toBe("mm");
  expect(registry.find("toString")).toBeUndefined();
});

test.each(["auto", "A", "a", "1a", "a_b", "a-", "", "rea native", `a${"b".repeat(64)}`])(
  "the id %j is refused at start-up",
  (id) => {
    expect(() => createProviderRegistry([make(id)])).toThrow(/provider id/i);
  },
);

test("an id registered twice is refused at start-up", () => {
  expect(() => createProviderRegistry([make("aa"), make("aa")])).toThrow("twice");
});

test("an operation declared twice is refused at start-up", () => {
  const provider = createFakeProvider({ id: "aa", answers: { xrefs: () => null } });
  const twice = { ...provider, capabilities: () => [...provider.capabilities(), ...provider.capabilities()] };
  expect(() => createProviderRegistry([twice])).toThrow("xrefs twice");
});

test("a second embedded provider is refused at start-up", () => {
  const embedded = (id: string) => createFakeProvider({ id, embedded: true });
  expect(() => createProviderRegistry([embedded("aa"), embedded("bb")])).toThrow("embedded");
});
