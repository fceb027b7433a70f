/** Where something was seen, in positions of a run: half-open, growing with time. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** The first matches and the latest ones are kept; in between, of very many, some are forgotten. */
const keptFirst = 1000;
const keptLatest = 10_000;

/** What was seen of one thing, in order. */
export class MatchLog {
  readonly #first: Match[] = [];
  #latest: Match[] = [];

  add(match: Match): void {
    if (this.#first.length < keptFirst) this.#first.push(match);
    else this.#latest.push(match);
    if (this.#latest.length > keptLatest * 2) this.#latest = this.#latest.slice(-keptLatest);
  }

  /** The first match that starts at the position or after it. */
  from(position: number): Match | undefined {
    return firstFrom(this.#first, position) ?? firstFrom(this.#latest, position);
  }

  /** Up to `count` matches from the position on that do not overlap. */
  apart(position: number, count: number): Match[] {
    const found: Match[] = [];
    for (let next = this.from(position); next !== undefined && found.length < count; next = this.from(next.end)) found.push(next);
    return found;
  }
}

function firstFrom(matches: readonly Match[], position: number): Match | undefined {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((matches[middle]?.start ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return matches[low];
}
