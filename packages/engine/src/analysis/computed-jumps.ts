import type { CodeMap, CodeRegion } from "./code-map.js";
import { endingAt } from "./region-probes.js";

/** How far to go for a table that nothing bounds: not at all, where its entries are seen to be labels, or on a guess. */
export type TableSearch = "bounded" | "labels" | "guess";

/** What is known of computed jumps; offsets count from the start of the region. */
export interface JumpResolver {
  /** The targets, or undefined when it cannot be sure of all of them; on a guess, those that seem to be. */
  targets(region: CodeRegion, at: number, search: TableSearch): readonly number[] | undefined;
  /** True for a place that the entries of a table count from. */
  isTableBase(rva: number): boolean;
  /** True when entries smaller than a pointer stand in the word at the address. */
  isInTable(rva: number): boolean;
  /** True when the jump goes to an address that was handed over or loaded whole, and so leaves the function. */
  isTailCall(region: CodeRegion, at: number): boolean;
}

/** The computed jumps met so far, and what they say of the code around them. */
export class ComputedJumps {
  /** Those without known targets, with the number of their run. */
  readonly unresolved = new Map<number, number>();
  readonly resolved = new Map<number, readonly number[]>();
  readonly resolver: JumpResolver;
  readonly #code: CodeMap;
  /** Jumps that were judged: whether each leaves its function. */
  readonly #tailCalls = new Map<number, boolean>();

  constructor(code: CodeMap, resolver: JumpResolver) {
    this.#code = code;
    this.resolver = resolver;
  }

  /** True for a place that the entries of a jump table count from, or may: an address that is formed and is no function. */
  isTableBase(rva: number): boolean {
    return this.resolver.isTableBase(rva) || this.#isBehindOpenJump(rva);
  }

  /** Entries (as offsets) of functions that hold a computed jump which may lead to more of their code. */
  openOwners(region: CodeRegion): ReadonlySet<number> {
    const owners = new Set<number>();
    for (const jump of this.unresolved.keys()) {
      if (jump < region.start || jump >= region.end || this.#isTailCall(region, jump)) continue;
      owners.add(region.entries.floor(jump - region.start));
    }
    return owners;
  }

  /** Compilers count from the place directly behind the jump. */
  #isBehindOpenJump(rva: number): boolean {
    const region = this.#code.regionAt(rva);
    const before = region === undefined ? -1 : endingAt(region, rva - region.start);
    if (region === undefined || before < 0) return false;
    const jump = region.start + before;
    return this.unresolved.has(jump) && !this.#isTailCall(region, jump);
  }

  #isTailCall(region: CodeRegion, jump: number): boolean {
    const known = this.#tailCalls.get(jump) ?? this.resolver.isTailCall(region, jump - region.start);
    this.#tailCalls.set(jump, known);
    return known;
  }
}
