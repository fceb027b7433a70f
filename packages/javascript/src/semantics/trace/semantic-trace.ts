import {
  canonicalSha256,
  coverageOf,
  omission,
  ReaError,
  type Omission,
  type SemanticNode,
  type SemanticNodeKind,
  type SemanticRelation,
  type SemanticRows,
  type SemanticTrace,
  type SemanticTraceDirection,
  type SemanticTraceLimits,
  type TraceSeed,
  type TraceSeedKind,
} from "@rea/core";
import { semanticSeeds } from "./feature-seeds.js";
import { seedMatcher, shortName } from "./seed-match.js";
import { walkSemantics, type SemanticWalk } from "./semantic-walk.js";

export interface SemanticTracing {
  readonly semantics: SemanticRows;
  readonly semanticsSha256: string;
  readonly seed: TraceSeed;
  readonly direction: SemanticTraceDirection;
  readonly allowed: readonly SemanticRelation[] | null;
  readonly includeAmbiguous: boolean;
  readonly limits: SemanticTraceLimits;
  readonly pageSize: number;
  readonly cursor: string | null;
}

const operation = "trace_javascript_semantics";
const shownSeeds = 10;
/** A result stands twice in a reply, which should stay under 64 KiB. */
const mostPageBytes = 20 * 1024;

const kindsOf: { readonly [K in TraceSeedKind]: ReadonlySet<SemanticNodeKind> } = {
  "node-id": new Set(),
  string: new Set(["literal", "request"]),
  route: new Set(["literal", "request"]),
  channel: new Set(["literal"]),
  api: new Set(["function", "call-site", "binding", "parameter", "resource", "process", "timer", "configuration-read"]),
  module: new Set(),
  "native-export": new Set(["binding", "call-site", "function"]),
};

/** Follows values, callers or owners through an application, a page of relations at a time. Throws `invalid_request` (`stale_cursor`). */
export function traceSemantics(tracing: SemanticTracing): Omit<SemanticTrace, "cited_records"> {
  const { semantics, seed, direction, limits } = tracing;
  const offset = offsetOf(tracing);
  const all = seedsOf(tracing);
  const seeds = all.slice(0, limits.max_seed_matches);
  const walk = walkSemantics(semantics, seeds, { direction, allowed: tracing.allowed === null ? null : new Set(tracing.allowed), includeAmbiguous: tracing.includeAmbiguous, limits });
  const page = pageFrom(tracing, walk, offset);
  const end = offset + page.relations.length;
  const hasMore = end < walk.relations.length;
  const omissions = omissionsOf(tracing, walk, all.length);
  return {
    schema_version: 1,
    graph_id: semantics.graph.graph_id,
    semantic_graph_sha256: tracing.semanticsSha256,
    seed: { kind: seed.kind, value: seed.value },
    direction,
    seeds: { items: seeds.slice(0, shownSeeds).flatMap((node) => shown(semantics, node) ?? []), total: all.length, truncated: all.length > Math.min(shownSeeds, seeds.length) },
    ...page,
    offset,
    total: walk.relations.length,
    has_more: hasMore,
    next_cursor: hasMore ? cursorFor(tracing, end) : null,
    reached: { nodes: walk.depths.size, relations: walk.relations.length, by_relation: countsOf(walk.relations.map(({ link }) => link.relation)).map(([relation, relations]) => ({ relation, relations })) },
    ambiguous_left_out: walk.ambiguous,
    unresolved_calls: unresolvedIn(semantics, walk),
    coverage: coverageOf(omissions),
    limitations: limitationsOf(tracing, all.length),
  };
}

/** Seeds of modules are the functions that stand for them. */
function seedsOf({ semantics, seed }: SemanticTracing): readonly number[] {
  const matches = seedMatcher(seed);
  if (seed.kind === "module") return modulesOf(semantics, matches);
  return [...semanticSeeds(semantics, { seed, matches, kinds: kindsOf[seed.kind] })].map(({ index }) => index);
}

function modulesOf(rows: SemanticRows, matches: (text: string) => boolean): readonly number[] {
  const found: number[] = [];
  for (const { node, values } of rows.graph.properties) {
    const row = values["form"] === "module" ? rows.node(node) : undefined;
    if (row !== undefined && [row.source.path, row.source.path.slice(row.source.path.lastIndexOf("/") + 1), row.source.owner].some(matches)) found.push(node);
  }
  return found;
}

function shown(rows: SemanticRows, index: number): Omit<SemanticNode, "owner"> | undefined {
  const node = rows.shown(index);
  if (node === undefined) return undefined;
  const { owner: _owner, ...rest } = node;
  return { ...rest, name: shortName(rest.name) };
}

/** Relations from an offset on, with the nodes they tie, as far as a reply has room: at least one. */
function pageFrom({ semantics, pageSize }: SemanticTracing, { relations, depths }: SemanticWalk, offset: number): Pick<SemanticTrace, "nodes" | "relations"> {
  const nodes: SemanticTrace["nodes"] = [];
  const positions = new Map<number, number>();
  const found: SemanticTrace["relations"] = [];
  let bytes = 0;
  const position = (index: number): number => {
    const known = positions.get(index);
    if (known !== undefined) return known;
    const node = shown(semantics, index);
    if (node === undefined) return 0;
    const traced = { ...node, depth: depths.get(index) ?? 0 };
    positions.set(index, nodes.length);
    nodes.push(traced);
    bytes += Buffer.byteLength(JSON.stringify(traced));
    return nodes.length - 1;
  };
  for (const { link, depth } of relations.slice(offset, offset + pageSize)) {
    if (found.length > 0 && bytes > mostPageBytes) break;
    const { relation, state, confidence, reason } = link;
    const one = { relation, from: position(link.from), to: position(link.to), depth, state, confidence, reason };
    found.push(one);
    bytes += Buffer.byteLength(JSON.stringify(one));
  }
  return { nodes, relations: found };
}

/** What a cursor holds for: this graph and this question. */
function questionOf({ semanticsSha256, seed, direction, allowed, includeAmbiguous, limits }: SemanticTracing): string {
  return canonicalSha256({ semanticsSha256, seed, direction, allowed: allowed === null ? null : [...new Set(allowed)].sort(), includeAmbiguous, limits });
}

function cursorFor(tracing: SemanticTracing, offset: number): string {
  return `${String(offset)}.${canonicalSha256({ question: questionOf(tracing), offset })}`;
}

function offsetOf(tracing: SemanticTracing): number {
  const { cursor } = tracing;
  if (cursor === null) return 0;
  const offset = Number(/^(\d{1,9})\.[0-9a-f]{64}$/u.exec(cursor)?.[1] ?? Number.NaN);
  if (Number.isSafeInteger(offset) && cursor === cursorFor(tracing, offset)) return offset;
  throw new ReaError("invalid_request", {
    message: "cursor belongs to another graph or another question. Call again without a cursor.",
    details: { operation, issues: [{ path: "cursor", reason: "stale_cursor", expected: "next_cursor of a page of this graph with equal arguments" }] },
  });
}

function unresolvedIn(rows: SemanticRows, { depths }: SemanticWalk): SemanticTrace["unresolved_calls"] {
  const reasons = [...depths.keys()].flatMap((node) => {
    const reason = rows.properties(node)["unresolved"];
    return typeof reason === "string" ? [reason] : [];
  });
  return countsOf(reasons).map(([reason, calls]) => ({ reason, calls }));
}

function countsOf<T extends string>(words: readonly T[]): readonly (readonly [T, number])[] {
  const counts = new Map<T, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}

function omissionsOf({ semantics, limits }: SemanticTracing, { cut }: SemanticWalk, seeds: number): readonly Omission[] {
  const own: Omission[] = [];
  if (seeds > limits.max_seed_matches) own.push(omission("Nodes that the seed names too.", "limit_items", { count: seeds - limits.max_seed_matches, limit: limits.max_seed_matches, how_to_continue: "Name the seed more exactly, or raise max_seed_matches." }));
  if (cut.depth > 0) own.push(omission("Relations further from the seed.", "limit_depth", { count: cut.depth, limit: limits.max_depth, how_to_continue: "Raise max_depth." }));
  if (cut.items > 0) own.push(omission("Relations beyond the bounds.", "limit_items", { count: cut.items, how_to_continue: "Raise max_nodes or max_edges, or allow fewer relations." }));
  return [...own, ...semantics.graph.coverage.omissions];
}

function limitationsOf({ semantics }: SemanticTracing, seeds: number): string[] {
  const none = seeds === 0 ? ["Nothing in the graph has the name of the seed; match contains finds parts of names."] : [];
  return [...new Set([...none, ...semantics.graph.limitations])];
}

