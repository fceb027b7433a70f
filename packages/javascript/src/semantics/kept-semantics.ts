import type { FactCache } from "../cache/fact-cache.js";
import type { SealedSemantics } from "./build-semantic-graph.js";

interface Keeping {
  readonly graphId: string;
  readonly cache: FactCache | undefined;
  readonly build: () => SealedSemantics | undefined;
}

/** The semantic graph of an application graph: the one an earlier run made of the same contents, or a new one. */
export function keptSemantics({ graphId, cache, build }: Keeping): SealedSemantics | undefined {
  const key = `semantic-graph ${graphId}`;
  const known = cache?.bytes(key);
  const found = known === undefined ? undefined : sealedIn(known);
  if (found !== undefined) return found;
  const made = build();
  if (made !== undefined) cache?.put(new Map([[key, Buffer.concat([Buffer.from(`${made.sha256} ${String(made.nodes)} ${String(made.edges)}\n`), made.text])]]));
  return made;
}

function sealedIn(bytes: Buffer): SealedSemantics | undefined {
  const end = bytes.indexOf("\n");
  const [sha256 = "", nodes = "", edges = ""] = bytes.toString("latin1", 0, Math.max(0, end)).split(" ");
  if (end < 0 || !/^[0-9a-f]{64}$/u.test(sha256)) return undefined;
  const text = new Uint8Array(bytes.subarray(end + 1));
  return { text, sha256, bytes: text.byteLength, nodes: Number(nodes), edges: Number(edges) };
}
