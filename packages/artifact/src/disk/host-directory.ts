import { closeSync, constants, fstatSync, lstatSync, openSync, type BigIntStats } from "node:fs";
import { escapeUntrusted, ReaError } from "@rea/core";
import { identityOf, openHostFile, sameIdentity, system, type HostFile, type HostIdentity } from "./host-file.js";
import { hostListing, type ListedChild } from "./host-listing.js";

/** One directory, held open, so that its children are opened inside it whatever happens to its path meanwhile. */
export interface HostDirectory {
  readonly identity: HostIdentity;
  /** Children sorted by the bytes of their names. */
  list(): readonly ListedChild[];
  openFile(name: Buffer): HostFile;
  openDirectory(name: Buffer): HostDirectory;
  stat(name: Buffer): BigIntStats;
  /** Bytes of a path, one character each, that lead into this very directory whatever happens to its own path; not on every host. */
  readonly anchor: string | undefined;
  /** A path that leads to the child through this directory. */
  pathOf(name: Buffer): Buffer;
  /** False when entries were added, removed or renamed since it was opened. */
  unchanged(): boolean;
  close(): void;
}

const separator = Buffer.from("/");

/**
 * Opens a directory without following a link in the last segment. On Linux children are reached through the open handle
 * (`/proc/self/fd`), which no rename can redirect; elsewhere the path is proven to lead to the same directory right
 * before and after each child is opened. Throws `target_unavailable`, and `artifact_operation_failed` (reason `path`)
 * when the directory was replaced.
 */
export function openHostDirectory(path: string | Buffer): HostDirectory {
  const place = Buffer.from(path);
  const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const handle = system(place, () => openSync(place, flags));
  const identity = identityOf(fstatSync(handle, { bigint: true }));
  const anchored = process.platform === "linux";
  const base = anchored ? Buffer.from(`/proc/self/fd/${String(handle)}`) : place;
  const pathOf = (name: Buffer) => Buffer.concat([base, separator, name]);
  const guarded = <T>(call: () => T): T => {
    if (anchored) return call();
    requireSame(place, identity);
    const result = call();
    requireSame(place, identity);
    return result;
  };
  let open = true;
  return {
    identity,
    anchor: anchored ? `/proc/self/fd/${String(handle)}/` : undefined,
    pathOf,
    list: () => guarded(() => system(place, () => hostListing(base))),
    openFile: (name) => guarded(() => openHostFile(pathOf(name))),
    openDirectory: (name) => guarded(() => openHostDirectory(pathOf(name))),
    stat: (name) => guarded(() => system(pathOf(name), () => lstatSync(pathOf(name), { bigint: true }))),
    unchanged: () => !open || isSame(handle, identity),
    close() {
      if (open) closeSync(handle);
      open = false;
    },
  };
}

/** A directory that the system made for a process is gone with it, open or not. */
function isSame(handle: number, identity: HostIdentity): boolean {
  try {
    return sameIdentity(identityOf(fstatSync(handle, { bigint: true })), identity);
  } catch {
    return false;
  }
}

function requireSame(path: Buffer, identity: HostIdentity): void {
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (now !== undefined && now.dev === identity.device && now.ino === identity.inode) return;
  throw new ReaError("artifact_operation_failed", {
    message: `A directory was replaced while it was read: ${escapeUntrusted(path.toString())}. Call again when nothing writes to it.`,
    details: { operation: "read_directory", reason: "path" },
  });
}
