import { isReaError, type Facet, type JsonObject, type JsonValue } from "@rea/core";

/** What a part of the dossier can be without that the others suffer: asked alone, and it failed or was too large. */
const losses: readonly string[] = ["execution_failure", "provider_timeout", "truncated"];

type Unavailable = Facet<never> & { readonly state: "unavailable" };

/** A part of the dossier that is there. */
export function availableFacet(value: JsonValue): Facet<JsonValue> {
  return { state: "available", value };
}

/** A part of the dossier that is not there: why, and what to call instead. */
export function unavailableFacet(reason: string, remediation: string): Unavailable {
  return { state: "unavailable", reason, remediation };
}

/** A listing nobody asked for. */
export const listingNotAsked = unavailableFacet("The listing was not asked for.", "Call again with include_assembly, or page read_function_instructions.");

/** Pseudocode of a procedure that another file holds. */
export const noBody = unavailableFacet("The procedure has no body in this file.", "Analyse the library that holds it, or one of its callers.");

/** The answer, or the facet that says what was not given; throws what ends the whole request: a cancellation, the loss of the engine. */
export async function answerOrFacet<Answer>(asked: Promise<Answer>, what: string): Promise<{ readonly answer: Answer } | { readonly facet: Facet<never> }> {
  try {
    return { answer: await asked };
  } catch (error) {
    if (!isReaError(error) || !losses.includes(error.code)) throw error;
    return { facet: unavailableFacet(`${what} (${error.code}).`, "Read its instructions with read_function_instructions.") };
  }
}

/** The page of pseudocode from `offset` of at most `maximum` UTF-16 units, cut between whole characters. */
export function pseudocodePage(whole: string, { offset, maximum }: { readonly offset: number; readonly maximum: number }): JsonObject {
  const start = wholeCharacter(whole, Math.min(offset, whole.length));
  const end = wholeCharacter(whole, Math.min(start + maximum, whole.length));
  const truncated = end < whole.length;
  return { text: whole.slice(start, end), offset: start, returned_chars: end - start, total_chars: whole.length, truncated, next_offset: truncated ? end : null };
}

/** Never inside a surrogate pair; a cut of one character goes on past the pair. */
function wholeCharacter(text: string, at: number): number {
  const inside = /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
  return inside ? at + 1 : at;
}
