import { addressValue, z, type Omission, type OperationName } from "@rea/core";
import type { ToolContext, ToolMode } from "@rea/tool";
import type { Budget } from "../composed/budget.js";
import type { Composition } from "../composed/composition.js";
import type { LocalFailure } from "../composed/failure.js";

/** Input of the tools that go from text to code. */
export const textSearchInput = z.strictObject({
  query: z.string().min(1).max(256).describe("Literal text to find"),
  case_sensitive: z.boolean().default(false).describe("Match letter case"),
  limit: z.number().int().min(1).max(100).default(20).describe("Matches returned at most"),
  max_operations: z.number().int().min(1).max(100).default(20).describe("Provider calls at most"),
});
export type TextSearch = z.output<typeof textSearchInput>;

const matchedString = z.strictObject({ address: addressValue, value: z.string(), value_truncated: z.boolean() });
const reference = z.strictObject({
  address: addressValue,
  procedure: z.strictObject({ address: addressValue, name: z.string() }).nullable(),
  /** Why `procedure` is null, or `in_procedure`. */
  status: z.enum(["in_procedure", "not_in_procedure", "outside_segments", "not_examined", "failed"]),
});
export const stringMatch = z.strictObject({
  string: matchedString,
  references: z.array(reference),
  /** False when the known references of this string were not all read; `coverage` says what could hold more. */
  references_complete: z.boolean(),
});
export type StringMatch = z.output<typeof stringMatch>;

/** A question the budget or a failure left open, and the call that settles it. */
export const openQuestion = z.strictObject({ question: z.string(), next_step: z.string() });
export type OpenQuestion = z.output<typeof openQuestion>;

export interface TextHit {
  readonly address: string;
  readonly value: string;
  readonly value_truncated: boolean;
}

/** What a text search found so far and what it had to leave out. */
export interface Findings {
  readonly failures: LocalFailure[];
  readonly questions: OpenQuestion[];
  readonly omissions: Omission[];
}

export interface TextSearchCall {
  readonly input: TextSearch;
  readonly context: ToolContext;
  readonly composition: Composition;
  readonly budget: Budget;
  readonly findings: Findings;
}

/** Ways to work without a provider that can search. */
export function searchModes(others: readonly OperationName[]): readonly ToolMode[] {
  const rest: readonly OperationName[] = ["xrefs", "resolve_containing_procedure"];
  const remediation = "Open the target with a provider that finds strings and references.";
  return [
    { name: "search", operations: ["search_strings", ...others.filter((name) => name.startsWith("search")), ...rest], remediation },
    { name: "list", operations: ["list_strings", ...others.filter((name) => name.startsWith("list")), ...rest], remediation },
  ];
}
