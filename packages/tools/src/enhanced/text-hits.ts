import { omission, unescapeUntrusted, type Coverage, type Execution, type OperationName, type Page } from "@rea/core";
import { failureAt } from "../composed/failure.js";
import { walkPages } from "../composed/paging.js";
import type { TextHit, TextSearch, TextSearchCall } from "./text-search.js";

type HitPage = Readonly<Omit<Page<unknown>, "items" | "coverage">> & {
  readonly items: readonly TextHit[];
  readonly coverage: Coverage;
};

/** Where text can be found: through an operation that filters, or by reading a whole list. */
export interface HitSource {
  readonly what: "strings" | "procedure names";
  readonly search: OperationName;
  readonly list: OperationName;
  askSearch(params: SearchParams): Promise<Execution<HitPage>>;
  askList(params: { readonly offset: number; readonly limit: number }): Promise<Execution<HitPage>>;
}

interface SearchParams {
  readonly pattern: string;
  readonly mode: "literal";
  readonly case_sensitive: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * The first `limit` items that contain the query. Providers that can search are asked to; of others the whole list is
 * read, as far as the budget goes.
 */
export async function findHits(call: TextSearchCall, source: HitSource): Promise<TextHit[]> {
  const { input, context, composition, budget, findings } = call;
  const hits: TextHit[] = [];
  const searches = context.offers(source.search);
  const operation = searches ? source.search : source.list;
  const read = (offset: number) =>
    searches
      ? composition.attempt(() => source.askSearch(searchParams(input, offset)))
      : composition.attempt(() => source.askList({ offset, limit: 500 }));
  let more = false;
  await walkPages<TextHit, HitPage>(
    operation,
    async (offset) => {
      if (hits.length >= input.limit) {
        more = true;
        return undefined;
      }
      if (!budget.take()) return stopAtBudget(call, source.what, operation);
      const page = await read(offset);
      if (page.ok) return page.value;
      findings.failures.push(failureAt(null, operation, page.error));
      findings.questions.push({ question: `Which ${source.what} contain the query?`, next_step: page.error.action });
      findings.omissions.push(omission(source.what, "not_examined", { how_to_continue: page.error.action }));
      return undefined;
    },
    (page) => {
      findings.omissions.push(...page.coverage.omissions);
      for (const { address, value, value_truncated } of page.items) {
        if (!searches && !contains(value, input)) continue;
        if (hits.length < input.limit) hits.push({ address, value, value_truncated });
        else more = true;
      }
    },
  );
  if (more) leaveOut(call, source);
  return hits;
}

function searchParams(input: TextSearch, offset: number): SearchParams {
  const { query: pattern, case_sensitive } = input;
  return { pattern, mode: "literal", case_sensitive, offset, limit: 100 };
}

function stopAtBudget(call: TextSearchCall, what: string, operation: string): undefined {
  const next_step = `Raise max_operations, or page ${operation}.`;
  call.findings.questions.push({ question: `Do further ${what} contain the query?`, next_step });
  call.findings.omissions.push(
    omission(what, "limit_operations", { limit: call.budget.maximum, how_to_continue: next_step }),
  );
  return undefined;
}

function leaveOut(call: TextSearchCall, source: HitSource): void {
  const how_to_continue = `Raise limit, or page ${source.search}.`;
  call.findings.omissions.push(omission(source.what, "limit_items", { limit: call.input.limit, how_to_continue }));
}

function contains(shown: string, { query, case_sensitive }: TextSearch): boolean {
  const value = unescapeUntrusted(shown);
  return case_sensitive ? value.includes(query) : value.toLowerCase().includes(query.toLowerCase());
}
