/** Steps of the search before it stops; far more than any readable answer needs. */
const maximumSteps = 200_000;

export interface PathSearch {
  /** Callees of a procedure, by ascending address. */
  readonly callees: (address: bigint) => readonly bigint[];
  readonly start: bigint;
  readonly goal: bigint;
  readonly maxDepth: number;
  readonly maxPaths: number;
}

export interface FoundPaths {
  /** Shortest first; those of one length by the addresses of their steps. */
  readonly paths: readonly (readonly bigint[])[];
  /** No other path within the depth exists. */
  readonly exhausted: boolean;
  /** What ended the search when it was not exhausted. */
  readonly stopped: "limit_items" | "limit_operations";
}

/** Paths without repeated procedures, length by length; only steps from which the goal can still be reached are taken. */
export function simplePaths(search: PathSearch): FoundPaths {
  const { start, goal, maxDepth, maxPaths } = search;
  if (start === goal) return { paths: [[start]], exhausted: true, stopped: "limit_items" };
  const distances = distancesTo(search);
  const paths: (readonly bigint[])[] = [];
  let steps = 0;
  for (let length = distances.get(start) ?? Infinity; length <= maxDepth; length += 1) {
    for (const path of pathsOfLength([start], length, search, distances)) {
      steps += 1;
      if (steps > maximumSteps) return { paths, exhausted: false, stopped: "limit_operations" };
      if (path === undefined) continue;
      if (paths.length === maxPaths) return { paths, exhausted: false, stopped: "limit_items" };
      paths.push(path);
    }
  }
  return { paths, exhausted: true, stopped: "limit_items" };

  /** Yields paths, and undefined for each step, so that the caller can stop a search without results. */
  function* pathsOfLength(
    path: readonly bigint[],
    left: number,
    { callees }: PathSearch,
    known: ReadonlyMap<bigint, number>,
  ): Generator<readonly bigint[] | undefined> {
    const last = path.at(-1);
    if (last === undefined) return;
    yield undefined;
    for (const next of callees(last)) {
      if (next === goal) {
        if (left === 1) yield [...path, next];
        continue;
      }
      if (left > 1 && (known.get(next) ?? Infinity) <= left - 1 && !path.includes(next)) {
        yield* pathsOfLength([...path, next], left - 1, search, known);
      }
    }
  }
}

/** Fewest calls to the goal, for every procedure that the start reaches and that reaches the goal. */
function distancesTo({ callees, start, goal, maxDepth }: PathSearch): Map<bigint, number> {
  const callers = new Map<bigint, bigint[]>();
  const depths = new Map([[start, 0]]);
  for (const [address, depth] of depths) {
    if (depth >= maxDepth) continue;
    for (const callee of callees(address)) {
      callers.set(callee, [...(callers.get(callee) ?? []), address]);
      if (!depths.has(callee)) depths.set(callee, depth + 1);
    }
  }
  const distances = new Map([[goal, 0]]);
  for (const [address, distance] of distances) {
    for (const caller of callers.get(address) ?? []) if (!distances.has(caller)) distances.set(caller, distance + 1);
  }
  return distances;
}
