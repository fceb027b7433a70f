import { ReaError } from "@rea/core";
import { expect, it } from "vitest";
import { ambiguousProcedure, bridgeRefusal } from "./procedure-refusals.js";

const refused = (message: string) => new ReaError("execution_failure", { message: "Refused.", details: { diagnostics: { code: "ambiguous_procedure", message } } });

it("takes only addresses out of what the bridge said", () => {
  expect(bridgeRefusal(refused("0x401000 <b>name</b> 0xZZ 0x12345678901234567 0x402000"))?.addresses).toEqual(["0x401000", "0x402000"]);
});

it("is no refusal when the error is of another kind", () => {
  expect(bridgeRefusal(new Error("lost"))).toBeUndefined();
  expect(bridgeRefusal(new ReaError("cancelled", { message: "Cancelled.", details: { operation: "analyze_function", cleanup: "complete" } }))).toBeUndefined();
});

it("names twenty candidates at most", () => {
  const many = Array.from({ length: 30 }, (_, index) => `0x${(index + 16).toString(16)}`);
  const shown = JSON.stringify(ambiguousProcedure("analyze_function", many).details);
  expect(shown).toContain("0x23");
  expect(shown).not.toContain("0x24");
});
