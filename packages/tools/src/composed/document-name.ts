import type { CapabilityPorts } from "@rea/core";
import type { ToolContext } from "@rea/tool";
import type { Composition } from "./composition.js";

/** Name of the selected document, or of the only one; null when the provider does not say. */
export async function documentName(
  composition: Composition,
  ports: Pick<CapabilityPorts, "current_document" | "list_documents">,
  context: ToolContext,
): Promise<string | null> {
  if (context.offers("current_document")) {
    const current = await composition.attempt(() => ports.current_document({}, context));
    if (current.ok) return current.value;
  }
  if (!context.offers("list_documents")) return null;
  const all = await composition.attempt(() => ports.list_documents({ offset: 0, limit: 1 }, context));
  return all.ok ? (all.value.items[0] ?? null) : null;
}
