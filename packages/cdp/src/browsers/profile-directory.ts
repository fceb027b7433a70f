import { chmod, lstat, mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReaError } from "@rea/core";
import { claimDirectory, removeTree, sweepOnce } from "@rea/lineage";

/** A profile that could not be removed, in the shape of `cleanup_incomplete`. */
export interface ProfileResource {
  readonly kind: "browser_profile";
  readonly detail: { readonly path: string; readonly reason: string };
}

/** A browser's last processes may still write while it is removed. */
const attempts = 5;
const pauseMs = 50;

/** A fresh directory (0700) for one browser: its profile, its home and its temporary files. */
export class ProfileDirectory {
  readonly root: string;
  readonly profile: string;
  readonly home: string;
  readonly temporary: string;

  private constructor(root: string) {
    this.root = root;
    this.profile = join(root, "profile");
    this.home = join(root, "home");
    this.temporary = join(root, "tmp");
  }

  /**
   * Makes one below `parent` (default: the host's directory for temporary files), where those of killed owners are removed
   * before. Throws `provider_unavailable`.
   */
  static async create(parent: string = tmpdir()): Promise<ProfileDirectory> {
    try {
      const real = await realpath(parent);
      await sweepOnce(real);
      const root = await mkdtemp(join(real, "rea-browser-"));
      await chmod(root, 0o700);
      await claimDirectory(root);
      const directory = new ProfileDirectory(root);
      for (const path of [directory.profile, directory.home, directory.temporary]) await mkdir(path, { mode: 0o700 });
      return directory;
    } catch (error) {
      throw new ReaError("provider_unavailable", {
        message: "No directory can be made for the browser's profile. Let TMPDIR name a directory that can be written.",
        details: { reason: "profile_unusable", errno: errorCode(error) },
        cause: error,
      });
    }
  }

  /** Removes it and looks whether it is gone; safe to call again. Returns what remains. */
  async remove(): Promise<readonly ProfileResource[]> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      removeTree(this.root);
      if (await isGone(this.root)) return [];
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return [{ kind: "browser_profile", detail: { path: this.root, reason: "not_removed" } }];
  }
}

function isGone(path: string): Promise<boolean> {
  return lstat(path).then(() => false, (error: unknown) => errorCode(error) === "ENOENT");
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}
