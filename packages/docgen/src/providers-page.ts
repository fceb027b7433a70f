import type { AnalysisProvider, CapabilityDescriptor } from "@rea/provider";
import { code, markdownTable, yesNo } from "./markdown-table.js";
import { referencePage, type ReferencePage } from "./reference-page.js";

export function providersPage(providers: readonly AnalysisProvider[]): ReferencePage {
  const sections = [
    "# Providers",
    "A provider answers a target's operations; one is bound per target and answers all of them.",
    ...providers.map(providerSection),
  ];
  return referencePage("providers.md", sections.join("\n\n"));
}

function providerSection(provider: AnalysisProvider): string {
  const { id, name } = provider.identity();
  return [
    `## ${id}`,
    `${name}. ${provider.embedded ? "Embedded: needs no other program." : "Drives a program that the user has installed."}`,
    markdownTable(
      ["Operation", "Paged by", "Exhaustive", "At most", "Time limit", "Limits of the method"],
      provider.capabilities().map(capabilityRow),
    ),
  ].join("\n\n");
}

function capabilityRow(capability: CapabilityDescriptor): readonly string[] {
  const { limits } = capability;
  return [
    code(capability.operation),
    capability.pagination,
    yesNo(capability.exhaustive),
    limits.max_results === null ? "–" : `${limits.max_results}`,
    limits.timeout_ms === null ? "–" : `${limits.timeout_ms} ms`,
    capability.limitations.join(" "),
  ];
}
