import { ReaError, silentProgress, throwIfAborted, type ByteSource, type ProgressReporter } from "@rea/core";
import { directoryEntries } from "./disk/directory-entries.js";
import { formats } from "./formats/index.js";
import { buildGraph, type BuiltGraph } from "./graph/build-graph.js";
import type { Inventory } from "./graph/graph.js";
import { manifestVerdicts, type DigestFailure } from "./integrity/manifest-verdict.js";
import type { PlacedManifest } from "./integrity/placed.js";
import { limitsWith, type ArtifactLimits } from "./limits.js";
import { openBesideFile, type Artifact, type ArtifactRoot } from "./open-artifact.js";
import { sourceStream } from "./reading/source-stream.js";
import { ArtifactWalk } from "./walk/artifact-walk.js";
import type { ContentSink } from "./walk/content-sink.js";
import { roleOf } from "./walk/classify.js";
import { settleDirectory } from "./walk/container-scope.js";
import { ContentMeter } from "./walk/content-meter.js";
import { newPlace, type Place } from "./walk/place.js";
import { mergedOmissions } from "./walk/walk-omissions.js";

export type IntegrityPolicy = "fail" | "record-and-continue";

export interface InventoryOptions {
  readonly signal?: AbortSignal;
  readonly progress?: ProgressReporter;
  readonly limits?: Partial<ArtifactLimits>;
  /** `fail` unless said otherwise: the first disproved digest ends the walk with `artifact_integrity_mismatch`. */
  readonly integrityPolicy?: IntegrityPolicy;
}

/** A member as soon as its content is known. Ids belong to the whole graph and come with it. */
export type Member = Readonly<
  Pick<
    Place,
    | "logicalPath"
    | "duplicateIndex"
    | "rawName"
    | "entryKind"
    | "sha256"
    | "bytes"
    | "hashStatus"
    | "declaredChecks"
    | "trust"
    | "format"
    | "kind"
    | "mediaType"
    | "architecture"
    | "executable"
    | "encrypted"
    | "declaredBytes"
    | "compressedBytes"
    | "linkTarget"
    | "location"
    | "limitations"
  >
>;

/**
 * Members one after another, in file order, containers before what they hold unless they can only be read once; the
 * return value is the whole inventory. Directories get their digests at the end of their container. Throws
 * `artifact_integrity_mismatch` under policy `fail` and when the artifact changes while it is read, `cancelled`, and
 * `invalid_request` for limits out of range. Bounds and damage are omissions of the inventory, never errors.
 */
export async function* members(artifact: Artifact, options: InventoryOptions = {}): AsyncGenerator<Member, Inventory, undefined> {
  return (yield* walkArtifact(artifact, options)).inventory;
}

/** The whole inventory. See `members`. */
export async function inventory(artifact: Artifact, options: InventoryOptions = {}): Promise<Inventory> {
  const walk = walkArtifact(artifact, options);
  for (;;) {
    const step = await walk.next();
    if (step.done === true) return step.value.inventory;
  }
}

/** A finished walk: what was found, and the ids of its places. */
export interface FinishedWalk {
  readonly inventory: Inventory;
  readonly idsOf: BuiltGraph["idsOf"];
  /** Executables whose signatures were read, where that was asked for. */
  readonly inspected: ArtifactWalk["inspected"];
  readonly failures: readonly DigestFailure[];
  readonly manifests: readonly PlacedManifest[];
}

/** The walk behind `members`, `inventory` and `extract`. */
export async function* walkArtifact(
  artifact: Artifact,
  options: InventoryOptions & { readonly sink?: ContentSink; readonly signatures?: boolean },
): AsyncGenerator<Place, FinishedWalk, undefined> {
  const { root } = artifact;
  const signal = options.signal ?? new AbortController().signal;
  throwIfAborted(signal, "read_artifact");
  const walk = new ArtifactWalk({
    formats,
    limits: limitsWith(options.limits),
    integrityPolicy: options.integrityPolicy ?? "fail",
    signal,
    progress: options.progress ?? silentProgress,
    openBeside: (containerPath, path) => openBeside(root, containerPath, path),
    ...(options.sink === undefined ? {} : { sink: options.sink }),
    ...(options.signatures === undefined ? {} : { signatures: options.signatures }),
  });
  const place = rootPlace(artifact);
  if (root.kind === "directory") {
    yield* walk.members(place, (input) => directoryEntries(root.path, input));
    settleDirectory(place);
  } else {
    const source = root.kind === "file" ? root.file : root.source;
    await measureRoot(place, source, walk);
    yield* walk.insideRoot(place, source);
    if (place.children.length > 0) await requireUnchanged(place, source, walk);
  }
  const { idsOf, ...built } = buildGraph(place, walk.found.contradictions);
  const { anomalies, omissions, parts, hints, failures, signatures } = walk.found;
  const manifests = manifestVerdicts(walk.found.manifests, failures);
  return { inventory: { ...built, anomalies, parts, hints, manifests, signatures, omissions: mergedOmissions(omissions) }, idsOf, inspected: walk.inspected, failures, manifests: walk.found.manifests };
}

function rootPlace({ name, root }: Artifact): Place {
  const isDirectory = root.kind === "directory";
  return newPlace({
    parent: undefined,
    logicalPath: ".",
    duplicateIndex: 0,
    segment: name,
    rawName: null,
    entryKind: isDirectory ? "directory" : "file",
    contentState: isDirectory ? "virtual" : "materialized",
    format: isDirectory ? "directory" : root.format,
    kind: isDirectory ? "container" : "unknown",
  });
}

async function measureRoot(place: Place, source: ByteSource, walk: ArtifactWalk): Promise<void> {
  const head = source.read(0, Math.min(64 * 1024, source.size));
  const role = roleOf(place.format, head, place.segment, formats.some(({ id }) => id === place.format));
  place.kind = role.kind;
  place.mediaType = role.mediaType;
  place.architecture = role.architecture;
  place.executable = role.program && role.kind === "executable";
  place.bytes = source.size;
  place.sha256 = await digestOf(source, walk);
  place.hashStatus = "verified";
}

async function digestOf(source: ByteSource, walk: ArtifactWalk): Promise<string> {
  const meter = new ContentMeter({ checks: [], lateChecks: false, budget: walk.budget, turns: walk.turns, inputBytes: undefined, bounded: false });
  for await (const piece of meter.through(sourceStream(source))) void piece;
  if (meter.broken !== undefined) throw changed();
  return meter.digest();
}

async function requireUnchanged(place: Place, source: ByteSource, walk: ArtifactWalk): Promise<void> {
  const calculated = await digestOf(source, walk);
  if (calculated !== place.sha256) throw changed({ declared_sha256: place.sha256, calculated_sha256: calculated });
}

/** `declared`: what the bytes were before the walk. */
function changed(digests: { readonly declared_sha256?: string | null; readonly calculated_sha256?: string } = {}): ReaError {
  return new ReaError("artifact_integrity_mismatch", {
    message: "The artifact changed while it was read.",
    action: "Call again when nothing writes to the file.",
    details: { logical_path: ".", ...digests, unpacked: false },
  });
}

/** Only what lies beside a container that is itself a file of the host can be opened. */
function openBeside(root: ArtifactRoot, containerPath: string, path: string) {
  if (root.kind === "file" && containerPath === ".") return openBesideFile(root.path, path);
  if (root.kind !== "directory" || containerPath.includes("!/")) return undefined;
  const directory = containerPath.includes("/") ? containerPath.slice(0, containerPath.lastIndexOf("/") + 1) : "";
  return openBesideFile(`${root.path}/${directory}x`, path);
}

