import type { ByteSource, Omission, SubjectFormat } from "@rea/core";
import type { DeclaredCheck, DigestAlgorithm } from "./declared-check.js";
import type { EntryName } from "./entry-name.js";
import type { AnomalyKind } from "./graph/anomaly.js";
import type { FoundManifest, PackageSignature } from "./integrity/manifest.js";
import type { ArtifactLimits } from "./limits.js";
import type { Fetched } from "./reading/fetched.js";
import type { ReadFile } from "./reading/read-file.js";
import type { SequentialReader } from "./reading/sequential-reader.js";
import type { TarStretch } from "./reading/tar/tar-stretch.js";

export type { DeclaredCheck, DigestAlgorithm, EntryName };

/** What a member is in its container. */
export type EntryKind = "file" | "directory" | "symlink" | "hardlink" | "special" | "slice" | "volume";

/** How members lie in their container. */
export type Relation = "contains" | "extracts" | "slice-of" | "embeds";

/** A source that holds something open. `close` may be called twice. */
export interface OpenedSource extends ByteSource {
  close(): void;
}

export interface EntryContent {
  /**
   * The content from its start, in pieces of at most about 1 MiB. Members of sequential containers must be read before
   * the next entry is asked for. Throws `artifact_operation_failed` (reason `format`) where the data breaks; what came
   * before stays valid.
   */
  stream(): AsyncIterable<Uint8Array>;
  /** The content at once, where it is small and that is cheaper; undefined when only the stream can tell. */
  readonly whole?: () => Uint8Array | undefined;
  /** Random access without a copy; present where the bytes lie plainly in the container. */
  readonly random?: () => OpenedSource;
  /** Where deflated data of a content lies that may be read ahead; it inflates to exactly `plainBytes`. */
  readonly deflated?: { readonly source: ByteSource; readonly offset: number; readonly length: number; readonly plainBytes: number };
  /** The content, read and measured already. */
  readonly fetched?: Fetched;
  /** Declarations that stand behind the data (descriptors, trailers); asked for once, after all bytes were read. */
  readonly lateChecks?: () => readonly DeclaredCheck[];
  /** Bytes of the container read so far for this content, where `compressedBytes` cannot tell. */
  readonly inputBytes?: () => number;
  /** False when what is read by `random` is no longer what the entry was made from. */
  readonly unchanged?: () => boolean;
  /** Lets go of what the content holds open; called when the entry is done with, read or not. */
  readonly close?: () => void;
}

/** Why there is no content to read although the member has one. */
export interface Unavailable {
  readonly reason: "encrypted" | "unsupported_method" | "missing_companion" | "malformed" | "unreadable" | "limit";
  /** One sentence of ours; no text of the target. */
  readonly why: string;
}

/** True for a content that is not to be had. */
export function isUnavailable(content: EntryContent | Unavailable): content is Unavailable {
  return "reason" in content;
}

/** One member in file order. */
export interface Entry {
  readonly name: EntryName;
  readonly kind: EntryKind;
  readonly declaredBytes: number | null;
  readonly compressedBytes: number | null;
  /** Where the member stands in the container: its header and data, bytes from the container's start. */
  readonly location: { readonly offset: number; readonly length: number } | null;
  readonly encrypted: boolean;
  /** Bytes of a symbolic or hard link's target. */
  readonly linkTarget: Uint8Array | null;
  /** True when the container marks the member as a program (permission bits); null when it says nothing. */
  readonly executable: boolean | null;
  readonly checks: readonly DeclaredCheck[];
  readonly limitations: readonly string[];
  /** Content, the reason why it cannot be read, or null for members without one (directories, links, devices). */
  readonly content: EntryContent | Unavailable | null;
  /** Where a streaming reader of tar may read the member ahead, with those in front of it and behind it. */
  readonly stretch?: TarStretch;
  /** `contains` unless said otherwise by the format or here. */
  readonly relation?: Relation;
  /** What is declared here of the members inside this one. */
  readonly inner?: InnerDeclarations;
  /** Files of a directory of the host that were read together: the entry stands for all of them, and for nothing else. */
  readonly run?: FileRun;
}

/**
 * Files of one directory that were read, one behind the other in its order: so many entries of which nothing is declared
 * elsewhere, without an object for each. Their names stand in a logical path as they are, and collide with no other.
 */
export interface FileRun {
  /** Path of the directory from the root, with a slash at its end; empty for the root. */
  readonly directory: string;
  readonly names: readonly string[];
  fileAt(index: number): ReadFile;
  /** The same file as any other member. */
  entryAt(index: number): Entry;
}

/** What stands outside of a container about its members; compressors around the container are looked through. */
export interface InnerDeclarations {
  /** The member with what is declared of it among its checks, or watched where it declares something itself. */
  entry(entry: Entry, report: ReaderReport): Entry;
  /** The content of the compressors, with what is declared of it. */
  extracted?(entry: Entry): Entry;
  /** Called after the last member of the container. */
  finish(report: ReaderReport): void;
}

export interface FoundAnomaly {
  readonly anomaly: AnomalyKind;
  readonly name?: EntryName;
  /** Bytes from the container's start. */
  readonly offset: number | null;
  /** What is there, in a sentence of ours with figures; no text of the target. */
  readonly detail: string;
  /** Which readings differ, in one clause. */
  readonly effect: string;
}

/** A structure of the container beside its members, such as a signing block or a header in front of an archive. */
export interface FoundPart {
  /** Fixed words of ours. */
  readonly part: string;
  /** Bytes from the container's start. */
  readonly offset: number;
  readonly length: number;
}

/** Where a reader tells what it noticed beside its entries. */
export interface ReaderReport {
  /** Bytes of the container that are no member and belong there. */
  part(found: FoundPart): void;
  anomaly(found: FoundAnomaly): void;
  /** What of the container was not read, or not understood. */
  omission(left: Omission): void;
  /** A list of digests of members, and what it came to. */
  manifest?(found: FoundManifest): void;
  /** A signature over members or over the container. */
  signature?(found: Omit<PackageSignature, "path"> & { readonly name?: EntryName }): void;
  /** A digest declared of the container itself that its bytes do not have. Throws under the policy that ends the walk. */
  contradiction?(found: FoundContradiction): void;
}

/** A declared digest that the reader itself disproved. */
export interface FoundContradiction {
  readonly algorithm: string;
  /** Hexadecimal digits. */
  readonly declared: string;
  readonly observed: string;
  readonly declaredBy: string;
  readonly detail: string;
}

export interface ReaderInput {
  readonly report: ReaderReport;
  readonly signal: AbortSignal;
  readonly limits: ArtifactLimits;
  /** Last segment of the container's own path, escaped nowhere; "" when it has none. */
  readonly containerName: string;
  /**
   * A file that belongs to the container but lies beside it (`name.unpacked/…`); undefined when there is none or the
   * container is not a file in a directory. `path` is relative to the container's directory, `/`-separated and safe.
   */
  readonly openBeside: (path: string) => OpenedSource | undefined;
}

interface FormatBase {
  readonly id: SubjectFormat;
  /** Name of the format as people write it. */
  readonly title: string;
  /** What is read of it and what is not, a sentence each, for the reference. */
  readonly notes: readonly string[];
  readonly relation?: Relation;
  /**
   * Entries may be asked for before the contents of earlier ones are read, so that contents are read ahead. Of a format
   * that is read from front to back this is so where its reader has a `source`.
   */
  readonly readsAhead?: boolean;
}

/** A format whose directory is found by looking around in the file. */
export interface RandomFormat extends FormatBase {
  readonly access: "random";
  entries(source: ByteSource, input: ReaderInput): AsyncIterable<Entry>;
}

/** A format that can be read from front to back without going back. */
export interface SequentialFormat extends FormatBase {
  readonly access: "sequential";
  entries(reader: SequentialReader, input: ReaderInput): AsyncIterable<Entry>;
}

export type Format = RandomFormat | SequentialFormat;

/**
 * Declares a container format. Readers never touch the file system, never trust a size, offset or count of the file,
 * and never throw for damage: what is readable is yielded, the rest becomes an omission `malformed` with its offset.
 * They may throw `cancelled`. Which content is of which format is told by `detectFormat` of `@rea/binary`.
 */
export function defineFormat<const F extends Format>(format: F): F {
  return format;
}
