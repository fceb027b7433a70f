import { canonicalJson } from "@rea/core";
import { unknownDimension, type DimensionFinding } from "./dimension-finding.js";
import type { FunctionDossier } from "./function-side.js";

type Blocks = FunctionDossier["basic_blocks"];
type Block = Extract<Blocks, { state: "available" }>["value"]["items"][number];

/**
 * Compares numbers of blocks and the edges between them, independent of where blocks lie: blocks are numbered in the order
 * in which a breadth-first walk from the entry meets them.
 */
export function compareControlFlow(left: FunctionDossier, right: FunctionDossier): DimensionFinding {
  const [before, after] = [left.basic_blocks, right.basic_blocks];
  if (before.state === "unavailable") return unknownDimension(before.reason);
  if (after.state === "unavailable") return unknownDimension(after.reason);
  const whole = isWhole(before) && isWhole(after);
  const otherCounts = before.value.total !== null && after.value.total !== null && before.value.total !== after.value.total;
  if (!whole) {
    const cut = "The basic blocks are cut; ask for the dossier with a greater limit.";
    if (!otherCounts) return unknownDimension(cut);
    return { status: "changed", left: null, right: null, textDelta: null, changes: [countChange(before, after)], limitations: [cut] };
  }
  const [ofLeft, ofRight] = [shapeOf(before.value.items, left.procedure.address), shapeOf(after.value.items, right.procedure.address)];
  const same = ofLeft.join("\n") === ofRight.join("\n");
  return {
    status: same ? "unchanged" : "changed",
    left: ofLeft,
    right: ofRight,
    textDelta: null,
    changes: same ? [] : [countChange(before, after)],
    limitations: [],
  };
}

function isWhole(facet: Extract<Blocks, { state: "available" }>): boolean {
  return !facet.value.truncated && facet.value.total === facet.value.items.length;
}

function countChange(left: Extract<Blocks, { state: "available" }>, right: Extract<Blocks, { state: "available" }>): DimensionFinding["changes"][number] {
  const text = ({ value }: Extract<Blocks, { state: "available" }>): string => {
    const edges = value.items.reduce((sum, block) => sum + block.successors.length, 0);
    return `${String(value.total ?? value.returned)} blocks, ${String(edges)} edges`;
  };
  return { kind: "changed", left: text(left), right: text(right) };
}

/** One text a block: its edges by kind, cases and number of the target. */
function shapeOf(blocks: readonly Block[], entry: string): string[] {
  const byStart = new Map(blocks.map((block) => [block.start, block]));
  const order = walk(byStart, entry);
  const numbers = new Map(order.map(({ start }, index) => [start, index]));
  return order.map((block) =>
    canonicalJson(orderedEdges(block).map(({ address, kind, cases, default: isDefault }) => [kind, numbers.get(address) ?? "outside", cases ?? [], isDefault ?? false])),
  );
}

function walk(byStart: ReadonlyMap<string, Block>, entry: string): Block[] {
  const met = new Set<string>([entry]);
  // Grows while it is walked; what no path reaches comes after, in the order of the dossier.
  const starts = [entry];
  const meet = (start: string): void => {
    if (met.has(start)) return;
    met.add(start);
    starts.push(start);
  };
  const spread = (from: number): number => {
    let at = from;
    for (; at < starts.length; at += 1) for (const { address } of orderedEdges(byStart.get(starts[at] ?? ""))) meet(address);
    return at;
  };
  let done = spread(0);
  for (const start of byStart.keys()) {
    meet(start);
    done = spread(done);
  }
  return starts.flatMap((start) => byStart.get(start) ?? []);
}

/** By kind and cases; equal ones by address, which is their order in the code. */
function orderedEdges(block: Block | undefined): Block["successors"] {
  const key = ({ kind, cases = [] }: Block["successors"][number]): string => `${kind} ${cases.join(",")}`;
  return [...(block?.successors ?? [])].sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (left !== right) return left < right ? -1 : 1;
    return BigInt(a.address) < BigInt(b.address) ? -1 : 1;
  });
}
