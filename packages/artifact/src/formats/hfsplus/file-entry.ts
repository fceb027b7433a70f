import type { DeclaredCheck, Entry, EntryContent, EntryKind, EntryName, ReaderInput, Unavailable } from "../../format.js";
import { sourceStream } from "../../reading/source-stream.js";
import type { ByteSource } from "@rea/core";
import { bothContents } from "../decmpfs/both-contents.js";
import { decmpfsContent, usesResourceFork } from "../decmpfs/decmpfs.js";
import type { Attributes } from "./attributes.js";
import type { CatalogFile } from "./catalog.js";
import type { Forks, OpenedFork } from "./forks.js";
import type { HfsVolume } from "./volume-header.js";

/** What is needed to read the files of a volume. */
export interface FileReading {
  readonly volume: HfsVolume;
  readonly forks: Forks;
  readonly attributes: Attributes;
  readonly input: ReaderInput;
}

const fileType = 0o170000;
const kinds: ReadonlyMap<number, EntryKind> = new Map([[0, "file"], [0o100000, "file"], [0o120000, "symlink"]]);
const longestLink = 65_536;

/** The kind of a file by its mode; files of systems without modes are files. */
function kindOf({ mode }: CatalogFile): EntryKind {
  return kinds.get(mode & fileType) ?? "special";
}

/** Entries of a file: its content, and its resource fork where it has one of its own. */
export function fileEntries(name: EntryName, file: CatalogFile, reading: FileReading): readonly Entry[] {
  const kind = kindOf(file);
  if (kind === "special") return [plainEntry(name, kind, null)];
  const data = reading.forks.open(file.id, "data", file.data);
  if (kind === "symlink") return [linkEntry(name, data)];
  const compression = file.isCompressed ? reading.attributes.compressionOf(file.id) : undefined;
  const resource = file.resource.logicalBytes > 0 ? reading.forks.open(file.id, "resource", file.resource) : undefined;
  const main = { name, executable: (file.mode & 0o111) !== 0, limitations: limitationsOf(file, reading, compression === undefined) };
  if (compression !== undefined) {
    if (file.data.logicalBytes > 0) reading.input.report.anomaly({ ...bothContents(file.data.logicalBytes), name });
    const isInFork = usesResourceFork(compression);
    const stored = isInFork && resource !== undefined && "source" in resource ? resource.source : undefined;
    const content = decmpfsContent(compression, stored, reading.input.signal);
    const entry = contentEntry({ ...main, bytes: compression.size, stored: isInFork ? (stored?.size ?? null) : compression.inline.byteLength, content, location: null });
    return isInFork || resource === undefined ? [entry] : [entry, resourceEntry(name, resource, reading)];
  }
  const entry = contentEntry({ ...main, bytes: sizeOf(file.data.logicalBytes), stored: null, content: forkContent(data), location: locationOf(data, reading.volume) });
  return resource === undefined ? [entry] : [entry, resourceEntry(name, resource, reading)];
}

function limitationsOf(file: CatalogFile, { attributes }: FileReading, isPlain: boolean): readonly string[] {
  const others = attributes.othersOf(file.id);
  return [
    ...(file.isCompressed && isPlain ? ["The file is marked as compressed, and no attribute that could be read says how; its data fork is what is read."] : []),
    ...(file.isCompressed && !isPlain ? ["The file is stored compressed by the file system; its content is what comes out."] : []),
    ...(others > 0 ? [`${String(others)} extended attributes of the file are not read.`] : []),
  ];
}

interface ContentFacts {
  readonly name: EntryName;
  readonly bytes: number | null;
  readonly stored: number | null;
  readonly executable: boolean | null;
  readonly content: EntryContent | Unavailable;
  readonly location: Entry["location"];
  readonly limitations: readonly string[];
}

function contentEntry({ bytes, stored, content, ...facts }: ContentFacts): Entry {
  const checks: readonly DeclaredCheck[] = bytes === null ? [] : [{ kind: "size", bytes }];
  return { ...facts, kind: "file", declaredBytes: bytes, compressedBytes: stored, encrypted: false, linkTarget: null, checks, content };
}

/** A resource fork as a member of its own, under the name that 7z gives it as well. */
function resourceEntry({ bytes, text }: EntryName, fork: OpenedFork, { volume }: FileReading): Entry {
  const name = { bytes: Buffer.concat([bytes, Buffer.from(":rsrc")]), text: text === undefined ? undefined : `${text}:rsrc` };
  return contentEntry({
    name,
    bytes: "source" in fork ? fork.source.size : null,
    stored: null,
    executable: null,
    content: forkContent(fork),
    location: locationOf(fork, volume),
    limitations: ["This is the resource fork of the file of that name."],
  });
}

function forkContent(fork: OpenedFork): EntryContent | Unavailable {
  return "source" in fork ? plainContent(fork.source) : { reason: "malformed", why: fork.problem };
}

function plainContent(source: ByteSource): EntryContent {
  return { stream: () => sourceStream(source), random: () => ({ size: source.size, read: (at, length) => source.read(at, length), close: () => undefined }) };
}

/** Where a fork lies, when it lies in one piece. */
function locationOf(fork: OpenedFork, { offset, blockBytes }: HfsVolume): Entry["location"] {
  if (!("source" in fork) || fork.extents.length !== 1) return null;
  const [extent] = fork.extents;
  return extent === undefined ? null : { offset: offset + extent.start * blockBytes, length: fork.source.size };
}

function sizeOf(bytes: number): number | null {
  return Number.isSafeInteger(bytes) ? bytes : null;
}

function linkEntry(name: EntryName, data: OpenedFork): Entry {
  const target = "source" in data ? Uint8Array.from(data.source.read(0, Math.min(data.source.size, longestLink))) : new Uint8Array(0);
  const entry = plainEntry(name, "symlink", target);
  return "source" in data ? entry : { ...entry, limitations: [data.problem] };
}

/** A member without content. */
export function plainEntry(name: EntryName, kind: EntryKind, linkTarget: Uint8Array | null): Entry {
  return { name, kind, declaredBytes: null, compressedBytes: null, location: null, encrypted: false, linkTarget, executable: null, checks: [], limitations: [], content: null };
}
