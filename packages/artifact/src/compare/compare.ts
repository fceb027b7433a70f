import { compareCodePoints } from "@rea/core";
import type { ArtifactNode, Edge, Inventory, Occurrence } from "../graph/graph.js";

export const comparedDimensions = ["content", "kind", "format", "bytes", "executable", "relations", "metadata"] as const;
export type ComparedDimension = (typeof comparedDimensions)[number];

export type ChangeState = "added" | "removed" | "changed" | "unknown" | "contradiction";

export interface ArtifactChange {
  readonly logical_path: string;
  readonly duplicate_index: number;
  readonly state: ChangeState;
  /** What differs, when both sides are there and known. */
  readonly dimensions: readonly ComparedDimension[];
  readonly left: ComparedSide | null;
  readonly right: ComparedSide | null;
}

export interface ComparedSide {
  readonly artifact_id: string | null;
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly entry_kind: string;
  readonly artifact_format: string;
}

export interface ArtifactComparison {
  readonly status: "unchanged" | "changed" | "unknown" | "contradiction" | "truncated";
  readonly left_manifest_id: string;
  readonly right_manifest_id: string;
  readonly summary: {
    readonly unchanged: number;
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
    readonly unknown: number;
    readonly contradiction: number;
  };
  /** Sorted by path, then by duplicate index. */
  readonly changes: readonly ArtifactChange[];
  /** A content that left one place and came to another, where it stands at one place only on each side. */
  readonly moves: readonly { readonly from: string; readonly to: string; readonly artifact_id: string }[];
  readonly limitations: readonly string[];
}

/** What a comparison needs of an inventory. */
export type ComparedInventory = Pick<Inventory, "graph" | "omissions"> & { readonly manifest: Pick<Inventory["manifest"], "manifest_id"> };

interface Side {
  readonly occurrence: Occurrence;
  readonly node: ArtifactNode | undefined;
  /** Its place among the contents around it: parent's path, own content, relation. */
  readonly relations: string;
}

/**
 * Compares two inventories place by place, joined by path and duplicate index. An absence counts only when both
 * inventories are complete; what was not read on either side is `unknown`, what contradicts its own declaration
 * `contradiction`. Links and directories without a digest have no content of their own and are compared by everything
 * else. Pure.
 */
export function compare(left: ComparedInventory, right: ComparedInventory): ArtifactComparison {
  const before = sidesOf(left);
  const after = sidesOf(right);
  const complete = left.omissions.length === 0 && right.omissions.length === 0;
  const changes = [...new Set([...before.keys(), ...after.keys()])]
    .flatMap((key) => {
      const change = changeOf(before.get(key), after.get(key), complete);
      return change === undefined ? [] : [change];
    })
    .sort((a, b) => compareCodePoints(a.logical_path, b.logical_path) || a.duplicate_index - b.duplicate_index);
  const count = (state: ChangeState) => changes.filter((change) => change.state === state).length;
  const lost = changes.filter(({ state, left: had }) => had !== null && state !== "added").length;
  const summary = {
    unchanged: before.size - lost,
    added: count("added"),
    removed: count("removed"),
    changed: count("changed"),
    unknown: count("unknown"),
    contradiction: count("contradiction"),
  };
  return {
    status: statusOf(summary, complete),
    left_manifest_id: left.manifest.manifest_id,
    right_manifest_id: right.manifest.manifest_id,
    summary,
    changes,
    moves: movesOf(changes, before, after),
    limitations: complete ? [] : ["At least one of the inventories is incomplete, so nothing that is missing on one side is called added or removed."],
  };
}

function keyOf({ logical_path, duplicate_index }: { readonly logical_path: string; readonly duplicate_index: number }): string {
  return `${String(duplicate_index)}:${logical_path}`;
}

function sidesOf({ graph }: ComparedInventory): ReadonlyMap<string, Side> {
  const nodes = new Map(graph.nodes.map((node) => [node.artifact_id, node] as const));
  const byId = new Map(graph.occurrences.map((occurrence) => [occurrence.occurrence_id, occurrence] as const));
  const relations = new Map<string, string[]>();
  for (const edge of graph.edges) {
    const own = relations.get(edge.occurrence_id) ?? [];
    own.push(relationText(edge, byId));
    relations.set(edge.occurrence_id, own);
  }
  return new Map(
    graph.occurrences.map((occurrence) => {
      const node = occurrence.artifact_id === null ? undefined : nodes.get(occurrence.artifact_id);
      const around = (relations.get(occurrence.occurrence_id) ?? []).sort().join("\n");
      return [keyOf(occurrence), { occurrence, node, relations: around }] as const;
    }),
  );
}

/** By parent path and relation; contents are compared as such, positions never. */
function relationText(edge: Edge, byId: ReadonlyMap<string, Occurrence>): string {
  const child = byId.get(edge.occurrence_id);
  const parent = child === undefined || child.parent_occurrence_id === null ? undefined : byId.get(child.parent_occurrence_id);
  return `${edge.relation} ${parent?.logical_path ?? ""}`;
}

function changeOf(left: Side | undefined, right: Side | undefined, complete: boolean): ArtifactChange | undefined {
  const place = (left ?? right)?.occurrence;
  if (place === undefined) return undefined;
  const shared = {
    logical_path: place.logical_path,
    duplicate_index: place.duplicate_index,
    left: left === undefined ? null : shown(left),
    right: right === undefined ? null : shown(right),
  };
  if (left === undefined || right === undefined) {
    const state = left === undefined ? "added" : "removed";
    return { ...shared, state: complete ? state : "unknown", dimensions: [] };
  }
  if (isContradicted(left) || isContradicted(right)) return { ...shared, state: "contradiction", dimensions: [] };
  if (isUnknown(left) || isUnknown(right)) return { ...shared, state: "unknown", dimensions: [] };
  const dimensions = comparedDimensions.filter((dimension) => differs[dimension](left, right));
  return dimensions.length === 0 ? undefined : { ...shared, state: "changed", dimensions };
}

function shown({ occurrence, node }: Side): ComparedSide {
  return {
    artifact_id: occurrence.artifact_id,
    sha256: node?.sha256 ?? null,
    bytes: node?.bytes ?? null,
    entry_kind: occurrence.entry_kind,
    artifact_format: occurrence.artifact_format,
  };
}

function isContradicted({ occurrence, node }: Side): boolean {
  return occurrence.hash_status === "mismatched" || node?.trust === "observed-untrusted";
}

const withoutContent: ReadonlySet<string> = new Set(["directory", "symlink", "special"]);

function isUnknown({ occurrence, node }: Side): boolean {
  return node === undefined && !withoutContent.has(occurrence.entry_kind);
}

const differs: { readonly [D in ComparedDimension]: (left: Side, right: Side) => boolean } = {
  content: (left, right) => left.occurrence.artifact_id !== right.occurrence.artifact_id,
  kind: ({ occurrence: a }, { occurrence: b }) => a.artifact_kind !== b.artifact_kind || a.entry_kind !== b.entry_kind,
  format: ({ occurrence: a }, { occurrence: b }) => a.artifact_format !== b.artifact_format,
  bytes: (left, right) => left.node?.bytes !== right.node?.bytes,
  executable: ({ occurrence: a }, { occurrence: b }) => a.executable !== b.executable,
  relations: (left, right) => left.relations !== right.relations,
  metadata: ({ occurrence: a }, { occurrence: b }) =>
    a.link_target !== b.link_target ||
    a.media_type !== b.media_type ||
    a.architecture !== b.architecture ||
    a.encrypted !== b.encrypted ||
    a.raw_name !== b.raw_name,
};

function movesOf(
  changes: readonly ArtifactChange[],
  before: ReadonlyMap<string, Side>,
  after: ReadonlyMap<string, Side>,
): ArtifactComparison["moves"] {
  const places = (sides: ReadonlyMap<string, Side>) => {
    const counts = new Map<string, number>();
    for (const { occurrence } of sides.values()) {
      if (occurrence.artifact_id !== null) counts.set(occurrence.artifact_id, (counts.get(occurrence.artifact_id) ?? 0) + 1);
    }
    return counts;
  };
  const [had, has] = [places(before), places(after)];
  const added = new Map(changes.filter(({ state }) => state === "added").map(({ right, logical_path }) => [right?.artifact_id, logical_path] as const));
  return changes.flatMap(({ state, left, logical_path }) => {
    const id = left?.artifact_id ?? null;
    if (state !== "removed" || id === null || had.get(id) !== 1 || has.get(id) !== 1) return [];
    const to = added.get(id);
    return to === undefined ? [] : [{ from: logical_path, to, artifact_id: id }];
  });
}

function statusOf(summary: ArtifactComparison["summary"], complete: boolean): ArtifactComparison["status"] {
  if (!complete) return "truncated";
  if (summary.contradiction > 0) return "contradiction";
  if (summary.unknown > 0) return "unknown";
  return summary.added + summary.removed + summary.changed === 0 ? "unchanged" : "changed";
}
