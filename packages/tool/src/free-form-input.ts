import { ReaError, z, type InputIssue } from "@rea/core";
import { hiddenKeyIssues, inputIssues } from "./input-issues.js";
import { toInputSchema } from "./json-schema.js";

export interface FreeFormPlace {
  readonly operation: string;
  /** The input field that holds the object. */
  readonly field: string;
}

/**
 * Reads an object whose grammar is too deep for a tool's schema, as strictly as an input: throws `invalid_request` with the
 * same list of issues, their paths below the field. Values are never repeated.
 */
export function parseFreeForm<S extends z.ZodObject>(grammar: S, given: unknown, { operation, field }: FreeFormPlace): z.output<S> {
  const parsed = grammar.safeParse(given);
  const schema = toInputSchema(grammar);
  const hidden = hiddenKeyIssues(given, schema);
  if (parsed.success && hidden.length === 0) return parsed.data;
  const found = parsed.success ? [] : inputIssues(parsed.error, given, schema);
  const unseen = hidden.filter(({ path }) => found.every((issue) => issue.path !== path));
  const issues = [...found, ...unseen].slice(0, 32).map((issue): InputIssue => ({ ...issue, path: issue.path === "" ? field : `${field}.${issue.path}` }));
  const places = [...new Set(issues.map(({ path, reason }) => (reason === "unknown_argument" ? `${field} has an unknown key` : path)))].slice(0, 4);
  throw new ReaError("invalid_request", {
    message: `${operation} cannot use this ${field}: ${places.join("; ")}. Correct it and call again.`,
    details: { operation, issues },
  });
}
