import { describe, expect, test } from "vitest";

import { refusalOf } from "../test/refusal.js";
import { createAnalysisProfile, parseAnalysisProfile } from "./analysis-profile.js";

const draft = {
  provider: { id: "rea-native", name: "REA native analysis", version: "1" },
  provider_profile_schema_version: 1,
  parameters: { max_instructions: 100_000 },
};

describe("an analysis profile", () => {
  test("has the contract's digest", () => {
    expect(createAnalysisProfile(draft).digest).toBe("627e1a70e3a400b3797744ff4e5d5e919021cd87c71a024d4592d940b56b4310");
  });

  test("reads back, and is refused when anything in it was changed", () => {
    const profile = createAnalysisProfile(draft);
    expect(parseAnalysisProfile(JSON.parse(JSON.stringify(profile)))).toStrictEqual(profile);
    const changed = { ...profile, parameters: { max_instructions: 1 } };
    expect(refusalOf(() => parseAnalysisProfile(changed))).toMatchObject({
      reason: "profile_mismatch",
      constraint: "profile_digest",
    });
    expect(refusalOf(() => parseAnalysisProfile({ ...profile, extra: 1 }))["reason"]).toBe("schema");
  });

  test("bounds its parameters in depth, nodes, string length and total size", () => {
    const constraintOf = (parameters: unknown): unknown =>
      refusalOf(() => createAnalysisProfile({ ...draft, parameters }))["constraint"];
    let deep: unknown = {};
    for (let level = 0; level < 16; level += 1) deep = { deep };
    expect(constraintOf(deep)).toBe("depth");
    expect(constraintOf({ list: Array.from({ length: 4_096 }, () => 0) })).toBe("nodes");
    expect(constraintOf({ text: "x".repeat(16 * 1024 + 1) })).toBe("string_bytes");
    expect(constraintOf({ list: Array.from({ length: 5 }, () => "x".repeat(16 * 1024)) })).toBe("parameter_bytes");
  });
});
