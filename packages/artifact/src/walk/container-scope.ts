import type { Entry, EntryName, FoundAnomaly, Relation } from "../format.js";
import { artifactDigits, directoryDigest, type DirectoryChild } from "../graph/ids.js";
import { memberPrefix, placeName, shownBytes } from "../logical-path.js";
import type { Pace } from "./paced-sort.js";
import { newPlace, type Place } from "./place.js";
import type { PlainDirectory } from "./plain-files.js";

export interface ScopeOptions {
  readonly container: Place;
  readonly relation: Relation;
  readonly maxPathBytes: number;
  /** Whether members are files of the host or bytes inside another file. */
  readonly contentState: "materialized" | "embedded";
  readonly anomaly: (found: Omit<FoundAnomaly, "name"> & { readonly path: string }) => void;
  /** Asked for each directory that no member declares. */
  readonly admitImplied: () => boolean;
}

/** The members of one container as a tree of places. */
export class ContainerScope {
  readonly #options: ScopeOptions;
  readonly #prefix: string;
  /** First place of each path. */
  readonly #byPath = new Map<string, Place>();
  readonly #counts = new Map<string, number>();
  /** Spelling that first had each folded path. */
  readonly #folded = new Map<string, string>();
  readonly #hardlinks: { readonly place: Place; readonly target: Uint8Array }[] = [];

  constructor(options: ScopeOptions) {
    this.#options = options;
    this.#prefix = memberPrefix(options.container.logicalPath);
  }

  /** The place of a member; undefined for an entry that names the container's own top. */
  add(entry: Entry): Place | undefined {
    const { maxPathBytes } = this.#options;
    const placed = placeName(entry.name, { prefixBytes: Buffer.byteLength(this.#prefix), maxPathBytes });
    if (placed === undefined) return undefined;
    const path = placed.segments.join("/");
    const known = this.#byPath.get(path);
    if (known?.entryKind === "directory" && entry.kind === "directory" && known.limitations.includes(implied)) {
      return this.#declare(known, entry);
    }
    const parent = this.#parentOf(placed.unsafe === undefined ? placed.segments.slice(0, -1) : []);
    const duplicateIndex = this.#count(path, entry);
    this.#noteCollision(path, entry);
    const place = newPlace({
      parent,
      logicalPath: this.#prefix + path,
      duplicateIndex,
      segment: placed.segments.at(-1) ?? "",
      rawName: placed.rawName,
      entryKind: entry.kind,
      relation: entry.relation ?? this.#options.relation,
      contentState: entry.kind === "directory" ? "virtual" : this.#options.contentState,
      declaredBytes: entry.declaredBytes,
      compressedBytes: entry.compressedBytes,
      encrypted: entry.encrypted,
      location: entry.location,
      linkTarget: entry.linkTarget === null ? null : shownBytes(entry.linkTarget),
      safe: placed.unsafe === undefined,
      limitations: [...entry.limitations, ...(placed.unsafe === undefined ? [] : [placed.unsafe.why])],
    });
    if (placed.unsafe !== undefined) this.#noteUnsafe(place, entry, placed.unsafe.why);
    if (!this.#byPath.has(path)) this.#byPath.set(path, place);
    if (entry.kind === "hardlink" && entry.linkTarget !== null) this.#hardlinks.push({ place, target: entry.linkTarget });
    parent.children.push(place);
    return place;
  }

  /**
   * The directory, given by its path with a slash at its end, to whose files places may be given without asking the scope:
   * for names that stand in a path as they are and collide with no other. Undefined where it has no place of that path.
   */
  plainDirectory(path: string): PlainDirectory | undefined {
    const place = path === "" ? this.#options.container : this.#byPath.get(path.slice(0, -1));
    return place === undefined || (path !== "" && place.entryKind !== "directory") ? undefined : { place, prefix: this.#prefix + path };
  }

  /** The path under which a name is, or would be, known. */
  pathOf(name: EntryName): string {
    const placed = placeName(name, { prefixBytes: Buffer.byteLength(this.#prefix), maxPathBytes: this.#options.maxPathBytes });
    return placed === undefined ? this.#options.container.logicalPath : this.#prefix + placed.segments.join("/");
  }

  /** Gives hard links the content of their targets and directories their digests. */
  async finish(pace: Pace): Promise<void> {
    this.#shareHardlinks();
    await settleDirectories(this.#options.container.children, pace);
  }

  #parentOf(segments: readonly string[]): Place {
    let parent = this.#options.container;
    let path = "";
    for (const segment of segments) {
      path += path === "" ? segment : `/${segment}`;
      parent = this.#directory(path, segment, parent);
    }
    return parent;
  }

  #directory(path: string, segment: string, parent: Place): Place {
    const known = this.#byPath.get(path);
    if (known?.entryKind === "directory") return known;
    const other = this.#byPath.get(`${path}/`);
    if (other !== undefined) return other;
    if (!this.#options.admitImplied()) return parent;
    const index = this.#counts.get(path) ?? 0;
    this.#counts.set(path, index + 1);
    const place = newPlace({
      parent,
      logicalPath: this.#prefix + path,
      duplicateIndex: index,
      segment,
      rawName: null,
      entryKind: "directory",
      contentState: "virtual",
      limitations: [implied],
    });
    // A file of that name keeps the plain path; the directory is found under the marked one.
    this.#byPath.set(known === undefined ? path : `${path}/`, place);
    if (known !== undefined) this.#notePrefixConflict(place);
    parent.children.push(place);
    return place;
  }

  /** An implied directory that a member declares after all. */
  #declare(place: Place, entry: Entry): Place {
    place.limitations.splice(place.limitations.indexOf(implied), 1, ...entry.limitations);
    return place;
  }

  #count(path: string, entry: Entry): number {
    const index = this.#counts.get(path) ?? 0;
    this.#counts.set(path, index + 1);
    if (index === 0) return 0;
    const known = this.#byPath.get(path);
    const conflict = known !== undefined && (known.entryKind === "directory") !== (entry.kind === "directory");
    this.#options.anomaly({
      anomaly: conflict ? "prefix_conflict" : "duplicate_name",
      path: this.#prefix + path,
      offset: entry.location?.offset ?? null,
      detail: conflict ? "One member needs this path as a directory, another as a file." : `The path occurs for the ${String(index + 1)}. time.`,
      effect: "Programs differ in whether the first or the last of them is what they see.",
    });
    return index;
  }

  #noteCollision(path: string, entry: Entry): void {
    // Upper case first, so that a sharp s meets its double s.
    const folded = path.toUpperCase().toLowerCase();
    const known = this.#folded.get(folded);
    if (known === undefined) this.#folded.set(folded, path);
    if (known === undefined || known === path) return;
    this.#options.anomaly({
      anomaly: "name_collision",
      path: this.#prefix + path,
      offset: entry.location?.offset ?? null,
      detail: "Another member's path differs from this one in letter case only.",
      effect: "On file systems that ignore case one overwrites the other.",
    });
  }

  #noteUnsafe(place: Place, entry: Entry, why: string): void {
    this.#options.anomaly({
      anomaly: "unsafe_name",
      path: place.logicalPath,
      offset: entry.location?.offset ?? null,
      detail: why,
      effect: "Programs that extract it as named write somewhere else, or not at all.",
    });
  }

  #notePrefixConflict(place: Place): void {
    this.#options.anomaly({
      anomaly: "prefix_conflict",
      path: place.logicalPath,
      offset: null,
      detail: "One member needs this path as a directory, another as a file.",
      effect: "A program that extracts both fails at the second.",
    });
  }

  #shareHardlinks(): void {
    for (const { place, target } of this.#hardlinks) {
      if (place.sha256 !== undefined) continue;
      const text = Buffer.from(target).toString("utf8");
      const placed = placeName({ bytes: target, text }, { prefixBytes: 0, maxPathBytes: this.#options.maxPathBytes });
      const found = placed === undefined ? undefined : this.#byPath.get(placed.segments.join("/"));
      if (found?.sha256 === undefined || found === place) continue;
      place.sha256 = found.sha256;
      place.artifactDigits = found.artifactDigits;
      place.bytes = found.bytes;
      place.hashStatus = found.hashStatus;
      place.trust = found.trust;
      place.format = found.format;
      place.kind = found.kind;
      place.mediaType = found.mediaType;
      place.architecture = found.architecture;
      place.executable = found.executable;
    }
  }
}

const implied = "No member declares this directory; it follows from the paths of others.";

/** Digests from the leaves up, without recursion: paths may be thousands of segments deep. */
async function settleDirectories(top: readonly Place[], pace: Pace): Promise<void> {
  const directories: Place[] = [];
  const queue = top.filter(isDirectory);
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    directories.push(place);
    for (const child of place.children) if (isDirectory(child)) queue.push(child);
  }
  for (const place of directories.reverse()) await settleDirectory(place, pace);
}

function isDirectory({ entryKind }: Place): boolean {
  return entryKind === "directory";
}

/** A directory has a digest only when each of its children has one. */
export async function settleDirectory(place: Place, pace: Pace): Promise<void> {
  const children: DirectoryChild[] = [];
  for (const child of place.children) {
    if (child.sha256 === undefined) return;
    if (pace.due()) await pace.take();
    children.push({ name: child.segment, artifact_id: `art_${artifactDigits(child)}`, entry_kind: child.entryKind });
  }
  place.sha256 = await directoryDigest(children, pace);
  place.artifactDigits = undefined;
  place.hashStatus = "verified";
}
