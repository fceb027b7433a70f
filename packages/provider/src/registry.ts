import { compareCodePoints } from "@rea/core";
import type { AnalysisProvider } from "./provider.js";

const idPattern = /^[a-z][a-z0-9-]{0,62}[a-z0-9]$/;

/** The deep providers of a process, sorted by id. */
export interface ProviderRegistry {
  /** Sorted by id, whatever the order of registration was. */
  readonly providers: readonly AnalysisProvider[];
  find(id: string): AnalysisProvider | undefined;
}

/**
 * Checks the rules every set of deep providers keeps and sorts it: ids of the pattern `[a-z][a-z0-9-]*[a-z0-9]`, `auto`
 * reserved, each id and each operation of a provider once, at most one embedded provider. A broken rule is a plain
 * Error at start-up: it is a mistake of the composition, not of a caller.
 */
export function createProviderRegistry(given: readonly AnalysisProvider[]): ProviderRegistry {
  const byId = new Map<string, AnalysisProvider>();
  for (const provider of given) {
    const { id } = provider.identity();
    checkId(id);
    if (byId.has(id)) throw new Error(`The provider id ${id} is registered twice.`);
    checkOperations(id, provider);
    byId.set(id, provider);
  }
  const providers = [...byId].sort(([a], [b]) => compareCodePoints(a, b)).map(([, provider]) => provider);
  if (providers.filter((provider) => provider.embedded).length > 1) {
    throw new Error("Only one embedded provider can be registered.");
  }
  return { providers, find: (id) => byId.get(id) };
}

function checkId(id: string): void {
  if (id === "auto") throw new Error("The provider id auto is reserved.");
  if (!idPattern.test(id)) throw new Error(`The provider id ${id} does not match ${idPattern.source}.`);
}

function checkOperations(id: string, provider: AnalysisProvider): void {
  const seen = new Set<string>();
  for (const { operation } of provider.capabilities()) {
    if (seen.has(operation)) throw new Error(`The provider ${id} declares ${operation} twice.`);
    seen.add(operation);
  }
}
