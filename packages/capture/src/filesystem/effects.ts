import { sep } from "node:path";
import {
  canonicalSha256,
  compareCodePoints,
  escapeUntrusted,
  omission,
  type EntryFacts,
  type FilesystemCheckpoint,
  type FilesystemEffect,
  type Omission,
} from "@rea/core";
import type { RootSnapshot, Snapshot, SnapshotEntry, SnapshotLimits } from "./snapshot.js";

/** What a path looks like in a capture: hidden values replaced, then made safe to show. */
export type ShowPath = (path: string) => string;

/** What a snapshot says of each root, in a few numbers and one digest. */
export function checkpointRoots({ roots }: Snapshot, show: ShowPath): FilesystemCheckpoint["roots"] {
  return roots.map(({ state, entries }, root) => {
    const listed = [...entries].sort(([a], [b]) => compareCodePoints(a, b));
    const bytes = listed.reduce((sum, [, { facts }]) => sum + (facts.bytes ?? 0), 0);
    const sha256 = listed.length === 0 ? null : canonicalSha256(listed.map(([path, { facts }]) => [show(path), { ...facts }]));
    return { root, state, entries: listed.length, bytes, sha256 };
  });
}

/** What happened between two looks. What one of them could not look at is `unknown`, never created or deleted. */
export function filesystemEffects(before: Snapshot, after: Snapshot, show: ShowPath): { readonly effects: FilesystemEffect[]; readonly unchanged: number } {
  const effects: FilesystemEffect[] = [];
  let unchanged = 0;
  for (const [root, was] of before.roots.entries()) {
    const is = after.roots[root];
    if (is === undefined) continue;
    const paths = [...new Set([...was.entries.keys(), ...is.entries.keys()])].sort(compareCodePoints);
    for (const path of paths) {
      const effect = effectOf(path, { was: was.entries.get(path), is: is.entries.get(path), before: was, after: is });
      if (effect === "unchanged") unchanged += 1;
      else effects.push({ root, path: show(path), effect, before: factsOf(was.entries.get(path)), after: factsOf(is.entries.get(path)) });
    }
  }
  return { effects, unchanged };
}

/** What snapshots left out, for the coverage of a capture. */
export function snapshotOmissions(snapshot: Snapshot, limits: SnapshotLimits): Omission[] {
  return snapshot.roots.flatMap(({ missed, state }, root) => {
    const scope = `filesystem root ${String(root)}`;
    return [
      ...(state === "unreadable" ? [omission(scope, "unreadable")] : []),
      ...(missed.files > 0 ? [omission(scope, "limit_entries", { count: missed.files, limit: limits.files, how_to_continue: "Capture again with a larger limits.files." })] : []),
      ...(missed.depth > 0 ? [omission(scope, "limit_depth", { count: missed.depth, limit: limits.filesystem_depth, how_to_continue: "Capture again with a larger limits.filesystem_depth." })] : []),
      ...(missed.unreadable > 0 ? [omission(scope, "unreadable", { count: missed.unreadable })] : []),
      ...(missed.contents > 0 ? [omission(`${scope}, contents of files`, "limit_entry_bytes", { count: missed.contents, limit: limits.file_bytes, how_to_continue: "Capture again with a larger limits.file_bytes." })] : []),
    ];
  });
}

interface Pair {
  readonly was: SnapshotEntry | undefined;
  readonly is: SnapshotEntry | undefined;
  readonly before: RootSnapshot;
  readonly after: RootSnapshot;
}

function effectOf(path: string, { was, is, before, after }: Pair): FilesystemEffect["effect"] | "unchanged" {
  if (was === undefined) return looked(before, path) ? "created" : "unknown";
  if (is === undefined) return looked(after, path) ? "deleted" : "unknown";
  if (differs(was.facts, is.facts)) return "modified";
  if (was.facts.kind !== "file" || (was.facts.sha256 !== null && is.facts.sha256 !== null)) return "unchanged";
  // Not read: the times that the system keeps tell of every write, except right before the look.
  return was.stamp !== null && was.stamp === is.stamp && !was.fresh ? "unchanged" : "unknown";
}

/** Whether a path that is not listed was not there: nothing above it, nor it itself, kept from being looked at. */
function looked({ blind }: RootSnapshot, path: string): boolean {
  if (blind.size === 0) return true;
  if (blind.has(".") || blind.has(path)) return false;
  for (let at = path.indexOf(sep); at >= 0; at = path.indexOf(sep, at + 1)) if (blind.has(path.slice(0, at))) return false;
  return true;
}

function differs(a: EntryFacts, b: EntryFacts): boolean {
  const content = a.sha256 !== null && b.sha256 !== null && a.sha256 !== b.sha256;
  return a.kind !== b.kind || a.bytes !== b.bytes || a.mode !== b.mode || content;
}

function factsOf(entry: SnapshotEntry | undefined): EntryFacts | null {
  return entry === undefined ? null : { ...entry.facts };
}

export function showPath(hide: (text: string) => string): ShowPath {
  return (path) => escapeUntrusted(hide(path));
}
