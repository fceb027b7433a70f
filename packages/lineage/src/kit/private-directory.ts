import { lstatSync, realpathSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { ReaError } from "@rea/core";
import { claimDirectory, sweepOnce } from "../owned-directories.js";

/** Something of an engine's directory that could not be removed, in the shape of `cleanup_incomplete`. */
export interface DirectoryResource {
  readonly kind: "temporary_root";
  readonly detail: { readonly path: string; readonly reason: string };
}

const maximumNameBytes = 64;

/** A fresh directory that only we can enter (0700), with files that only we can read (0600). Engines keep all they write in it. */
export class PrivateDirectory {
  readonly path: string;
  #removed = false;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Makes one in the first usable of the parents (default: the host's temporary directories). Engines skip or refuse paths
   * with an element that starts with a dot, so a parent with one is not usable. Throws `provider_unavailable`, reason
   * `private_directory_unusable`, when none is.
   */
  static async create(parents: readonly string[] = [tmpdir(), "/tmp", "/var/tmp"]): Promise<PrivateDirectory> {
    let last: unknown;
    for (const parent of parents) {
      try {
        const real = realpathSync(parent);
        if (hasHiddenElement(real)) continue;
        await sweepOnce(real);
        return new PrivateDirectory(await claimedDirectory(real));
      } catch (error) {
        last = error;
      }
    }
    throw new ReaError("provider_unavailable", {
      message: "No private directory can be made for the engine. Let TMPDIR name a writable directory without a hidden element in its path.",
      details: { reason: "private_directory_unusable", errno: errorCode(last) },
      cause: last,
    });
  }

  /** Path of a member; names are plain and never start with a dot. */
  member(name: string): string {
    const plain = name !== "" && !name.startsWith(".") && !/[/\\\0]/.test(name) && Buffer.byteLength(name) <= maximumNameBytes;
    if (!plain) throw new Error("A member of an engine's directory needs a plain name.");
    return join(this.path, name);
  }

  /** Writes a new file, 0600 from its first instant; never follows or replaces what is there. Returns its path. */
  async writeFile(name: string, content: string | Uint8Array): Promise<string> {
    const path = this.member(name);
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    return path;
  }

  /** Makes a directory in it, 0700. Returns its path. */
  async makeDirectory(name: string): Promise<string> {
    const path = this.member(name);
    await mkdir(path, { mode: 0o700 });
    await chmod(path, 0o700);
    return path;
  }

  /** Removes it and looks whether it is gone; safe to call again. Returns what remains. */
  async remove(): Promise<readonly DirectoryResource[]> {
    if (this.#removed) return [];
    let reason = "not_removed";
    try {
      await rm(this.path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
    } catch (error) {
      reason = errorCode(error);
    }
    const left = await lstat(this.path).then(() => true, (error: unknown) => errorCode(error) !== "ENOENT");
    this.#removed = !left;
    return left ? [{ kind: "temporary_root", detail: { path: this.path, reason } }] : [];
  }
}

/** Makes a directory in a parent and says whose it is; one that is not ours alone, or that takes nothing, is removed again. */
async function claimedDirectory(parent: string): Promise<string> {
  const path = await mkdtemp(join(parent, "rea-engine-"));
  try {
    if (!isPrivate(path)) throw new Error("the directory is not ours alone");
    await claimDirectory(path);
    return path;
  } catch (error) {
    await rm(path, { recursive: true, force: true });
    throw error;
  }
}

function hasHiddenElement(path: string): boolean {
  return path.split(sep).some((element) => element.startsWith("."));
}

/** Where the system has owners and modes: ours, and nobody else's. */
function isPrivate(path: string): boolean {
  const { mode, uid } = lstatSync(path);
  return process.getuid === undefined || ((mode & 0o777) === 0o700 && uid === process.getuid());
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}
