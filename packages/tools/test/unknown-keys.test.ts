import { isJsonObject } from "@rea/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tools } from "../src/index.js";
import { FakeHost } from "./fake-ports.js";

const secret = "do-not-repeat-me";

describe("every tool, at every level of its input", () => {
  const cases = tools.flatMap((tool) =>
    tool.examples.flatMap(({ input }) => objectPlaces(input).map((place) => ({ tool, input, place }))),
  );

  it.each(cases)("points at an unknown key of $tool.name below $place and repeats nothing of it", async ({ tool, input, place }) => {
    const host = new FakeHost({});
    const reply = await host.reply(tool, withKey(input, place));
    if (reply.ok) throw new Error("the call succeeded");
    expect(reply.error.code).toBe("invalid_request");
    const path = [...place, "unexpected_key"].join(".");
    expect(reply.error.details?.["issues"]).toMatchObject([{ path, reason: "unknown_argument" }]);
    expect(JSON.stringify(reply)).not.toContain(secret);
    expect(host.asked).toEqual([]);
    expect(host.records).toEqual([]);
  });
});

describe("any input at all", () => {
  it("gets a typed reply, never a rejection, and never its own values back", async () => {
    const withoutFake = ["session", "ledger", "unknowns", "bundles", "binaries", "jobs"] as const;
    const anyTool = fc.constantFrom(...tools.filter(({ requires }) => withoutFake.every((port) => !requires.includes(port))));
    const marked = fc.jsonValue({ maxDepth: 3 }).map((value) => mark(value));
    await fc.assert(
      fc.asyncProperty(anyTool, marked, async (tool, input) => {
        const reply = await new FakeHost({}).reply(tool, input);
        if (reply.ok) return;
        expect(["invalid_request", "capability_unavailable"]).toContain(reply.error.code);
        expect(JSON.stringify(reply)).not.toContain(secret);
      }),
      { numRuns: 300 },
    );
  });
});

/** Paths of all objects in a value, the value itself included. A record may stand in full, so it may have more keys. */
function objectPlaces(value: unknown, place: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null || "evidence_id" in value) return [];
  const inner = Object.entries(value).flatMap(([key, item]) => objectPlaces(item, [...place, key]));
  return Array.isArray(value) ? inner : [place, ...inner];
}

function withKey(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? withKey(item, rest) : item));
  if (!isJsonObject(value)) return value;
  return key === undefined ? { ...value, unexpected_key: secret } : { ...value, [key]: withKey(value[key], rest) };
}

/** Every string of a value made recognisable. */
function mark(value: unknown): unknown {
  if (typeof value === "string") return `${secret}${value}`;
  if (Array.isArray(value)) return value.map(mark);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mark(item)]));
}
