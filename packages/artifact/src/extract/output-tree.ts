import { createHash } from "node:crypto";
import { constants, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ReaError } from "@rea/core";

interface Owned {
  readonly device: bigint;
  readonly inode: bigint;
}

const readBackBytes = 256 * 1024;

/** Why a member was not written although it was selected. */
export type RefusedWrite = "path_conflict" | "name_too_long";

/** A fresh private directory (0700) and everything written into it. */
export class OutputTree {
  readonly root: string;
  readonly #directories = new Map<string, Owned>();

  constructor() {
    this.root = mkdtempSync(join(tmpdir(), "rea-extract-"));
    this.#directories.set(this.root, ownedOf(this.root));
  }

  /**
   * Creates a file (0600) that did not exist, under directories that are ours; a reason instead of a handle when the
   * host refuses the name or another member needs it as a directory.
   */
  async create(relativePath: string): Promise<FileHandle | RefusedWrite> {
    const path = join(this.root, relativePath);
    const refused = this.#ensureDirectory(dirname(path));
    if (refused !== undefined) return refused;
    try {
      return await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0), 0o600);
    } catch (error) {
      return refusalOf(error);
    }
  }

  discard(relativePath: string): void {
    rmSync(join(this.root, relativePath), { force: true });
  }

  /** Removes everything; the paths that are still there afterwards. */
  remove(): readonly string[] {
    return removeTree(this.root);
  }

  #ensureDirectory(path: string): RefusedWrite | undefined {
    const known = this.#directories.get(path);
    if (known !== undefined) {
      requireOurs(path, known);
      return undefined;
    }
    const above = this.#ensureDirectory(dirname(path));
    if (above !== undefined) return above;
    try {
      mkdirSync(path, 0o700);
    } catch (error) {
      return refusalOf(error);
    }
    this.#directories.set(path, ownedOf(path));
    return undefined;
  }
}

/** Removes an output directory; what is still there afterwards. */
export function removeTree(root: string): readonly string[] {
  try {
    rmSync(root, { recursive: true, force: true });
  } catch (error) {
    // What could not be removed is told below, whatever the host called it.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return existsSync(root) ? [root] : [];
}

function ownedOf(path: string): Owned {
  const { dev, ino } = lstatSync(path, { bigint: true });
  return { device: dev, inode: ino };
}

function requireOurs(path: string, owned: Owned): void {
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (now !== undefined && now.isDirectory() && now.dev === owned.device && now.ino === owned.inode) return;
  throw new ReaError("artifact_operation_failed", {
    message: "A directory of the extraction was replaced by another process.",
    details: { operation: "extract_artifact", reason: "path" },
  });
}

const refusals: { readonly [code: string]: RefusedWrite | undefined } = {
  EEXIST: "path_conflict",
  ENOTDIR: "path_conflict",
  EISDIR: "path_conflict",
  ENAMETOOLONG: "name_too_long",
  EINVAL: "name_too_long",
};

function refusalOf(error: unknown): RefusedWrite {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const refused = refusals[code];
  if (refused !== undefined) return refused;
  throw new ReaError("artifact_operation_failed", {
    message: "The extraction directory cannot be written. Check the free space and the permissions of the temporary directory.",
    details: { operation: "extract_artifact", reason: "io" },
    cause: error,
  });
}

/** Makes a written file durable, reads it back through the same handle, and tells its SHA-256. Closes the handle. */
export async function sealFile(handle: FileHandle): Promise<string> {
  try {
    await handle.datasync();
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(readBackBytes);
    for (let position = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, readBackBytes, position);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
      position += bytesRead;
    }
  } finally {
    await handle.close();
  }
}
