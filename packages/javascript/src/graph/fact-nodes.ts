import type { LinkedApplication, LinkedScript } from "../link/linked-application.js";
import type { Finding } from "./graph-builder.js";
import type { NodePlaces } from "./node-places.js";
import type { EndpointFact, Found } from "../facts/fact.js";

/** Endpoints and places of storage, tied to the code that uses them. */
export function addFacts({ scripts }: LinkedApplication, places: NodePlaces): void {
  for (const script of scripts) {
    for (const fact of script.facts.endpoints) {
      const finding = findingOf(script, fact);
      const id = places.builder.node({ kind: "endpoint", strategy: "artifact-local-key", value: endpointKey(fact), name: fact.value, properties: { method: fact.method }, finding });
      places.builder.edge("calls", places.owner(script, fact.at), id, { finding, properties: { basis: fact.basis } });
    }
    for (const fact of script.facts.storage) {
      const finding = findingOf(script, fact);
      const id = places.builder.node({ kind: "storage", strategy: "artifact-local-key", value: `${fact.area}:${fact.key ?? ""}`, name: fact.key ?? fact.area, properties: { area: fact.area, key: fact.key }, finding });
      places.builder.edge("persists_to", places.owner(script, fact.at), id, { finding, properties: { operation: fact.operation } });
    }
  }
}

export function endpointKey({ method, value }: Pick<EndpointFact, "method" | "value">): string {
  return `${method ?? ""} ${value}`;
}

export function findingOf({ path, sha256 }: LinkedScript, { at, basis, confidence }: Found): Finding {
  const file = { sha256, path };
  if (confidence === "observed") return { file, at, extractor: basis };
  return { file, at, extractor: basis, state: "inferred", confidence: "medium", limitations: ["Recognised by its form; what it is at run time is not shown."] };
}
