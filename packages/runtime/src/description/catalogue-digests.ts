import { canonicalSha256, type JsonObject } from "@rea/core";
import type { ProviderRegistry } from "@rea/provider";
import { toCatalogue, type Tool } from "@rea/tool";
import type { AuxiliaryRegistry } from "../static-calls.js";

/** What tells one catalogue of tools and providers from another. */
export interface CatalogueDigests {
  readonly tool_count: number;
  /** Of the canonical `tools/list` array. */
  readonly tools_sha256: string;
  /** Of providers and the operations they declare, whatever is configured on this host. */
  readonly providers_sha256: string;
  readonly combined_sha256: string;
}

export function catalogueDigests(parts: {
  readonly tools: readonly Tool[];
  /** The array that `tools/list` answers with; computed from the tools when the build did not supply it. */
  readonly catalogue: readonly JsonObject[] | undefined;
  readonly registry: ProviderRegistry;
  readonly auxiliary: AuxiliaryRegistry;
}): CatalogueDigests {
  const catalogue = parts.catalogue ?? toCatalogue(parts.tools);
  const tools_sha256 = canonicalSha256(catalogue);
  const providers_sha256 = canonicalSha256({
    deep: parts.registry.providers.map((provider) => ({
      id: provider.identity().id,
      operations: provider.capabilities().map(({ operation }) => operation).sort(),
    })),
    auxiliary: parts.auxiliary.operations.map(({ operation, provider }) => ({ operation, id: provider.id })),
  });
  const combined_sha256 = canonicalSha256({ tools_sha256, providers_sha256 });
  return { tool_count: catalogue.length, tools_sha256, providers_sha256, combined_sha256 };
}
