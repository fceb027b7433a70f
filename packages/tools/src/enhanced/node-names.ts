import type { CapabilityPorts } from "@rea/core";
import type { ToolContext } from "@rea/tool";
import type { Budget } from "../composed/budget.js";
import type { Composition } from "../composed/composition.js";

interface NameQuestion {
  readonly ports: Pick<CapabilityPorts, "address_name">;
  readonly context: ToolContext;
  readonly budget: Budget;
}

/**
 * Names of addresses, asked in the given order while the budget lasts. An address without an entry was not asked or
 * could not be answered; null means that it has no name. Asks nothing when the provider cannot name addresses.
 */
export async function namesOf(
  composition: Composition,
  addresses: Iterable<string>,
  { ports, context, budget }: NameQuestion,
): Promise<ReadonlyMap<string, string | null>> {
  const names = new Map<string, string | null>();
  if (!context.offers("address_name")) return names;
  for (const address of addresses) {
    if (names.has(address)) continue;
    if (!budget.take()) break;
    const name = await composition.attempt(() => ports.address_name({ address }, context));
    if (name.ok) names.set(address, name.value);
  }
  return names;
}
