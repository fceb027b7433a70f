import { createHash } from "node:crypto";
import { canonicalJson, type ApplicationEdge, type ApplicationGraph, type ApplicationNode } from "@rea/core";
import type { Text } from "../text/decode.js";
import { ByteText } from "../text/byte-text.js";

/** An application graph as canonical JSON text, with what replies say of it. */
export interface SealedGraph {
  readonly text: Text;
  readonly id: string;
  /** Of the text. */
  readonly sha256: string;
  readonly bytes: number;
  readonly nodes: number;
  readonly edges: number;
  /** Something in it is a conclusion. */
  readonly isConcluded: boolean;
}

export type GraphContent = Pick<ApplicationGraph, "coverage" | "limitations" | "root_node_ids"> & { readonly nodes: readonly ApplicationNode[]; readonly edges: readonly ApplicationEdge[] };

/**
 * Writes a graph once, as `sealApplicationGraph` of core does, and lets every node and edge go that was written: the whole
 * stands once in memory. Its maker has written every object with its keys in order, with whole numbers and well-formed text.
 */
export function writeGraph({ coverage, limitations, nodes, edges, root_node_ids: roots }: GraphContent): SealedGraph {
  const before = new ByteText();
  before.add(`{"coverage":${canonicalJson(coverage)},"edges":`);
  writeList(before, edges, ({ edge_id: id }) => id);
  const after = new ByteText();
  after.add(`,"limitations":${canonicalJson(limitations)},"nodes":`);
  writeList(after, nodes, ({ node_id: id }) => id);
  after.add(`,"root_node_ids":${canonicalJson(roots)},"schema":"JavaScriptApplicationGraph","schema_version":1}`);
  const content = createHash("sha256");
  for (const part of [before, after]) for (const piece of part.pieces()) content.update(piece);
  const id = `jag_${content.digest("hex")}`;
  before.add(`,"graph_id":"${id}"`);
  const counts = { nodes: nodes.length, edges: edges.length, isConcluded: edges.some(({ state }) => state !== "observed") };
  const text = ByteText.joined([before, after]);
  return { text, id, sha256: createHash("sha256").update(text).digest("hex"), bytes: text.byteLength, ...counts };
}

function writeList<T extends object>(into: ByteText, items: readonly T[], idOf: (item: T) => string): void {
  const sorted = [...items].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  into.add("[");
  for (const [index, item] of sorted.entries()) into.add(index === 0 ? JSON.stringify(item) : `,${JSON.stringify(item)}`);
  into.add("]");
}
