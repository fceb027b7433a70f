import { endsFlow, flow } from "../disassembler/flow.js";
import { continuationsOfCallers } from "./behind-calls.js";
import type { CodeMap, CodeRegion } from "./code-map.js";
import { ComputedJumps, type JumpResolver, type TableSearch } from "./computed-jumps.js";
import { ExtentIndex } from "./extents.js";
import { usualAlignment } from "./function-alignment.js";
import { JumpList } from "./jump-list.js";
import { NumberList } from "./number-list.js";
import { neverReturns } from "./no-return.js";
import { coveredByEarlier } from "./region-probes.js";
import { ReturnGraph } from "./return-graph.js";
import type { Seeds } from "./seeds.js";
import type { WorkBounds } from "./work-bounds.js";

const phase = "discovering code";
const longestStub = 32;

/**
 * Follows control flow from known starts and marks what it decodes in the code map. Code is walked in straight runs; a run
 * ends where flow ends, where an earlier run begins, or at a call whose callee is not known to return. Each address is
 * decoded at most once, so the work is linear in the size of the code.
 */
export class Explorer {
  /** Direct jumps that may lead to another function. */
  readonly jumps = new JumpList();
  readonly computed: ComputedJumps;
  /** Starts of code behind calls that never come back. */
  readonly behindCalls = new Set<number>();
  /** Instructions that begin inside another decoded instruction. */
  overlapping = 0;
  /** Runs that met bytes which are no instruction. */
  undecodable = 0;

  readonly #code: CodeMap;
  readonly #seeds: Seeds;
  readonly #bounds: WorkBounds;
  readonly #extents: ExtentIndex;
  readonly #graph = new ReturnGraph();
  readonly #runAt = new Map<number, number>();
  /** Runs created and not walked yet: start, number. */
  readonly #pending = new NumberList();

  constructor(code: CodeMap, seeds: Seeds, bounds: WorkBounds, resolve: JumpResolver) {
    this.#code = code;
    this.#seeds = seeds;
    this.#bounds = bounds;
    this.computed = new ComputedJumps(code, resolve);
    this.#extents = new ExtentIndex(seeds.extents);
    for (const extent of seeds.extents) code.addExtentEnd(extent.end);
  }

  /** Notes that a function starts here. Ignored outside code. */
  addEntry(rva: number): void {
    const region = this.#code.isCode(rva) ? this.#code.regionAt(rva) : undefined;
    if (region === undefined) return;
    region.entries.add(rva - region.start);
    const run = this.#runFor(rva);
    const { stubs, noReturn, comesBack } = this.#seeds;
    if ((stubs.has(rva) && !noReturn.has(rva)) || comesBack.has(rva)) this.#graph.markReturns(run);
  }

  /** Walks until nothing is left to follow or the bound is reached. */
  explore(): void {
    for (;;) {
      while (this.#pending.length > 0 && !this.#bounds.exhausted) {
        const run = this.#pending.pop();
        this.#walk(this.#pending.pop(), run);
      }
      if (this.#bounds.exhausted) return;
      const moved = this.#graph.settle((continuation, caller, callSite) => {
        this.#bounds.worked(8);
        this.#code.setFlow(callSite, this.#code.flowAt(callSite) === flow.callNoReturn ? flow.call : flow.indirectCall);
        this.#graph.follow(this.#runFor(continuation), caller);
      });
      if (!moved && this.#pending.length === 0) return;
    }
  }

  /** Explores what stands behind calls that never come back where it belongs to the caller; the number of new places. */
  exploreBehindCalls(): number {
    const judge = { code: this.#code, seeds: this.#seeds, bounds: this.#bounds, isDeclared: (rva: number) => this.#extents.at(rva) !== undefined };
    let found = 0;
    for (const rva of continuationsOfCallers(this.#graph.pendingCalls(this.#bounds), judge)) {
      if (this.behindCalls.has(rva)) continue;
      this.behindCalls.add(rva);
      this.#runFor(rva);
      found += 1;
    }
    return found;
  }

  /** Looks again for tables of unresolved jumps, now that more code before them is known; the number found. */
  retryUnresolved(search: TableSearch): number {
    let found = 0;
    for (const [from, run] of [...this.computed.unresolved]) {
      this.#bounds.worked(256);
      const region = this.#code.regionAt(from);
      const targets = region === undefined ? undefined : this.computed.resolver.targets(region, from - region.start, search);
      if (targets === undefined) continue;
      const label = search === "labels" && targets.length === 1 ? targets[0] : undefined;
      found += label === undefined ? this.#followTable(from, run, targets) : this.#followLabel(label, run);
    }
    return found;
  }

  /** Walks code at `rva` that the function at `entry` owns although no instruction is seen to lead there. */
  exploreHidden(rva: number, entry: number): void {
    this.#graph.follow(this.#runFor(rva), this.#runFor(entry));
  }

  /** True when a return is known to be reachable from the entry. */
  returns(rva: number): boolean {
    const run = this.#runAt.get(rva);
    return run === undefined || this.#bounds.exhausted || this.#graph.returns(run);
  }

  /** The run that holds the instruction at `rva`; a new one to be walked when nothing was decoded there. */
  #runFor(rva: number): number {
    const known = this.#runAt.get(rva);
    if (known !== undefined) return known;
    const region = this.#code.regionAt(rva);
    if (region !== undefined && region.marks[rva - region.start] !== 0) {
      const holder = this.#runAt.get(region.start + region.runs.floor(rva - region.start));
      if (holder !== undefined) return holder;
    }
    return this.#addRun(rva, region);
  }

  #addRun(rva: number, region: CodeRegion | undefined): number {
    const run = this.#graph.addRun();
    this.#runAt.set(rva, run);
    if (region === undefined) return run;
    region.runs.add(rva - region.start);
    this.#pending.push(rva);
    this.#pending.push(run);
    return run;
  }

  #walk(start: number, run: number): void {
    const region = this.#code.regionAt(start);
    if (region === undefined) return;
    const first = start - region.start;
    if (region.marks[first] === 0 && coveredByEarlier(region, first)) this.overlapping += 1;
    let at = first;
    let count = 0;
    while (at >= 0) {
      if (at !== first && this.#joins(region, at, run)) break;
      at = this.#step(region, at, run);
      count += 1;
    }
    this.#bounds.instructions += count;
    this.#bounds.did(count, phase);
  }

  /** True when the run ends because `at` is already another run's, or was decoded before. */
  #joins(region: CodeRegion, at: number, run: number): boolean {
    if (at >= region.marks.length) {
      this.undecodable += 1;
      this.#graph.markReturns(run);
      return true;
    }
    if (!region.runs.has(at) && region.marks[at] === 0) return false;
    this.#graph.follow(this.#runFor(region.start + at), run);
    return true;
  }

  /** Decodes one instruction; the offset of the next, or -1 at the end of the run. */
  #step(region: CodeRegion, at: number, run: number): number {
    const decoder = region.decoder;
    if (!decoder.decode(at)) {
      this.undecodable += 1;
      this.#graph.markReturns(run);
      return -1;
    }
    const next = at + decoder.length;
    const kind = decoder.flow;
    region.marks[at] = (kind << 4) | decoder.length;
    if (kind === flow.sequential || kind === flow.padding) return next;
    const after = this.#follow(region, at, run);
    if (after !== kind) region.marks[at] = (after << 4) | (next - at);
    return endsFlow(after) ? -1 : next;
  }

  /** Follows the branch just decoded and gives its final flow. */
  #follow(region: CodeRegion, at: number, run: number): number {
    const { flow: kind, target, slot, length } = region.decoder;
    switch (kind) {
      case flow.call:
      case flow.conditionalCall:
        return this.#followCall(region, at, run, target);
      case flow.indirectCall:
        return this.#followSlotCall(region, slot, at + length);
      case flow.jump:
      case flow.conditionalJump:
        return this.#followJump(region.start + at, run, target, kind);
      case flow.indirectJump:
      case flow.conditionalIndirectJump:
        this.#followComputed(region, at, run);
        return kind;
      case flow.return:
      case flow.conditionalReturn:
        this.#graph.markReturns(run);
        return kind;
      default:
        return kind;
    }
  }

  #followCall(region: CodeRegion, at: number, run: number, target: number): number {
    const next = at + region.decoder.length;
    // A call to the next instruction fetches the program counter (position-independent 32-bit code).
    const kind = region.decoder.flow;
    if (target === region.start + next || !this.#code.isCode(target)) return kind;
    const { sources } = this.#seeds;
    const known = sources.has(target);
    const inside = !known && (this.#seeds.parts.has(target) || this.#extents.isInside(target));
    if (inside) this.#code.addLeader(target);
    else if (known || sources.size < this.#bounds.limits.functions) sources.add(target, "call-target");
    if (this.#seeds.noReturn.has(target) && kind === flow.call) return flow.callNoReturn;
    if (!inside) this.addEntry(target);
    if (kind === flow.conditionalCall) return kind;
    const callee = this.#runFor(target);
    if (this.#graph.returns(callee)) return flow.call;
    if (!region.extentEnds.has(next)) {
      this.#graph.awaitReturn(callee, run, region.start + next, region.start + at);
    }
    return flow.callNoReturn;
  }

  #followSlotCall(region: CodeRegion, slot: number, next: number): number {
    const name = slot < 0 ? undefined : this.#seeds.slots.get(slot)?.name;
    if (name !== undefined && neverReturns(name)) return flow.indirectCallNoReturn;
    return region.extentEnds.has(next) ? flow.indirectCallNoReturn : flow.indirectCall;
  }

  #followJump(from: number, run: number, target: number, kind: number): number {
    if (!this.#code.isCode(target)) {
      this.#graph.markReturns(run);
      return kind;
    }
    this.#code.addLeader(target);
    const extent = this.#extents.at(from);
    // Most conditional jumps stay in their function; without a declared range only those to where a function may start count.
    const mayLeave = kind === flow.jump || target % usualAlignment === 0;
    if (extent === undefined ? mayLeave : target < extent.start || target >= extent.end) {
      this.jumps.add(from, target, kind === flow.conditionalJump);
    }
    if (!this.#seeds.noReturn.has(target)) this.#graph.follow(this.#runFor(target), run);
    return kind;
  }

  #followComputed(region: CodeRegion, at: number, run: number): void {
    const from = region.start + at;
    const slot = region.decoder.slot;
    const imported = slot < 0 ? undefined : this.#seeds.slots.get(slot);
    if (imported !== undefined) {
      if (imported.name === undefined || !neverReturns(imported.name)) this.#graph.markReturns(run);
      return;
    }
    const pointee = this.#seeds.pointers.get(slot);
    if (pointee !== undefined && this.#code.isCode(pointee)) {
      this.#graph.follow(this.#runFor(pointee), run);
      return;
    }
    if (this.#isInStub(region, at)) {
      this.#graph.markReturns(run);
      return;
    }
    const targets = this.computed.resolver.targets(region, at, "bounded");
    if (targets === undefined) {
      this.computed.unresolved.set(from, run);
      this.#graph.markReturns(run);
    } else this.#followTable(from, run, targets);
  }

  /** Stubs of machines that take several instructions to load the import's cell. */
  #isInStub(region: CodeRegion, at: number): boolean {
    const entry = region.entries.floor(at);
    return entry >= 0 && at - entry <= longestStub && this.#seeds.stubs.has(region.start + entry);
  }

  /** A place the jump leads to, which may be one of many; 1 when it was not known. */
  #followLabel(target: number, run: number): number {
    if (this.#code.lengthAt(target) > 0) return 0;
    this.#code.addLeader(target);
    this.#graph.follow(this.#runFor(target), run);
    return 1;
  }

  #followTable(from: number, run: number, targets: readonly number[]): 1 {
    this.computed.unresolved.delete(from);
    this.computed.resolved.set(from, targets);
    for (const target of targets) {
      this.#code.addLeader(target);
      this.#graph.follow(this.#runFor(target), run);
    }
    return 1;
  }
}
