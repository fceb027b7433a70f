import { ReaError, z } from "@rea/core";
import { describe, expect, it } from "vitest";
import { answerOrFacet, pseudocodePage } from "./dossier-facets.js";

const shape = z.object({ text: z.string(), next_offset: z.int().nullable() });

describe("a page of pseudocode", () => {
  it("never cuts a character of two units in two, and its pages join to the whole", () => {
    const whole = "a😀b😀😀c";
    for (const maximum of [1, 2, 3]) {
      const parts: string[] = [];
      let offset: number | null = 0;
      while (offset !== null) {
        const page = pseudocodePage(whole, { offset, maximum });
        const { text, next_offset } = shape.parse(page);
        expect(text.isWellFormed()).toBe(true);
        parts.push(text);
        offset = next_offset;
      }
      expect(parts.join("")).toBe(whole);
    }
  });

  it("is empty and complete behind the end", () => {
    expect(pseudocodePage("abc", { offset: 9, maximum: 5 })).toMatchObject({ text: "", offset: 3, total_chars: 3, truncated: false, next_offset: null });
  });
});

describe("a part of the dossier that fails", () => {
  it("says what was lost, by the code of the error", async () => {
    const lost = new ReaError("truncated", { message: "Too large.", details: { resource: "listing" } });
    expect(await answerOrFacet(Promise.reject(lost), "No listing")).toEqual({
      facet: { state: "unavailable", reason: "No listing (truncated).", remediation: "Read its instructions with read_function_instructions." },
    });
  });

  it("ends the request when it was cancelled", async () => {
    const cancelled = new ReaError("cancelled", { message: "Cancelled.", details: { operation: "analyze_function", cleanup: "complete" } });
    await expect(answerOrFacet(Promise.reject(cancelled), "No listing")).rejects.toMatchObject({ code: "cancelled" });
  });
});
