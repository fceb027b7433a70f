import type { CodeMap, CodeRegion } from "./code-map.js";
import { alignsFunctions, usualAlignment } from "./function-alignment.js";
import { isPadding } from "./region-probes.js";
import type { Seeds } from "./seeds.js";
import type { WorkBounds } from "./work-bounds.js";

/** A call whose callee is not known to come back. */
export interface PendingCall {
  /** Run of the callee, see `ReturnGraph`. */
  readonly callee: number;
  /** RVA behind the call. */
  readonly continuation: number;
}

interface Judge {
  readonly code: CodeMap;
  readonly seeds: Seeds;
  readonly bounds: WorkBounds;
  /** True inside a range that a table of the file gives to one function. */
  readonly isDeclared: (rva: number) => boolean;
}

interface Votes {
  /** Calls behind which a function ends. */
  known: number;
  /** Calls behind which the function surely goes on. */
  unknown: number;
}

interface Candidate {
  readonly call: PendingCall;
  readonly region: CodeRegion;
  readonly votes: Votes;
}

/** How far behind a call the caller's other code is looked for. */
const farthest = 512;

/**
 * Places behind calls that never come back which belong to the caller all the same, because the compiler that wrote the
 * call did not know. It either knew at every call of a function or at none: padding, or another function, directly behind
 * one call shows that it knew; code at a place where no function starts shows that it did not.
 */
export function continuationsOfCallers(calls: readonly PendingCall[], judge: Judge): number[] {
  const votes = new Map<number, Votes>();
  const candidates = calls.flatMap((call) => candidate(call, votesFor(call.callee, votes), judge));
  if (candidates.length === 0) return [];
  const aligned = alignsFunctions(judge.seeds);
  for (const { call, region, votes: known } of candidates) {
    const at = call.continuation - region.start;
    if (aligned ? call.continuation % usualAlignment !== 0 : isWithinFunction(region, at)) known.unknown += 1;
  }
  return candidates.filter((one) => belongsToCaller(one, aligned)).map(({ call }) => call.continuation);
}

function votesFor(callee: number, votes: Map<number, Votes>): Votes {
  const found = votes.get(callee) ?? { known: 0, unknown: 0 };
  votes.set(callee, found);
  return found;
}

function candidate(call: PendingCall, votes: Votes, { code, isDeclared, bounds }: Judge): Candidate[] {
  bounds.worked(8);
  const region = code.regionAt(call.continuation);
  if (region === undefined) return [];
  const at = call.continuation - region.start;
  if (region.entries.has(at) || isPadding(region, at)) {
    votes.known += 1;
    return [];
  }
  return region.marks[at] !== 0 || isDeclared(call.continuation) ? [] : [{ call, region, votes }];
}

function belongsToCaller({ call, region, votes }: Candidate, aligned: boolean): boolean {
  if (votes.unknown > 0 || votes.known > 0) return votes.unknown > 0 && votes.unknown >= votes.known;
  return !aligned && !region.decoder.opensFrame(call.continuation - region.start);
}

/** True when code that control reaches follows before the next function does. */
function isWithinFunction(region: CodeRegion, start: number): boolean {
  for (let at = start + 1; at < start + farthest && at < region.marks.length; at += 1) {
    if (region.entries.has(at)) return false;
    if (region.marks[at] !== 0) return true;
  }
  return false;
}
