import type { ArtifactNode, Inventory, Occurrence } from "../graph/graph.js";
import type { LeafHints } from "../hints/found-hint.js";
import type { ManifestVerdict, PlacedSignature } from "../integrity/verdicts.js";
import type { Turns } from "../walk/turns.js";

export interface Observation {
  readonly observation: string;
  readonly statement: string;
  readonly count: number | null;
  paths: string[];
}

const shownPaths = 10;

/** Facts worth a line: what kinds of things there are, which are largest, which run, which do not hold. Turns lie between them. */
export async function observationsOf(
  occurrences: readonly Occurrence[],
  nodes: ReadonlyMap<string, ArtifactNode>,
  { parts, hints, manifests, signatures }: Pick<Inventory, "parts" | "hints" | "manifests" | "signatures">,
  turns: Pick<Turns, "take">,
): Promise<Observation[]> {
  const files = occurrences.filter(({ entry_kind, logical_path }) => entry_kind !== "directory" && logical_path !== ".");
  const parted: readonly (() => Observation[])[] = [
    () => countsBy(files, "artifact_kind", "Members by kind"),
    () => countsBy(files, "artifact_format", "Members by format"),
    () => largest(files, nodes),
    () => listed(files.filter(isProgram), "executables", "Programs and libraries"),
    () => listed(files.filter(({ hash_status }) => hash_status === "mismatched"), "mismatching", "Members whose content is not what is declared of it"),
    () => listed(files.filter(({ encrypted }) => encrypted), "encrypted", "Encrypted members"),
    () => manifests.map(manifestObservation),
    () => signatures.map(signatureObservation),
    () => equalContents(files, nodes),
    () => hints.flatMap(hintObservations),
    () => parts.map(partObservation),
  ];
  const found: Observation[] = [];
  for (const part of parted) {
    await turns.take();
    for (const one of part()) found.push(one);
  }
  return found;
}

function partObservation({ part, logical_path, offset, length }: Inventory["parts"][number]): Observation {
  const statement = `Bytes ${String(offset)} to ${String(offset + length)} are no member: ${part}.`;
  return { observation: "container_part", statement, count: null, paths: [logical_path] };
}

function hintObservations({ logical_path, hints }: LeafHints): Observation[] {
  return hints.map(({ format, offset, length, basis }) => ({
    observation: "container_hint",
    statement: `Bytes ${String(offset)} to ${String(offset + length)} look like ${format === "unknown" ? "data that is not known" : format} and were not opened: ${basis}.`,
    count: null,
    paths: [logical_path],
  }));
}

const manifestWords: { readonly [V in ManifestVerdict["verdict"]]: string } = {
  holds: "all members it names have the declared digests",
  broken: "members it names are changed or missing",
  extended: "there are members that it does not name",
  not_verified: "it names nothing that is checked",
};

function manifestObservation(found: ManifestVerdict): Observation {
  const { declared_by, verdict, members, broken, missing, extra, unchecked, logical_path } = found;
  const figures = [`${String(members)} named`, ...Object.entries({ changed: broken, missing, added: extra, "not checked": unchecked }).flatMap(([word, count]) => (count === 0 ? [] : [`${String(count)} ${word}`]))];
  return { observation: "manifest", statement: `By ${declared_by} ${manifestWords[verdict]}: ${figures.join(", ")}.`, count: members, paths: [logical_path] };
}

const signatureWords = { holds: "holds", broken: "is BROKEN", not_verified: "could not be verified" } as const;

function signatureObservation({ scheme, verdict, problems, signers, logical_path }: PlacedSignature): Observation {
  const subjects = [...new Set(signers.flatMap(({ subject }) => (subject === null ? [] : [subject])))];
  const by = subjects.length === 0 ? "" : ` by ${subjects.join("; ")}`;
  const why = problems.length === 0 ? "" : ` ${problems.join(" ")}`;
  return { observation: "signature", statement: `The ${scheme} signature${by} ${signatureWords[verdict]} (no trust evaluated).${why}`, count: null, paths: [logical_path] };
}

function isProgram({ artifact_kind }: Occurrence): boolean {
  return artifact_kind === "executable" || artifact_kind === "dynamic-library" || artifact_kind === "native-addon";
}

function countsBy(files: readonly Occurrence[], key: "artifact_kind" | "artifact_format", title: string): Observation[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(file[key], (counts.get(file[key]) ?? 0) + 1);
  if (counts.size === 0) return [];
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const statement = `${title}: ${sorted.map(([name, count]) => `${name} ${String(count)}`).join(", ")}.`;
  return [{ observation: key === "artifact_kind" ? "kinds" : "formats", statement, count: files.length, paths: [] }];
}

function largest(files: readonly Occurrence[], nodes: ReadonlyMap<string, ArtifactNode>): Observation[] {
  const top: { readonly path: string; readonly bytes: number }[] = [];
  for (const file of files) {
    const bytes = bytesOf(file, nodes);
    if (bytes === 0 || (top.length === 5 && bytes <= (top[4]?.bytes ?? 0))) continue;
    const at = top.findIndex((one) => one.bytes < bytes);
    top.splice(at === -1 ? top.length : at, 0, { path: file.logical_path, bytes });
    top.length = Math.min(top.length, 5);
  }
  if (top.length < 2) return [];
  const statement = `Largest: ${top.map(({ bytes }) => `${String(bytes)} bytes`).join(", ")}.`;
  return [{ observation: "largest", statement, count: null, paths: top.map(({ path }) => path) }];
}

function bytesOf({ artifact_id }: Occurrence, nodes: ReadonlyMap<string, ArtifactNode>): number {
  return artifact_id === null ? 0 : (nodes.get(artifact_id)?.bytes ?? 0);
}

function listed(files: readonly Occurrence[], observation: string, title: string): Observation[] {
  if (files.length === 0) return [];
  return [
    {
      observation,
      statement: `${title}: ${String(files.length)}.`,
      count: files.length,
      paths: files.slice(0, shownPaths).map(({ logical_path }) => logical_path),
    },
  ];
}

/** Contents that stand at several places; nothing of no bytes. */
function equalContents(files: readonly Occurrence[], nodes: ReadonlyMap<string, ArtifactNode>): Observation[] {
  const places = new Map<string, string[]>();
  for (const file of files) {
    if (file.artifact_id === null || bytesOf(file, nodes) === 0) continue;
    const known = places.get(file.artifact_id);
    if (known === undefined) places.set(file.artifact_id, [file.logical_path]);
    else known.push(file.logical_path);
  }
  const repeated = [...places.values()].filter(({ length }) => length > 1).sort((a, b) => b.length - a.length);
  if (repeated.length === 0) return [];
  return [
    {
      observation: "equal_contents",
      statement: `Contents that stand at several places: ${String(repeated.length)}.`,
      count: repeated.length,
      paths: repeated.slice(0, shownPaths).flatMap((paths) => paths.slice(0, 2)),
    },
  ];
}
