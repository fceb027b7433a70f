import { matchByCalls } from "./by-calls.js";
import { matchByFeatures } from "./by-features.js";
import { matchByKey, type KeyStage } from "./by-key.js";
import { matchByLikeness } from "./by-likeness.js";
import { equalCode, likeCode, matchByOrder } from "./by-order.js";
import { hasBody, likeness, sizeRatio, type FunctionModel } from "./function-model.js";
import { Matching } from "./matching.js";

export interface MatchOptions {
  /** Whether names decide; without, only what functions are and do counts. Imports go by name in any case. */
  readonly names: boolean;
  /** Called between stages; throws to stop. */
  readonly checkpoint: () => void;
}

/** Imports stand for themselves, and anchor what calls them. */
const imports: KeyStage = { basis: "name", key: ({ print }) => (print.external ? (print.name ?? undefined) : undefined), confidence: () => 1000 };
const names: KeyStage = { basis: "name", key: ({ print }) => (print.external ? undefined : (print.name ?? undefined)), confidence: () => 990 };
const sameBytes: KeyStage = {
  basis: "bytes",
  key: (fn) => (hasBody(fn) && fn.print.instructions >= 3 ? `${fn.print.code} ${fn.print.meanings}` : undefined),
  confidence: ({ print }) => (print.instructions >= 10 ? 990 : 940),
};
const sameCode: KeyStage = {
  basis: "bytes",
  key: (fn) => (hasBody(fn) && fn.print.instructions >= 5 ? fn.print.code : undefined),
  confidence: ({ print }) => (print.instructions >= 10 ? 970 : 900),
};
const sameOperations: KeyStage = {
  basis: "control_flow",
  key: (fn) => (hasBody(fn) && fn.print.instructions >= 8 ? `${fn.print.operations} ${fn.print.flow}` : undefined),
  confidence: ({ print }) => (print.instructions >= 20 ? 930 : 860),
};
const sameFlow: KeyStage = {
  basis: "control_flow",
  key: (fn) => (hasBody(fn) && fn.print.blocks >= 6 ? fn.print.flow : undefined),
  confidence: (left, right) => Math.round(700 + 200 * likeness(left, right)),
  fits: (left, right) => likeness(left, right) >= 0.25 && sizeRatio(left, right) >= 0.6,
};

/**
 * Tells which functions of two programs are the same one, by what is surest first: names, instructions without addresses,
 * what matched functions call, rare strings and constants, control flow, likeness, order in the file. What each stage finds
 * helps the next ones, so they repeat until nothing more is found. The order of work does not depend on the sides' names.
 */
export function matchFunctions(left: readonly FunctionModel[], right: readonly FunctionModel[], { names: useNames, checkpoint }: MatchOptions): Matching {
  const matching = new Matching(left, right);
  matchByKey(matching, imports);
  if (useNames) matchByKey(matching, names);
  for (const stage of [sameBytes, sameCode]) matchByKey(matching, stage);
  for (const least of [0.75, 0.6, 0.5]) {
    let found = 1;
    for (let round = 0; found > 0 && round < 12; round += 1) {
      checkpoint();
      found = matchByOrder(matching, equalCode);
      found += matchByCalls(matching) + matchByFeatures(matching);
      found += matchByKey(matching, sameBytes) + matchByKey(matching, sameCode) + matchByKey(matching, sameOperations);
      if (found === 0) found += matchByKey(matching, sameFlow) + matchByLikeness(matching, least);
    }
    checkpoint();
    matchByOrder(matching, likeCode);
  }
  return matching;
}
