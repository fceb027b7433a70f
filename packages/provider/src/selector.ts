const idPattern = /^[a-z][a-z0-9-]{0,62}[a-z0-9]$/;

/** Which provider a caller wants: the policy's choice, or exactly one. */
export type ProviderSelector = { readonly kind: "auto" } | { readonly kind: "concrete"; readonly id: string };

/** A selector and where it came from; `default` when nobody asked. */
export interface ChosenSelector {
  readonly selector: ProviderSelector;
  readonly source: "request" | "environment" | "default";
}

/** Reads `auto` or a provider id; undefined when the text is neither. The same for requests, options and environment. */
export function parseProviderSelector(text: string): ProviderSelector | undefined {
  if (text === "auto") return { kind: "auto" };
  return idPattern.test(text) ? { kind: "concrete", id: text } : undefined;
}

/** The selector that counts: the request's, then the environment's, then `auto`. An explicit `auto` is a request. */
export function chooseSelector(given: {
  readonly request: ProviderSelector | undefined;
  readonly environment: ProviderSelector | undefined;
}): ChosenSelector {
  if (given.request !== undefined) return { selector: given.request, source: "request" };
  if (given.environment !== undefined) return { selector: given.environment, source: "environment" };
  return { selector: { kind: "auto" }, source: "default" };
}
