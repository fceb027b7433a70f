import { compareCodePoints, isShownOperation, type JsonObject } from "@rea/core";
import type { CapabilityDescriptor } from "@rea/provider";
import { plainJson } from "../session/open-result.js";
import type { OpenState } from "../session/open-state.js";
import type { AuxiliaryRegistry } from "../static-calls.js";

/**
 * Descriptors of the bound deep provider and of the file parsers, sorted by operation. A sentence that most operations of
 * the provider repeat is told once in `limitations`, and each descriptor keeps the sentences of its own. Effects are those
 * that there are: one that is not named is none, since the reply has to stay small.
 */
export function capabilityFields(
  auxiliary: AuxiliaryRegistry,
  open: OpenState | null,
): { readonly capabilities: JsonObject[]; readonly limitations: readonly string[] } {
  const bound = open?.bound;
  const deep = (bound?.provider.capabilities() ?? []).filter(({ operation }) => isShownOperation(operation));
  const provider = bound?.binding.provider.id ?? "";
  const shared = sharedSentences(deep);
  const fields: [string, JsonObject][] = [
    ...deep.map((descriptor): [string, JsonObject] => [descriptor.operation, descriptorFields(descriptor, provider, shared)]),
    ...auxiliary.operations.map(({ operation, provider: { id } }): [string, JsonObject] => [operation, staticDescriptor(operation, id)]),
  ];
  return {
    capabilities: fields.sort(([a], [b]) => compareCodePoints(a, b)).map(([, descriptor]) => descriptor),
    limitations: [...shared].map((sentence) => `Operations of ${provider} that are not exhaustive: ${sentence}`),
  };
}

/** What over half of several operations that are not exhaustive say of themselves. */
function sharedSentences(descriptors: readonly CapabilityDescriptor[]): ReadonlySet<string> {
  const limited = descriptors.filter(({ exhaustive }) => !exhaustive);
  const counts = new Map<string, number>();
  for (const sentence of limited.flatMap(({ limitations }) => limitations)) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > 1 && count * 2 > limited.length).map(([sentence]) => sentence));
}

function descriptorFields(descriptor: CapabilityDescriptor, provider: string, shared: ReadonlySet<string>): JsonObject {
  const { operation, exhaustive, limitations, effects, ...rest } = descriptor;
  const acting = Object.fromEntries(Object.entries(effects).filter(([, acts]) => acts));
  const own = exhaustive ? limitations : limitations.filter((sentence) => !shared.has(sentence));
  return { operation, provider, ...plainJson({ ...rest, effects: acting, exhaustive, limitations: own }) };
}

/** File parsers: they read one file and answer from it. */
function staticDescriptor(operation: string, provider: string): JsonObject {
  return {
    operation,
    provider,
    input_contract_version: 1,
    output_contract_version: 1,
    pagination: operation === "inspect_binary" ? "offset" : "none",
    exhaustive: true,
    effects: {},
    limits: { max_results: null, max_payload_bytes: null, timeout_ms: null },
    limitations: [],
    available: true,
    reason: null,
    availability_code: null,
  };
}
