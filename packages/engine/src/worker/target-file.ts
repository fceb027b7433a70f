import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, statSync, type BigIntStats } from "node:fs";
import { checkRange, memorySource, ReaError, type ByteSource, type TargetReason } from "@rea/core";
import type { WorkerTarget } from "./messages.js";

const chunkBytes = 4 * 1024 * 1024;
/** Larger files are read piece by piece instead of being held. */
const heldBytes = 1024 * 1024 * 1024;

/** A target's bytes, proven to be those that were opened: read and hashed through one handle. */
export class TargetFile {
  readonly source: ByteSource;
  readonly #path: string;
  readonly #opened: BigIntStats;

  private constructor(path: string, opened: BigIntStats, source: ByteSource) {
    this.#path = path;
    this.#opened = opened;
    this.source = source;
  }

  /** Throws `target_unavailable` when the file is missing or no longer has the target's digest. */
  static open(target: WorkerTarget, checkpoint: () => void): TargetFile {
    const handle = openTarget(target.path);
    let keep = false;
    try {
      const opened = fstatSync(handle, { bigint: true });
      if (!opened.isFile() || target.sha256 === null) throw unavailable("not_regular");
      const { source, sha256 } = load(handle, Number(opened.size), checkpoint);
      if (sha256 !== target.sha256) throw unavailable("target_changed");
      keep = Number(opened.size) > heldBytes;
      return new TargetFile(target.path, opened, source);
    } finally {
      if (!keep) closeSync(handle);
    }
  }

  /** Throws `target_unavailable` unless the path still leads to the file that was read. */
  verify(): void {
    const now = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (now === undefined) throw unavailable("missing");
    const { dev, ino, size, mtimeNs } = this.#opened;
    if (now.dev === dev && now.ino === ino && now.size === size && now.mtimeNs === mtimeNs) return;
    throw unavailable("target_changed");
  }
}

function openTarget(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw unavailable(missing ? "missing" : "unreadable", error);
  }
}

function load(
  handle: number,
  size: number,
  checkpoint: () => void,
): { readonly source: ByteSource; readonly sha256: string } {
  const hash = createHash("sha256");
  const held = size <= heldBytes ? Buffer.alloc(size) : undefined;
  const scratch = held ?? Buffer.alloc(chunkBytes);
  for (let done = 0; done < size; ) {
    checkpoint();
    const at = held === undefined ? 0 : done;
    const count = readSync(handle, scratch, at, Math.min(chunkBytes, size - done), done);
    if (count === 0) throw unavailable("target_changed");
    hash.update(scratch.subarray(at, at + count));
    done += count;
  }
  return { source: held === undefined ? handleSource(handle, size) : memorySource(held), sha256: hash.digest("hex") };
}

function handleSource(handle: number, size: number): ByteSource {
  return {
    size,
    read(offset, length) {
      checkRange(offset, length, size);
      const bytes = Buffer.alloc(length);
      if (readSync(handle, bytes, 0, length, offset) !== length) throw unavailable("target_changed");
      return bytes;
    },
  };
}

const messages: { readonly [R in TargetReason]?: string } = {
  missing: "The target file is gone. Open it again with open_binary.",
  unreadable: "The target file cannot be read. Check its permissions and open it again with open_binary.",
  not_regular: "The target is not a regular file. Open an executable with open_binary.",
  target_changed: "The target file has changed since it was opened. Open it again with open_binary.",
};

function unavailable(reason: TargetReason, cause?: unknown): ReaError {
  return new ReaError("target_unavailable", {
    message: messages[reason] ?? "The target is unavailable. Open it again with open_binary.",
    details: { reason },
    action: "Open the target again with open_binary.",
    cause,
  });
}
