import { unescapeUntrusted, type RuntimeMatch, type RuntimeMatchBasis } from "@rea/core";
import type { LayerAsset, StaticLayer } from "./static-layer.js";

/** A script that was seen to be loaded. */
export interface ObservedScript {
  readonly scriptId: string;
  readonly url: string;
  readonly sha256: string | null;
}

export interface RuntimeObservation {
  readonly evidenceId: string;
  readonly operation: string;
  readonly scripts: readonly ObservedScript[];
  /** No script of the target was left out in its window. */
  readonly isComplete: boolean;
}

export interface MatchedScript {
  readonly match: RuntimeMatch;
  /** The file it is; undefined without one. */
  readonly asset: LayerAsset | undefined;
  /** Files that it may be, or that lie where it came from. */
  readonly contested: readonly LayerAsset[];
}

const listedCandidates = 8;

/** Which file a script is: by its digest and place, by a digest that one file has, or by its place alone. */
export function matchScript({ scriptId, url, sha256 }: ObservedScript, observation: string, layers: readonly StaticLayer[]): MatchedScript {
  const address = unescapeUntrusted(url);
  const places = layers.map((layer) => layer.locations(address));
  const certain = places.flatMap((one) => one.certain);
  const likely = places.flatMap((one) => one.likely);
  const said = { observation, script_id: scriptId, url, content_sha256: sha256 };
  const found = sha256 === null ? byPlace(certain) : byDigest(sha256, { layers, certain, likely });
  return { ...found, match: { ...said, ...found.match } };
}

type Found = Omit<MatchedScript, "match"> & { readonly match: Omit<RuntimeMatch, "observation" | "script_id" | "url" | "content_sha256"> };

interface Places {
  readonly layers: readonly StaticLayer[];
  readonly certain: readonly LayerAsset[];
  readonly likely: readonly LayerAsset[];
}

function byDigest(sha256: string, { layers, certain, likely }: Places): Found {
  const equal = layers.flatMap(({ assets }) => assets.filter((asset) => asset.sha256 === sha256));
  const placed = equal.filter((asset) => certain.includes(asset));
  const near = placed.length > 0 ? placed : equal.filter((asset) => likely.includes(asset));
  const [only, ...more] = near;
  if (only !== undefined && more.length === 0) return matched(only, "digest-and-location");
  if (more.length > 0) return contested("ambiguous", near, "Several files have its content and its place.");
  const [single, ...others] = equal;
  if (single !== undefined && others.length === 0) return matched(single, "unique-digest", certain.length > 0 ? "Another file lies where it came from." : null);
  if (equal.length > 0) return contested("ambiguous", equal, "Several files have its content, and its place tells nothing.");
  const undigested = certain.filter((asset) => asset.sha256 === undefined);
  if (undigested.length === 1 && certain.length === 1 && undigested[0] !== undefined) return matched(undigested[0], "unique-location", "The file has no digest to compare.");
  if (certain.length > 0) return contested("mismatch", certain, "What lies at its place has other content.");
  return unmatched();
}

function byPlace(certain: readonly LayerAsset[]): Found {
  const [only, ...more] = certain;
  if (only === undefined) return unmatched();
  return more.length === 0 ? matched(only, "unique-location", "The engine gave no digest of it.") : contested("ambiguous", certain, "Several files lie at its place.");
}

function matched(asset: LayerAsset, basis: RuntimeMatchBasis, reason: string | null = null): Found {
  const confidence = basis === "unique-location" ? "medium" : "high";
  return { match: { state: "matched", basis, confidence, target: placeOf(asset), candidates: { total: 0, items: [] }, reason }, asset, contested: [] };
}

function contested(state: "ambiguous" | "mismatch", assets: readonly LayerAsset[], reason: string): Found {
  return { match: { state, basis: null, confidence: "unknown", target: null, candidates: { total: assets.length, items: assets.slice(0, listedCandidates).map(placeOf) }, reason }, asset: undefined, contested: assets };
}

function unmatched(): Found {
  return { match: { state: "unmatched", basis: null, confidence: "unknown", target: null, candidates: { total: 0, items: [] }, reason: "No file of the layers has its content or its place." }, asset: undefined, contested: [] };
}

function placeOf({ layer, node }: LayerAsset): { layer: number; node_id: string; name: string } {
  return { layer: layer.index, node_id: node.node_id, name: node.name };
}
