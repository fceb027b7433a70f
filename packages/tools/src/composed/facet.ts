import type { Facet, OperationName } from "@rea/core";
import type { ToolContext } from "@rea/tool";
import type { Composition } from "./composition.js";

/**
 * One facet of an aggregate: what `read` makes of the operation's answers, or why there is none. Never fails the
 * aggregate.
 */
export async function facetOf<T>(
  composition: Composition,
  context: ToolContext,
  operation: OperationName,
  read: () => Promise<T>,
): Promise<Facet<T>> {
  if (!context.offers(operation)) {
    return {
      state: "unavailable",
      reason: `The bound provider does not offer ${operation}.`,
      remediation: "See analysis_provider_candidates of binary_session for providers that offer it.",
    };
  }
  const answer = await composition.local(read);
  if (answer.ok) return { state: "available", value: answer.value };
  return { state: "unavailable", reason: answer.error.message, remediation: answer.error.action };
}
