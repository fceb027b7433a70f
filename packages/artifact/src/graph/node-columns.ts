import type { Pace } from "../walk/paced-sort.js";
import { orderOfDigests } from "./digest-order.js";
import type { ArtifactNode } from "./graph.js";
import type { PlaceColumns } from "./place-columns.js";

const nodesAtOnce = 256;

/** The contents, sorted by their ids. */
export interface NodeColumns {
  /** A place of each. */
  readonly places: readonly number[];
  readonly states: readonly ArtifactNode["content_state"][];
  readonly trusts: readonly ArtifactNode["trust"][];
}

/** One content for all places that have it. */
export async function nodeColumns({ places, artifacts }: PlaceColumns, pace: Pace): Promise<NodeColumns> {
  const found: number[] = [];
  const states: ArtifactNode["content_state"][] = [];
  const trusts: ArtifactNode["trust"][] = [];
  let last = "";
  for (const [at, position] of (await orderOfDigests(artifacts, pace)).entries()) {
    if (at % nodesAtOnce === 0 && pace.due()) await pace.take();
    const artifact = artifacts[position] ?? "";
    const place = places[position];
    if (artifact === "" || place === undefined) continue;
    const isKnown = artifact === last;
    const state = isKnown ? states.pop() : undefined;
    // Verified at one place is verified: the bytes are the same.
    const trust = isKnown ? trusts.pop() : undefined;
    if (isKnown) found.pop();
    found.push(position);
    states.push(state === "materialized" ? state : place.contentState);
    trusts.push(trust === "verified" ? trust : place.trust);
    last = artifact;
  }
  return { places: found, states, trusts };
}
