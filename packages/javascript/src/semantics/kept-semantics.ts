import type { FactCache } from "../cache/fact-cache.js";
import type { Text } from "../text/decode.js";
import type { SealedSemantics } from "./build-semantic-graph.js";

interface Keeping {
  readonly graphId: string;
  readonly cache: FactCache | undefined;
  readonly build: () => SealedSemantics | undefined;
}

/** The semantic graph of an application graph: the one an earlier run made of the same contents, or a new one. */
export function keptSemantics({ graphId, cache, build }: Keeping): SealedSemantics | undefined {
  const key = `semantic-graph ${graphId}`;
  const found = sealedIn(cache?.get(key), () => cache?.text(`${key} text`));
  if (found !== undefined) return found;
  const made = build();
  if (made !== undefined) cache?.put(new Map<string, string | Uint8Array>([[key, `${made.sha256} ${String(made.nodes)} ${String(made.edges)}`], [`${key} text`, made.text]]));
  return made;
}

function sealedIn(head: string | undefined, textOf: () => Text | undefined): SealedSemantics | undefined {
  const [, sha256, nodes, edges] = /^([0-9a-f]{64}) (\d+) (\d+)$/u.exec(head ?? "") ?? [];
  const text = sha256 === undefined ? undefined : textOf();
  if (sha256 === undefined || text === undefined) return undefined;
  return { text, sha256, bytes: text.byteLength, nodes: Number(nodes), edges: Number(edges) };
}
