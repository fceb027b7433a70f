import { referenceCode } from "../disassembler/disassembler.js";
import type { CodeMap } from "./code-map.js";
import { addTailCallTargets, findParts } from "./entries.js";
import { Explorer } from "./explorer.js";
import type { MemoryMap } from "./memory-map.js";
import { Partition, type Body } from "./partition.js";
import type { Pointers } from "./pointers.js";
import { ReferenceCollector, type ReferenceTable } from "./reference-table.js";
import { scanBody } from "./scan.js";
import type { Seeds } from "./seeds.js";
import { sweepExtents } from "./sweep.js";
import type { WorkBounds } from "./work-bounds.js";

export interface DiscoverInput {
  readonly memory: MemoryMap;
  readonly code: CodeMap;
  readonly seeds: Seeds;
  readonly pointers: Pointers;
  readonly bounds: WorkBounds;
}

export interface Discovered {
  readonly bodies: readonly Body[];
  readonly references: ReferenceTable;
  readonly explorer: Explorer;
  readonly functionsLeftOut: number;
}

/**
 * Finds all functions the evidence leads to: code reachable from declared starts, then what declared ranges hold beyond
 * that, then what pointers found on the way lead to, until nothing new turns up.
 */
export function discoverFunctions(input: DiscoverInput): Discovered {
  const { memory, code, seeds, pointers, bounds } = input;
  const explorer = new Explorer(code, seeds, bounds, () => undefined);
  const partition = new Partition(code, explorer, bounds);
  const references = new ReferenceCollector();
  const context = { code, memory, seeds, pointers: pointers.targets, references, bounds };

  const declared = seeds.sources.starts();
  for (const start of declared.subarray(0, bounds.limits.functions)) explorer.addEntry(start);
  explorer.explore();
  sweepExtents(code, explorer, seeds.extents, seeds.sources);
  const parts = findParts(code, seeds, explorer);
  while (addTailCallTargets(code, seeds, explorer) > 0) explorer.explore();

  const bodies = partition.form(seeds.sources.starts(), seeds.extents, parts);
  for (const body of bodies) scanBody(body, context);
  for (const [cell, target] of pointers.targets) references.add(cell, target, referenceCode.address, undefined);
  return {
    bodies,
    references: references.finish(),
    explorer,
    functionsLeftOut: Math.max(0, declared.length - bounds.limits.functions),
  };
}
