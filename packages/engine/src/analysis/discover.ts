import { referenceCode } from "../disassembler/disassembler.js";
import type { CodeMap } from "./code-map.js";
import { findParts, type Parts } from "./entries.js";
import type { JumpResolver } from "./computed-jumps.js";
import { Explorer } from "./explorer.js";
import { ExtentIndex } from "./extents.js";
import { addGapStarts } from "./gap-starts.js";
import type { MemoryMap } from "./memory-map.js";
import { Partition, type Body } from "./partition.js";
import { addPointerStarts, pointerStages } from "./pointer-starts.js";
import type { Pointers } from "./pointers.js";
import { ReferenceCollector, valueOperand, type ReferenceTable } from "./reference-table.js";
import { scanBody } from "./scan.js";
import type { Seeds } from "./seeds.js";
import { sweepExtents } from "./sweep.js";
import { addTailCallTargets } from "./tail-calls.js";
import type { WorkBounds } from "./work-bounds.js";

export interface DiscoverInput {
  readonly memory: MemoryMap;
  readonly code: CodeMap;
  readonly seeds: Seeds;
  readonly pointers: Pointers;
  /** Bytes of a pointer. */
  readonly cellBytes: 4 | 8;
  readonly bounds: WorkBounds;
  readonly resolve: JumpResolver;
}

export interface Discovered {
  readonly bodies: readonly Body[];
  readonly references: ReferenceTable;
  readonly explorer: Explorer;
  readonly functionsLeftOut: number;
}

/**
 * Finds all functions the evidence leads to: code reachable from declared starts, then what declared ranges hold beyond
 * that, then what pointers in data and code lead to, then what follows padding behind a finished function; each step until
 * nothing new turns up.
 */
export function discoverFunctions(input: DiscoverInput): Discovered {
  const discovery = new Discovery(input);
  discovery.run();
  return discovery.finish();
}

/** Each pass looks at all code; what a file made to need more leaves unread is counted as not examined. */
const gapPasses = 256;
/** Each of these forms all functions again. */
const guessPasses = 8;

class Discovery {
  readonly #input: DiscoverInput;
  readonly #explorer: Explorer;
  readonly #partition: Partition;
  readonly #extents: ExtentIndex;
  readonly #formed = new Set<number>();
  #references = new ReferenceCollector();
  #bodies: Body[] = [];
  #parts: Parts = new Map();
  #leftOut = 0;
  readonly #passes = { labels: 0, guess: 0 };
  /** True when a function was found to start inside what an earlier step gave to another. */
  #split = false;

  constructor(input: DiscoverInput) {
    this.#input = input;
    this.#explorer = new Explorer(input.code, input.seeds, input.bounds, input.resolve);
    this.#partition = new Partition(input.code, this.#explorer, input.bounds);
    this.#extents = new ExtentIndex(input.seeds.extents);
  }

  run(): void {
    const { code, seeds, bounds } = this.#input;
    const declared = seeds.sources.starts();
    this.#leftOut = Math.max(0, declared.length - bounds.limits.functions);
    for (const start of bounds.watched(declared.subarray(0, bounds.limits.functions))) this.#explorer.addEntry(start);
    this.#explore();
    sweepExtents(code, this.#explorer, seeds, bounds);
    this.#parts = findParts(code, seeds, this.#explorer, bounds);
    this.#form();
    this.#followAll();
    for (let pass = 0; pass < gapPasses && (this.#fillGaps() || this.#followPointers("all")); pass += 1) {
      this.#form();
      this.#followAll();
    }
    if (this.#split) this.#formAgain();
  }

  finish(): Discovered {
    this.#addPointers();
    return {
      bodies: this.#bodies,
      references: this.#references.finish(this.#input.bounds),
      explorer: this.#explorer,
      functionsLeftOut: this.#leftOut,
    };
  }

  /** Pointers in data refer as well; those found by value where something is known to stand there. */
  #addPointers(): void {
    const { pointers, seeds, bounds } = this.#input;
    for (const [cell, target] of bounds.watched(pointers.targets)) {
      const byValue = pointers.byValue.has(cell);
      if (!byValue || (this.#isPlace(target) && !this.#explorer.computed.resolver.isInTable(cell))) this.#references.add(cell, target, referenceCode.address, byValue ? valueOperand : undefined);
    }
    const isPointer = (cell: number) => pointers.targets.has(cell) || pointers.doubtful.has(cell);
    for (const [cell, target] of bounds.watched(pointers.doubtful)) {
      const inTable = isPointer(cell - this.#input.cellBytes) || isPointer(cell + this.#input.cellBytes);
      if (seeds.sources.has(target) || (inTable && this.#isPlace(target))) this.#references.add(cell, target, referenceCode.address, valueOperand);
    }
  }

  /** The pointers without words that are the entries of jump tables. */
  #allPointers(): ReadonlyMap<number, number> {
    const { pointers } = this.#input;
    const { resolver } = this.#explorer.computed;
    const wrong = [...pointers.byValue.keys()].filter((cell) => resolver.isInTable(cell));
    if (wrong.length === 0) return pointers.targets;
    const kept = new Map(pointers.targets);
    for (const cell of wrong) kept.delete(cell);
    return kept;
  }

  /** False inside code where no function starts and no jump leads. */
  #isPlace(rva: number): boolean {
    const { code, seeds } = this.#input;
    const region = code.regionAt(rva);
    if (region === undefined || seeds.sources.has(rva)) return true;
    return region.claimed.has(rva - region.start) && region.leaders.has(rva - region.start);
  }

  /** Follows tables of labels and pointers, then guesses the size of tables that nothing bounds, until none leads further. */
  #followAll(): void {
    do {
      do while (this.#followTables("labels"));
      while (this.#followPointers("relocated"));
    } while (this.#followTables("guess"));
  }

  /** What such a table leads to belongs to functions that were formed without it. */
  #followTables(search: "labels" | "guess"): boolean {
    const passes = this.#passes[search];
    if (passes >= guessPasses || this.#explorer.retryUnresolved(search) === 0) return false;
    this.#passes[search] = passes + 1;
    this.#form();
    this.#formAgain();
    return true;
  }

  /**
   * Words that are pointers by their value are followed last: most of those that lead to code where no function is known yet
   * stand in the jump tables of functions behind padding, which are found without them.
   */
  #followPointers(which: "relocated" | "all"): boolean {
    const { code, seeds, pointers, bounds } = this.#input;
    if (bounds.exhausted) return false;
    const targets = which === "all" ? this.#allPointers() : pointers.relocatedTargets;
    const input = { code, seeds, pointers: targets, references: this.#references, explorer: this.#explorer, extents: this.#extents, bounds };
    if (!pointerStages.some((stage) => addPointerStarts(stage, input) > 0)) return false;
    this.#form();
    return true;
  }

  #fillGaps(): boolean {
    const { code, seeds, bounds } = this.#input;
    return addGapStarts(code, seeds, this.#explorer, { extents: this.#extents, bounds }) > 0 && !bounds.exhausted;
  }

  #explore(): void {
    do this.#explorer.explore();
    while (this.#explorer.retryUnresolved("bounded") > 0 || this.#explorer.exploreBehindCalls() > 0);
  }

  /** Explores from the new starts and gives them their instructions. */
  #form(): void {
    const { code, seeds, bounds } = this.#input;
    this.#explore();
    while (addTailCallTargets(code, seeds, this.#explorer, bounds) > 0) this.#explore();
    const fresh = seeds.sources.starts().filter((start) => !this.#formed.has(start));
    for (const start of bounds.watched(fresh)) {
      this.#formed.add(start);
      const region = code.regionAt(start);
      if (region?.claimed.has(start - region.start) === true) this.#split = true;
    }
    this.#addBodies(this.#partition.form(fresh, seeds.extents, this.#parts));
  }

  #formAgain(): void {
    const { code, seeds } = this.#input;
    this.#split = false;
    for (const region of code.regions) region.claimed.clear();
    this.#bodies = [];
    this.#references = new ReferenceCollector();
    this.#addBodies(this.#partition.form(seeds.sources.starts(), seeds.extents, this.#parts));
  }

  #addBodies(bodies: readonly Body[]): void {
    const { memory, code, seeds, pointers, bounds } = this.#input;
    const context = { code, memory, seeds, pointers: pointers.targets, references: this.#references, switches: this.#explorer.computed.resolved, bounds };
    for (const body of bounds.watched(bodies)) {
      this.#bodies.push(body);
      scanBody(body, context);
    }
  }
}
