import { ReaError, silentProgress, throwIfAborted, type ByteSource, type ProgressReporter } from "@rea/core";
import { directoryEntries } from "./disk/directory-entries.js";
import { isOpened } from "./formats/format-titles.js";
import { buildGraph, type BuiltGraph } from "./graph/build-graph.js";
import type { Inventory } from "./graph/graph.js";
import { makeLists } from "./graph/lists-of-columns.js";
import { manifestVerdicts, type DigestFailure } from "./integrity/manifest-verdict.js";
import type { PlacedManifest } from "./integrity/placed.js";
import { limitsWith, type ArtifactLimits } from "./limits.js";
import { openBesideFile, type Artifact, type ArtifactRoot } from "./open-artifact.js";
import type { FilesJob } from "./pool/reading-job.js";
import { ReadingPool } from "./pool/reading-pool.js";
import { fileRunsOf } from "./reading/file-runs.js";
import { sourceStream } from "./reading/source-stream.js";
import { ArtifactWalk } from "./walk/artifact-walk.js";
import type { ContentSink } from "./walk/content-sink.js";
import { roleOf } from "./walk/classify.js";
import { settleDirectory } from "./walk/container-scope.js";
import { ContentMeter } from "./walk/content-meter.js";
import { Handover } from "./walk/handover.js";
import { newPlace, type Place } from "./walk/place.js";
import { WalkProgress } from "./walk/walk-progress.js";
import { mergedOmissions } from "./walk/walk-omissions.js";

export type IntegrityPolicy = "fail" | "record-and-continue";

export interface InventoryOptions {
  readonly signal?: AbortSignal;
  readonly progress?: ProgressReporter;
  readonly limits?: Partial<ArtifactLimits>;
  /** `fail` unless said otherwise: the first disproved digest ends the walk with `artifact_integrity_mismatch`. */
  readonly integrityPolicy?: IntegrityPolicy;
  /**
   * Threads that read, inflate and hash; as many as there are processors, at most four, unless said otherwise. With none
   * everything is done in the calling thread, which others get turns of. The result is the same.
   */
  readonly threads?: number;
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
  const found = new Handover<Place>();
  const walk = walkArtifact(artifact, { ...options, onPlace: (place) => found.put(place) }).finally(() => found.end());
  // Its failure is told below, when everything before it was taken.
  walk.catch(() => undefined);
  try {
    for await (const place of found.items()) {
      if (options.signal !== undefined) throwIfAborted(options.signal, "read_artifact");
      yield place;
    }
    return (await walk).inventory;
  } finally {
    found.stop();
    await walk.catch(() => undefined);
  }
}

/** The whole inventory. See `members`. */
export async function inventory(artifact: Artifact, options: InventoryOptions = {}): Promise<Inventory> {
  return (await walkArtifact(artifact, options)).inventory;
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

export interface WalkExtras {
  readonly sink?: ContentSink;
  readonly signatures?: boolean;
  readonly onPlace?: (place: Place) => Promise<void> | undefined;
}

/** The walk behind `members`, `inventory`, `verify` and `extract`. */
export async function walkArtifact(artifact: Artifact, options: InventoryOptions & WalkExtras): Promise<FinishedWalk> {
  const { root } = artifact;
  const { signal = new AbortController().signal, progress = silentProgress, threads, limits, integrityPolicy = "fail", sink, signatures, onPlace } = options;
  throwIfAborted(signal, "read_artifact");
  const bounds = limitsWith(limits);
  const pool = new ReadingPool({ signal, ...(threads === undefined ? {} : { threads }) });
  const told = new WalkProgress(progress, pool);
  try {
    const walk = new ArtifactWalk({
      ...(sink === undefined ? {} : { sink }),
      ...(signatures === undefined ? {} : { signatures }),
      ...(onPlace === undefined ? {} : { onPlace }),
      limits: bounds,
      integrityPolicy,
      signal,
      progress: told,
      pool,
      openBeside: (containerPath, path) => openBeside(root, containerPath, path),
    });
    return await finishedWalk(artifact, walk);
  } finally {
    told.end();
    await pool.close();
  }
}

async function finishedWalk(artifact: Artifact, walk: ArtifactWalk): Promise<FinishedWalk> {
  const { root } = artifact;
  const place = rootPlace(artifact);
  let unchanged: Promise<void> | undefined;
  if (root.kind === "directory") {
    const read = (job: FilesJob, cost: number) => walk.options.pool.run(job, cost);
    await walk.members(place, (input) => directoryEntries(root.path, input, read));
    await settleDirectory(place, walk.turns);
  } else {
    const check = await readRoot(place, root, walk);
    unchanged = check?.();
  }
  const { idsOf, ...built } = await bothOf(buildGraph(place, walk.found.contradictions, walk.turns), unchanged);
  // Who writes or verifies contents goes through all of the lists.
  if (walk.options.sink !== undefined || walk.options.signatures === true) await makeLists(built.graph, walk.turns);
  const { anomalies, omissions, parts, hints, failures, signatures } = walk.found;
  const manifests = manifestVerdicts(walk.found.manifests, failures);
  return { inventory: { ...built, anomalies, parts, hints, manifests, signatures, omissions: mergedOmissions(omissions) }, idsOf, inspected: walk.inspected, failures, manifests: walk.found.manifests };
}

/** Digest and contents of the root; the comparison that is left, if any, when both have been read. */
async function readRoot(place: Place, root: Exclude<ArtifactRoot, { readonly kind: "directory" }>, walk: ArtifactWalk): Promise<(() => Promise<void>) | undefined> {
  const source = root.kind === "file" ? root.file : root.source;
  describeRoot(place, source);
  const measuring = measureRoot(place, source, walk);
  if (root.kind === "file" && root.file.isSettled && walk.options.pool.hasThreads) {
    // A digest that is made beside the walk is that of before it as long as nothing was written until it was there.
    const untouched = measuring.then(() => root.file.unchanged());
    // Heard below, unless the walk itself fails, which ends the measuring.
    untouched.catch(() => undefined);
    await walk.insideRoot(place, source);
    if (!(await untouched)) {
      await requireUnchanged(place, source, walk);
      throw changed();
    }
  } else {
    await measuring;
    await walk.insideRoot(place, source);
  }
  const isKnownSame = root.kind === "file" && root.file.isSettled && root.file.unchanged();
  return place.children.length > 0 && !isKnownSame ? () => requireUnchanged(place, source, walk) : undefined;
}

/** The result of the first; a failure only when both have come to an end. */
async function bothOf<T>(wanted: Promise<T>, other: Promise<void> | undefined): Promise<T> {
  const [, checked] = await Promise.allSettled([wanted, other]);
  if (checked.status === "rejected") throw checked.reason;
  return wanted;
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

function describeRoot(place: Place, source: ByteSource): void {
  const head = source.read(0, Math.min(64 * 1024, source.size));
  const role = roleOf(place.format, head, place.segment, isOpened(place.format));
  place.kind = role.kind;
  place.mediaType = role.mediaType;
  place.architecture = role.architecture;
  place.executable = role.program && role.kind === "executable";
  place.bytes = source.size;
  place.hashStatus = "verified";
}

async function measureRoot(place: Place, source: ByteSource, walk: ArtifactWalk): Promise<void> {
  place.sha256 = await digestOf(source, walk);
  place.artifactDigits = undefined;
}

async function digestOf(source: ByteSource, walk: ArtifactWalk): Promise<string> {
  const elsewhere = await digestElsewhere(source, walk);
  if (elsewhere !== undefined) return elsewhere;
  const meter = new ContentMeter({ checks: [], lateChecks: false, budget: walk.budget, turns: walk.turns, inputBytes: undefined, bounded: false });
  for await (const piece of meter.through(sourceStream(source))) void piece;
  if (meter.broken !== undefined) throw changed();
  return meter.digest();
}

/** By another thread; undefined when it has to be done here. */
async function digestElsewhere(source: ByteSource, { options: { pool, signal } }: ArtifactWalk): Promise<string | undefined> {
  const place = fileRunsOf(source);
  if (place === undefined) return undefined;
  const runs = Float64Array.from(place.runs.flatMap(({ from, length }) => [from, length]));
  const answer = await pool.run({ kind: "digest", handle: place.handle, runs, plainBytes: -1, crc32: false, algorithms: [], blocks: [], headBytes: 0 }, source.size);
  throwIfAborted(answer?.kind === "cancelled" ? AbortSignal.abort() : signal, "read_artifact");
  return answer?.kind === "digest" ? answer.sha256 : undefined;
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

