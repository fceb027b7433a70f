import { BundleReader, type BundleLimits } from "./bundle-reader.js";
import { DerivedListCollector, type BundleWhole, type EvidenceBundle, type WholeKind } from "./bundle-schema.js";
import { canonicalChunks, canonicalDigestOfWhole, canonicalJson, gathered, wholeFrameDepth } from "./canonical-json.js";
import { checkedJson } from "./checked-json.js";
import { compareCodePoints } from "./code-point-order.js";
import type { Evidence } from "./evidence-schema.js";
import { jsonBounds, type JsonBounds } from "./json-bounds.js";
import { checkUnknownGraph, evidenceFacts } from "./unknown-graph.js";
import { unknownSortKey, type UnknownRevision } from "./unknown-revision.js";

/** Inside a whole, the bounds are those of its items. */
const wholeBounds: JsonBounds = { ...jsonBounds, depth: jsonBounds.depth + wholeFrameDepth, nodes: Infinity };

/** What a bundle is made of, in any order; equal ids count once. */
export interface BundleParts {
  readonly records: Iterable<Evidence>;
  readonly unknowns: Iterable<UnknownRevision>;
  /** Wholes to carry along; without any, the bundle has no member `wholes`. */
  readonly wholes?: Iterable<{ readonly kind: WholeKind; readonly content: unknown }>;
}

/** A bundle in its order. `records` and `wholes` may be read from storage; `records` is walked twice. */
export interface BundleSource {
  /** Unique, sorted by id. */
  readonly records: Iterable<Evidence>;
  /** Every revision, sorted by id, then revision. */
  readonly unknowns: Iterable<UnknownRevision>;
  /** Unique, sorted by sha256. */
  readonly wholes?: Iterable<BundleWhole> | undefined;
}

/**
 * Builds a bundle: sorts, removes repetitions, derives its lists and digests the wholes.
 * Throws `evidence_integrity_mismatch`, reason `unknown_graph`, when the unknowns refer to something outside it.
 */
export function createBundle(parts: BundleParts): EvidenceBundle {
  const records = distinct(parts.records, (record) => record.evidence_id);
  const unknowns = distinct(parts.unknowns, unknownSortKey);
  const wholes = distinct(Array.from(parts.wholes ?? [], measured), (whole) => whole.sha256);
  const facts = new Map(records.map((record) => [record.evidence_id, evidenceFacts(record)]));
  checkUnknownGraph(unknowns, (id) => facts.get(id));
  const derived = new DerivedListCollector();
  for (const record of records) derived.add(record);
  const bundle = { bundle_version: 2 as const, ...derived.lists(), unknowns, records };
  return wholes.length === 0 ? bundle : { ...bundle, wholes };
}

/** The canonical text of a bundle in pieces, for bundles that do not fit into one string. */
export function* bundleChunks(source: BundleSource): Generator<string> {
  const collector = new DerivedListCollector();
  for (const record of source.records) collector.add(record);
  const derived = collector.lists();
  yield `{"artifacts":${canonicalJson(derived.artifacts)},"bundle_version":2,"captures":${canonicalJson(derived.captures)}`;
  yield `,"environments":${canonicalJson(derived.environments)},"providers":${canonicalJson(derived.providers)},"records":`;
  yield* listChunks(source.records, 0);
  yield `,"scenarios":${canonicalJson(derived.scenarios)},"unknowns":`;
  yield* listChunks(source.unknowns, 0);
  if (source.wholes !== undefined) {
    yield `,"wholes":`;
    yield* listChunks(source.wholes, 1 + wholeFrameDepth);
  }
  yield "}";
}

/** The bytes of a bundle: its canonical JSON and nothing else. The bundle's digest is their sha256. */
export function serializeBundle(bundle: BundleSource): Uint8Array {
  return Buffer.concat(Array.from(gathered(bundleChunks(bundle)), (text) => Buffer.from(text)));
}

/**
 * Reads an untrusted bundle whole. For one that should not stay in memory, drive a `BundleReader`.
 * Throws `evidence_integrity_mismatch` naming the constraint and the record or whole, or `truncated` naming the limit.
 */
export function parseBundle(input: Uint8Array | Iterable<Uint8Array>, limits: BundleLimits = {}): EvidenceBundle {
  const records: Evidence[] = [];
  const wholes: BundleWhole[] = [];
  const reader = new BundleReader({
    ...limits,
    takeRecord: (record) => records.push(record),
    takeWhole: (whole) => wholes.push(whole),
  });
  for (const chunk of input instanceof Uint8Array ? [input] : input) reader.write(chunk);
  const { unknowns, derived } = reader.end();
  const bundle = { bundle_version: 2 as const, ...derived, unknowns, records };
  return wholes.length === 0 ? bundle : { ...bundle, wholes };
}

function measured({ kind, content }: { readonly kind: WholeKind; readonly content: unknown }): BundleWhole {
  return { ...canonicalDigestOfWhole(content), kind, content: checkedJson(content, wholeBounds) };
}

function distinct<T>(items: Iterable<T>, key: (item: T) => string): T[] {
  const byKey = new Map(Array.from(items, (item) => [key(item), item]));
  return [...byKey].sort(([a], [b]) => compareCodePoints(a, b)).map(([, item]) => item);
}

function* listChunks(items: Iterable<unknown>, frameDepth: number): Generator<string> {
  let separator = "[";
  for (const item of items) {
    yield separator;
    yield* canonicalChunks(item, frameDepth);
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}
