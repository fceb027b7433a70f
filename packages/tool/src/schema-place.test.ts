import { isReaError, z } from "@rea/core";
import { expect, it } from "vitest";
import { parseFreeForm } from "./free-form-input.js";

const grammar = z.strictObject({
  steps: z.array(
    z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("wait"), ms: z.number() }),
      z.strictObject({ kind: z.literal("send"), data: z.string(), to: z.union([z.string(), z.strictObject({ host: z.string() })]).optional() }),
    ]),
  ),
});

function issuesOf(text: string): unknown {
  try {
    parseFreeForm(grammar, JSON.parse(text), { operation: "test", field: "given" });
  } catch (error) {
    return isReaError(error) && error.details !== undefined && "issues" in error.details ? error.details.issues : error;
  }
  return "accepted";
}

it.each([
  ["an unknown key of a variant, with the keys of that variant", '{"steps":[{"kind":"send","data":"x","ms":1}]}', [{ path: "given.steps.0.ms", reason: "unknown_argument", valid_keys: ["data", "kind", "to"] }]],
  ["one below a variant", '{"steps":[{"kind":"wait","ms":1},{"kind":"send","data":"x","to":{"host":"h","hsot":"h"}}]}', [{ path: "given.steps.1.to.hsot", valid_keys: ["host"] }]],
  ["a hidden key of a variant", '{"steps":[{"kind":"wait","ms":1,"__proto__":{}}]}', [{ path: "given.steps.0.__proto__", reason: "unknown_argument", valid_keys: ["kind", "ms"] }]],
  ["a missing key of a variant, with its type", '{"steps":[{"kind":"send"}]}', [{ path: "given.steps.0.data", reason: "missing_argument", expected: "string" }]],
  ["a kind that is none, with those there are", '{"steps":[{"kind":"sned","data":"x"}]}', [{ path: "given.steps.0.kind", reason: "invalid_value", expected: "wait, send" }]],
])("names %s", (_what, text, issues) => {
  expect(issuesOf(text)).toMatchObject(issues);
});
