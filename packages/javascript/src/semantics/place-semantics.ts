import type { Places } from "../text/places.js";
import { nodeStride, type FileSemantics } from "./file-semantics.js";

/** Semantics as text for the cache and for other threads: the number of nodes in front, so that bounds can be shared out before anything is read. */
export function semanticsText(semantics: FileSemantics | null, places: Places): string {
  if (semantics === null) return "";
  const nodes = semantics.nodes.slice();
  for (let at = 0; at < nodes.length; at += nodeStride) {
    const [start = 0, end = 0] = [nodes[at + 2], nodes[at + 3]];
    const line = places.lineOf(start);
    nodes[at + 2] = places.byteOffset(start);
    nodes[at + 3] = places.byteOffset(end);
    nodes[at + 4] = line + 1;
    nodes[at + 5] = start - (places.lineStart(line) ?? 0);
  }
  const exports = semantics.exports.map((one) => ({ ...one, at: places.byteOffset(one.at) }));
  return `${String(nodes.length / nodeStride)} ${JSON.stringify({ ...semantics, nodes, exports })}`;
}

export function nodesIn(text: Uint8Array): number {
  return text.byteLength === 0 ? 0 : Number.parseInt(textOf(text.subarray(0, 16)), 10);
}

/** Only texts of this code get here, by a thread or by a pack of the cache that is whole. */
export function semanticsIn(text: Uint8Array): FileSemantics | undefined {
  if (text.byteLength === 0) return undefined;
  const value: unknown = JSON.parse(textOf(text.subarray(text.indexOf(blank) + 1)));
  return isSemantics(value) ? value : undefined;
}

const blank = 0x20;

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function isSemantics(value: unknown): value is FileSemantics {
  return typeof value === "object" && value !== null && "nodes" in value && "edges" in value;
}

/** Bounds of a file: packages of others get less, so that the application's own code has room. */
export function semanticLimits(path: string): { readonly tier: "own" | "package"; readonly limits: { readonly moduleNodes: number; readonly fileNodes: number } } {
  const isPackage = /(?:^|\/)node_modules\//u.test(path);
  return isPackage ? { tier: "package", limits: { moduleNodes: 300, fileNodes: 400 } } : { tier: "own", limits: { moduleNodes: 10_000, fileNodes: 60_000 } };
}
