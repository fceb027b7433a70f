import { createHash } from "node:crypto";
import { statSync, type BigIntStats } from "node:fs";
import { ReaError, type ByteSource, type TargetReason } from "@rea/core";
import { openFileSource, type FileSource } from "@rea/binary";
import type { WorkerTarget } from "./messages.js";

const chunkBytes = 4 * 1024 * 1024;

/** A target's bytes, proven to be those that were opened: read and hashed through one handle. */
export class TargetFile {
  readonly source: ByteSource;
  readonly #path: string;
  readonly #opened: FileSource;

  private constructor(path: string, opened: FileSource) {
    this.#path = path;
    this.#opened = opened;
    this.source = opened;
  }

  /** Throws `target_unavailable` when the file cannot be read or no longer has the target's digest. */
  static open(target: WorkerTarget, checkpoint: () => void): TargetFile {
    const hashed = openHashed(target.path, checkpoint);
    const file = TargetFile.of(target, hashed);
    if (file !== undefined) return file;
    hashed.opened.close();
    throw unavailable("target_changed");
  }

  /** The target's file, where it is the one that was opened and hashed. */
  static of(target: WorkerTarget, { opened, sha256 }: HashedFile): TargetFile | undefined {
    return sha256 === target.sha256 ? new TargetFile(target.path, opened) : undefined;
  }

  /** True while the path still leads to the file that was read, unchanged. */
  get isCurrent(): boolean {
    const now = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    return now !== undefined && this.#isThis(now);
  }

  /** Throws `target_unavailable` unless the path still leads to the file that was read, unchanged. */
  verify(): void {
    const now = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (now === undefined) throw unavailable("missing");
    if (!this.#isThis(now)) throw unavailable("target_changed");
  }

  #isThis({ dev, ino }: BigIntStats): boolean {
    const { device, inode } = this.#opened.identity;
    return dev === device && ino === inode && this.#opened.unchanged();
  }
}

/** An open file with the digest of its bytes. */
export interface HashedFile {
  readonly opened: FileSource;
  readonly sha256: string;
}

/** Throws `target_unavailable` when the file cannot be read, and whatever the checkpoint throws. */
export function openHashed(path: string, checkpoint: () => void): HashedFile {
  const opened = openFileSource(path);
  try {
    return { opened, sha256: digestOf(opened, checkpoint) };
  } catch (error) {
    opened.close();
    throw error;
  }
}

function digestOf(source: ByteSource, checkpoint: () => void): string {
  const hash = createHash("sha256");
  for (let offset = 0; offset < source.size; offset += chunkBytes) {
    checkpoint();
    hash.update(source.read(offset, Math.min(chunkBytes, source.size - offset)));
  }
  return hash.digest("hex");
}

const messages: { readonly [R in TargetReason]?: string } = {
  missing: "The target file is gone. Open it again with open_binary.",
  target_changed: "The target file has changed since it was opened. Open it again with open_binary.",
};

function unavailable(reason: TargetReason): ReaError {
  return new ReaError("target_unavailable", {
    message: messages[reason] ?? "The target is unavailable. Open it again with open_binary.",
    details: { reason },
    action: "Open the target again with open_binary.",
  });
}
