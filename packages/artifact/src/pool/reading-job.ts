import type { DeclaredCheck, DigestAlgorithm } from "../declared-check.js";
import type { SeenMember } from "../reading/tar/tar-stream-pass.js";

/** Small files, each opened, read whole and hashed. */
export interface FilesJob {
  readonly kind: "files";
  readonly places: readonly FilePlaces[];
}

/** Files of one directory. Paths as bytes, one character a byte. */
export interface FilePlaces {
  /** Leads to the directory; ends in a slash. */
  readonly prefix: string;
  readonly names: readonly string[];
}

/** Small contents of an open file, read whole and hashed. */
export interface SlicesJob {
  readonly kind: "slices";
  readonly handle: number;
  /** Three numbers a content: where its bytes start, how many they are, and the size of what they inflate to; -1 for stored ones. */
  readonly slices: Float64Array<ArrayBuffer>;
  readonly crc32: boolean;
}

export type BlockCheck = Extract<DeclaredCheck, { readonly kind: "blocks" }>;

/** One content of an open file, measured from front to back. */
export interface DigestJob {
  readonly kind: "digest";
  readonly handle: number;
  /** Two numbers a stretch: where it starts, negative for a hole, and how long it is. */
  readonly runs: Float64Array<ArrayBuffer>;
  /** Size of what a single run inflates to; -1 for stored bytes. */
  readonly plainBytes: number;
  readonly crc32: boolean;
  /** Digests beside SHA-256. */
  readonly algorithms: readonly DigestAlgorithm[];
  readonly blocks: readonly BlockCheck[];
  /** First bytes that are given back. */
  readonly headBytes: number;
}

/** Members of a tar archive, one behind the other, that a library streams. */
export interface TarJob {
  readonly kind: "tar";
  readonly handle: number;
  /** Where the first header stands. */
  readonly offset: number;
  /** Three numbers a member: how long it is with headers and padding, where its content starts in it, and the content's size. */
  readonly members: Float64Array<ArrayBuffer>;
  /** Whole contents are wanted, of members that are read at once; of others their ends are enough. */
  readonly whole: boolean;
}

export type ReadingJob = FilesJob | SlicesJob | DigestJob | TarJob;

/** What became of one of several contents. */
export const contentStates = { read: 0, larger: 1, failed: 2, changed: 3 } as const;

export interface FilesAnswer {
  readonly kind: "files";
  /** All contents, one behind the other. */
  readonly contents: Uint8Array<ArrayBuffer>;
  /** Four numbers a file: its state, size in bytes, mode, and where its content ends. */
  readonly facts: Float64Array<ArrayBuffer>;
  /** 64 characters a file. */
  readonly sha256: string;
  /** Digits of the ids of the contents, 64 a file. */
  readonly artifactDigits: string;
}

export interface SlicesAnswer {
  readonly kind: "slices";
  readonly contents: Uint8Array<ArrayBuffer>;
  /** Two numbers a content: its state, and where it ends. */
  readonly facts: Float64Array<ArrayBuffer>;
  readonly sha256: string;
  /** Of each content, where they were asked for. */
  readonly crc32: Uint32Array<ArrayBuffer>;
}

export interface DigestAnswer {
  readonly kind: "digest";
  readonly head: Uint8Array<ArrayBuffer>;
  readonly bytes: number;
  readonly sha256: string;
  readonly crc32: number | undefined;
  readonly digests: readonly (readonly [DigestAlgorithm, string])[];
  /** What was seen of each list of blocks that does not hold. */
  readonly blocks: readonly (string | undefined)[];
}

export interface TarAnswer {
  readonly kind: "tar";
  /** Everything that was read, or the ends of the contents. */
  readonly contents: Uint8Array<ArrayBuffer>;
  /**
   * Four numbers a member: whether the library gave the very bytes asked for (1), and where in `contents` those of the member start,
   * where its first bytes end, and where its last bytes, behind the first, do: there are none where the first are all.
   */
  readonly facts: Float64Array<ArrayBuffer>;
  readonly sha256: string;
  readonly seen: readonly SeenMember[];
}

/** `failed`: the bytes cannot be had as they were described; `cancelled`: the walk has ended. */
export type ReadingAnswer = FilesAnswer | SlicesAnswer | DigestAnswer | TarAnswer | { readonly kind: "failed" } | { readonly kind: "cancelled" };

/** How a job hears that it is not wanted any more, and tells how far it is. */
export interface JobControl {
  isCancelled(): boolean;
  passed(bytes: number): void;
}
