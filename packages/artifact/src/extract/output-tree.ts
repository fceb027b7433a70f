import { constants, lstatSync, mkdirSync, mkdtempSync, open, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ReaError } from "@rea/core";
import { OutputFile } from "./output-file.js";
import { removeTree } from "./remove-tree.js";

const openFile = promisify(open);

interface Owned {
  readonly device: bigint;
  readonly inode: bigint;
}

/** Why a member was not written although it was selected. */
export type RefusedWrite = "path_conflict" | "name_too_long";

/** A fresh private directory (0700) and everything written into it. */
export class OutputTree {
  readonly root: string;
  readonly #directories = new Map<string, Owned>();
  /** Files that are being created, by a spelling that no host tells from theirs. */
  readonly #creating = new Map<string, Promise<unknown>>();

  /** In the system's temporary place, or at a path that does not exist yet. */
  constructor(directory?: string) {
    this.root = directory === undefined ? mkdtempSync(join(tmpdir(), "rea-extract-")) : madeDirectory(directory);
    this.#directories.set(this.root, ownedOf(this.root));
  }

  /**
   * Creates a file (0600) that did not exist, under directories that are ours; a reason instead when the
   * host refuses the name or another member needs it as a directory.
   */
  create(relativePath: string): Promise<OutputFile | RefusedWrite> {
    const spelling = relativePath.normalize("NFKC").toLowerCase();
    const created = this.#createAfter(this.#claimsOn(spelling), join(this.root, relativePath));
    this.#creating.set(spelling, created);
    const forget = (): void => {
      if (this.#creating.get(spelling) === created) this.#creating.delete(spelling);
    };
    created.then(forget, forget);
    return created;
  }

  /** Files being created that have this name, or that of a directory above it. */
  #claimsOn(spelling: string): readonly Promise<unknown>[] {
    if (this.#creating.size === 0) return [];
    const ends = [...spelling.matchAll(/\/|$/gu)].map(({ index }) => index);
    return ends.flatMap((end) => this.#creating.get(spelling.slice(0, end)) ?? []);
  }

  /** Of two that want one name, the first in the walk has it. */
  async #createAfter(earlier: readonly Promise<unknown>[], path: string): Promise<OutputFile | RefusedWrite> {
    if (earlier.length > 0) await Promise.all(earlier);
    const directory = dirname(path);
    const refused = this.#ensureDirectory(directory);
    if (refused !== undefined) return refused;
    const file = await openNew(path);
    if (typeof file !== "string") this.#requireStill(directory, file);
    return file;
  }

  #requireStill(directory: string, file: OutputFile): void {
    try {
      this.#ensureDirectory(directory);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  discard(relativePath: string): void {
    rmSync(join(this.root, relativePath), { force: true });
  }

  /** Removes everything; the paths that are still there afterwards. */
  remove(): Promise<readonly string[]> {
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

function madeDirectory(path: string): string {
  try {
    mkdirSync(path, 0o700);
    return path;
  } catch (cause) {
    throw new ReaError("artifact_operation_failed", {
      message: "The output directory exists already or cannot be made. Name one that does not exist, below a directory that does.",
      details: { operation: "extract_artifact", reason: "path" },
      cause,
    });
  }
}

async function openNew(path: string): Promise<OutputFile | RefusedWrite> {
  try {
    return new OutputFile(await openFile(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0), 0o600));
  } catch (error) {
    return refusalOf(error);
  }
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
  throw notWritable(error);
}

export function notWritable(cause: unknown): ReaError {
  return new ReaError("artifact_operation_failed", {
    message: "The extraction directory cannot be written. Check the free space and the permissions of the temporary directory.",
    details: { operation: "extract_artifact", reason: "io" },
    cause,
  });
}
