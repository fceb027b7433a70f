import { deepOperationNames, isShownOperation } from "@rea/core";
import type { AnalysisProvider, CapabilityDescriptor } from "@rea/provider";
import { code, markdownTable, yesNo } from "./markdown-table.js";
import { referencePage, type ReferencePage } from "./reference-page.js";

export function providersPage(providers: readonly AnalysisProvider[]): ReferencePage {
  const sections = [
    "# Providers",
    "A provider answers a target's operations; one is bound per target and answers all of them. What a provider does not offer is refused while it is bound, and never asked of another.",
    ...providers.map(providerSection),
  ];
  return referencePage("providers.md", sections.join("\n\n"));
}

function providerSection(provider: AnalysisProvider): string {
  const { id, name } = provider.identity();
  const capabilities = provider.capabilities();
  // The same limit holds for many operations: written once, referred to by number.
  const limitations = [...new Set(capabilities.flatMap((capability) => capability.limitations))];
  const notes = limitations.map((text, index) => `${index + 1}. ${text}`);
  return [
    `## ${id}`,
    `${name}. ${provider.embedded ? "Embedded: needs no other program." : "Drives a program that the user has installed."}`,
    markdownTable(
      ["Operation", "Paged by", "Exhaustive", "At most", "Limits"],
      capabilities.map((capability) => capabilityRow(capability, limitations)),
    ),
    ...notOffered(capabilities),
    ...(notes.length === 0 ? [] : ["Limits:", notes.join("\n")]),
  ].join("\n\n");
}

/** Its opt-outs from the provider contract. */
function notOffered(capabilities: readonly CapabilityDescriptor[]): readonly string[] {
  const offered = new Set(capabilities.map(({ operation }) => operation));
  const missing = deepOperationNames.filter((name) => isShownOperation(name) && !offered.has(name)).sort();
  return missing.length === 0 ? [] : [`Not offered: ${missing.map(code).join(", ")}.`];
}

function capabilityRow(capability: CapabilityDescriptor, limitations: readonly string[]): readonly string[] {
  const { max_results: maxResults } = capability.limits;
  return [
    code(capability.operation),
    capability.pagination,
    yesNo(capability.exhaustive),
    maxResults === null ? "–" : `${maxResults}`,
    capability.limitations.map((text) => limitations.indexOf(text) + 1).join(", "),
  ];
}
