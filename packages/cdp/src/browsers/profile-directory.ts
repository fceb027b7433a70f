import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { createConnection, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReaError } from "@rea/core";

/** A profile that could not be removed, in the shape of `cleanup_incomplete`. */
export interface ProfileResource {
  readonly kind: "browser_profile";
  readonly detail: { readonly path: string; readonly reason: string };
}

const prefix = "rea-browser-";
const ownerSocket = "owner";
const askMs = 1_000;

/**
 * A fresh directory (0700) for one browser: its profile, its home and its temporary files. A socket in it answers as long as
 * the process that made it lives, so that one which was killed leaves a directory that the next launch knows to be nobody's.
 */
export class ProfileDirectory {
  readonly root: string;
  readonly profile: string;
  readonly home: string;
  readonly temporary: string;
  #owner: Server | null;

  private constructor(root: string, owner: Server | null) {
    this.root = root;
    this.profile = join(root, "profile");
    this.home = join(root, "home");
    this.temporary = join(root, "tmp");
    this.#owner = owner;
  }

  /** Makes one below `parent` (default: the host's directory for temporary files). Throws `provider_unavailable`. */
  static async create(parent: string = tmpdir()): Promise<ProfileDirectory> {
    try {
      const root = await mkdtemp(join(await realpath(parent), prefix));
      await chmod(root, 0o700);
      const directory = new ProfileDirectory(root, await listen(join(root, ownerSocket)));
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
    this.#owner?.close();
    this.#owner = null;
    return removed(this.root);
  }
}

/**
 * Removes directories of this kind whose makers are dead: ours by user and mode, and with a socket that nobody answers. One that
 * cannot be told is left alone. Returns how many were removed.
 */
export async function removeDeadProfiles(parent: string = tmpdir()): Promise<number> {
  let count = 0;
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const root = join(parent, name);
    if ((await isOurs(root)) && (await isDead(join(root, ownerSocket))) && (await removed(root)).length === 0) count += 1;
  }
  return count;
}

/** Null where a socket cannot lie in a directory; such a directory is never taken for dead. */
function listen(path: string): Promise<Server | null> {
  if (process.platform === "win32") return Promise.resolve(null);
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", () => resolve(null));
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

async function isOurs(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats !== null && stats.isDirectory() && (stats.mode & 0o777) === 0o700 && stats.uid === process.getuid?.();
}

function isDead(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    const settle = (dead: boolean): void => {
      socket.destroy();
      resolve(dead);
    };
    socket.setTimeout(askMs, () => settle(false));
    socket.once("connect", () => settle(false));
    socket.once("error", (error) => settle(errorCode(error) === "ECONNREFUSED"));
  });
}

async function removed(root: string): Promise<readonly ProfileResource[]> {
  let reason = "not_removed";
  try {
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch (error) {
    reason = errorCode(error);
  }
  const left = await lstat(root).then(() => true, (error: unknown) => errorCode(error) !== "ENOENT");
  return left ? [{ kind: "browser_profile", detail: { path: root, reason } }] : [];
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}
