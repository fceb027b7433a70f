import { memorySource, type ByteSource } from "@rea/core";
import type { Entry, EntryContent, EntryKind, EntryName, ReaderReport } from "../../format.js";
import { sourceStream } from "../../reading/source-stream.js";
import { bothContents } from "../decmpfs/both-contents.js";
import { decmpfsContent, decmpfsName, decmpfsOf, usesResourceFork, type Decmpfs } from "../decmpfs/decmpfs.js";
import type { Blocks } from "./blocks.js";
import { openContent, openStream, type ApfsFile, type OpenedStream } from "./file.js";
import type { FileTree } from "./file-tree.js";
import { untilNul } from "./object.js";

/** What is needed to read the files of a volume. */
export interface FileReading {
  readonly tree: FileTree;
  readonly blocks: Blocks;
  readonly signal: AbortSignal;
  readonly report: ReaderReport;
}

const linkName = "com.apple.fs.symlink";
const forkName = "com.apple.ResourceFork";
const known: ReadonlySet<string> = new Set([linkName, forkName, decmpfsName]);
const longestLink = 65_536;
/** Attributes of compression are small; larger ones are none. */
const longestCompression = 1 << 20;

const fileType = 0o170000;
const kinds: ReadonlyMap<number, EntryKind> = new Map([[0o100000, "file"], [0o120000, "symlink"], [0o040000, "directory"]]);

export function kindOf({ inode }: ApfsFile): EntryKind {
  return kinds.get(inode.mode & fileType) ?? "special";
}

/** Entries of a file or link: its content, and its resource fork where it has one of its own. */
export function fileEntries(name: EntryName, file: ApfsFile, reading: FileReading): readonly Entry[] {
  const kind = kindOf(file);
  const limitations = limitationsOf(file);
  if (kind === "symlink") return [{ ...plainEntry(name, kind, untilNul(Buffer.from(attributeBytes(linkName, file, reading, longestLink)))), limitations }];
  if (kind !== "file") return [{ ...plainEntry(name, kind, null), limitations }];
  const compression = file.inode.isCompressed ? decmpfsOf(attributeBytes(decmpfsName, file, reading, longestCompression)) : undefined;
  const fork = attributeStream(forkName, file, reading);
  if (compression !== undefined && (file.inode.size ?? 0) > 0) reading.report.anomaly({ ...bothContents(file.inode.size ?? 0), name });
  if (compression !== undefined) return compressedEntries({ name, file, compression, fork, limitations, signal: reading.signal });
  const opened = openContent(reading.tree, reading.blocks, file);
  const note = file.inode.isCompressed ? ["The file is marked as compressed, and no attribute that could be read says how; its own bytes are what is read."] : [];
  const entry = contentEntry(name, opened, { executable: isProgram(file), limitations: [...note, ...limitations], blockBytes: reading.blocks.blockBytes });
  return fork === undefined ? [entry] : [entry, forkEntry(name, fork, reading.blocks.blockBytes)];
}

interface Compressed {
  readonly name: EntryName;
  readonly file: ApfsFile;
  readonly compression: Decmpfs;
  readonly fork: OpenedStream | undefined;
  readonly limitations: readonly string[];
  readonly signal: AbortSignal;
}

function compressedEntries({ name, file, compression, fork, limitations, signal }: Compressed): readonly Entry[] {
  const isInFork = usesResourceFork(compression);
  const stored = isInFork && fork !== undefined && "source" in fork ? fork.source : undefined;
  const entry: Entry = {
    ...plainEntry(name, "file", null),
    declaredBytes: compression.size,
    compressedBytes: isInFork ? (stored?.size ?? null) : compression.inline.byteLength,
    executable: isProgram(file),
    checks: [{ kind: "size", bytes: compression.size }],
    limitations: ["The file is stored compressed by the file system; its content is what comes out.", ...limitations],
    content: decmpfsContent(compression, stored, signal),
  };
  return isInFork || fork === undefined ? [entry] : [entry, forkEntry(name, fork, 0)];
}

function forkEntry({ bytes, text }: EntryName, fork: OpenedStream, blockBytes: number): Entry {
  const name = { bytes: Buffer.concat([bytes, Buffer.from(":rsrc")]), text: text === undefined ? undefined : `${text}:rsrc` };
  return contentEntry(name, fork, { executable: null, limitations: ["This is the resource fork of the file of that name."], blockBytes });
}

interface ContentFacts {
  readonly executable: boolean | null;
  readonly limitations: readonly string[];
  readonly blockBytes: number;
}

function contentEntry(name: EntryName, opened: OpenedStream, { executable, limitations, blockBytes }: ContentFacts): Entry {
  const bytes = "source" in opened ? opened.source.size : undefined;
  const [extent, ...others] = "source" in opened ? opened.stored : [];
  return {
    ...plainEntry(name, "file", null),
    declaredBytes: bytes ?? null,
    location: extent === undefined || others.length > 0 || blockBytes === 0 ? null : { offset: extent.block * blockBytes, length: Math.min(extent.bytes, bytes ?? 0) },
    executable,
    checks: bytes === undefined ? [] : [{ kind: "size", bytes }],
    limitations,
    content: "source" in opened ? contentOf(opened.source) : { reason: "malformed", why: opened.problem },
  };
}

function contentOf(source: ByteSource): EntryContent {
  return { stream: () => sourceStream(source), random: () => ({ size: source.size, read: (at, length) => source.read(at, length), close: () => undefined }) };
}

function isProgram({ inode }: ApfsFile): boolean {
  return (inode.mode & 0o111) !== 0;
}

function limitationsOf({ attributes }: ApfsFile): readonly string[] {
  const others = attributes.filter(({ name }) => !known.has(name)).length;
  return others === 0 ? [] : [`${String(others)} extended attributes of the file are not read.`];
}

/** An attribute's bytes, wherever they stand; empty when it has none or they are too many. */
function attributeBytes(wanted: string, { attributes }: ApfsFile, { tree, blocks }: FileReading, most: number): Uint8Array {
  const value = attributes.find(({ name }) => name === wanted)?.value;
  if (value === undefined || value instanceof Uint8Array) return value ?? new Uint8Array(0);
  const opened = openStream(tree, blocks, value);
  return "source" in opened && opened.source.size <= most ? opened.source.read(0, opened.source.size) : new Uint8Array(0);
}

function attributeStream(wanted: string, { attributes }: ApfsFile, { tree, blocks }: FileReading): OpenedStream | undefined {
  const value = attributes.find(({ name }) => name === wanted)?.value;
  if (value === undefined) return undefined;
  if (value instanceof Uint8Array) return { source: memorySource(value), stored: [] };
  return openStream(tree, blocks, value);
}

/** A member without content. */
export function plainEntry(name: EntryName, kind: EntryKind, linkTarget: Uint8Array | null): Entry {
  return { name, kind, declaredBytes: null, compressedBytes: null, location: null, encrypted: false, linkTarget, executable: null, checks: [], limitations: [], content: null };
}
