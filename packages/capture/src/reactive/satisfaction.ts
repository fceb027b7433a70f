import type { ReactivePredicate, ReactiveTransition } from "@rea/core";
import type { Match, MatchLog } from "./match-log.js";

/** When a transition's predicates came true, and the places of those among them that have a name. */
export interface Satisfaction {
  /** End of the match that completed them. */
  readonly position: number;
  readonly names: ReadonlyMap<string, number>;
}

/** Where predicates may begin to match. */
export interface Anchors {
  readonly stateEntry: number;
  /** Ends of checkpoints, by name. */
  readonly checkpoints: ReadonlyMap<string, number>;
  /** Ends of what earlier transitions named. */
  readonly events: ReadonlyMap<string, number>;
}

export interface Seen {
  readonly anchors: Anchors;
  logOf(predicate: ReactivePredicate): MatchLog;
}

/** Undefined while the predicates do not hold. A predicate whose anchor has not come yet does not hold. */
export function satisfactionOf(transition: ReactiveTransition, seen: Seen): Satisfaction | undefined {
  switch (transition.combine) {
    case "all":
      return allOf(transition.predicates, seen, false);
    case "sequence":
      return allOf(transition.predicates, seen, true);
    case "any":
      return anyOf(transition.predicates, seen);
    case "repeat":
      return repeated(transition.predicates, seen, transition.repeat ?? 1);
  }
}

/** In a sequence each match begins where the one before it ended, or later. */
function allOf(predicates: readonly ReactivePredicate[], seen: Seen, inOrder: boolean): Satisfaction | undefined {
  const names = new Map<string, number>();
  let position = 0;
  for (const predicate of predicates) {
    const anchor = anchorOf(predicate, seen.anchors, names);
    const match = anchor === undefined ? undefined : seen.logOf(predicate).from(inOrder ? Math.max(anchor, position) : anchor);
    if (match === undefined) return undefined;
    position = Math.max(position, match.end);
    if (predicate.as !== undefined) names.set(predicate.as, match.end);
  }
  return { position, names };
}

function anyOf(predicates: readonly ReactivePredicate[], seen: Seen): Satisfaction | undefined {
  let best: { readonly match: Match; readonly predicate: ReactivePredicate } | undefined;
  for (const predicate of predicates) {
    const anchor = anchorOf(predicate, seen.anchors, new Map());
    const match = anchor === undefined ? undefined : seen.logOf(predicate).from(anchor);
    if (match !== undefined && (best === undefined || match.end < best.match.end)) best = { match, predicate };
  }
  if (best === undefined) return undefined;
  const { match, predicate } = best;
  return { position: match.end, names: new Map(predicate.as === undefined ? [] : [[predicate.as, match.end]]) };
}

/** All matches of all predicates count together. */
function repeated(predicates: readonly ReactivePredicate[], seen: Seen, times: number): Satisfaction | undefined {
  const matches = predicates
    .flatMap((predicate) => {
      const anchor = anchorOf(predicate, seen.anchors, new Map());
      return anchor === undefined ? [] : seen.logOf(predicate).apart(anchor, times).map((match) => ({ match, predicate }));
    })
    .sort((a, b) => a.match.end - b.match.end)
    .slice(0, times);
  const last = matches[times - 1];
  if (last === undefined) return undefined;
  const names = matches.flatMap(({ match, predicate }): [string, number][] => (predicate.as === undefined ? [] : [[predicate.as, match.end]]));
  return { position: last.match.end, names: new Map(names) };
}

function anchorOf({ anchor }: ReactivePredicate, anchors: Anchors, names: ReadonlyMap<string, number>): number | undefined {
  switch (anchor.kind) {
    case "scenario_start":
      return 0;
    case "state_entry":
      return anchors.stateEntry;
    case "checkpoint":
      return anchors.checkpoints.get(anchor.name);
    case "event":
      return names.get(anchor.event) ?? anchors.events.get(anchor.event);
  }
}
