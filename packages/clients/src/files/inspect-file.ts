import { lstatSync, readFileSync, readlinkSync, type BigIntStats } from "node:fs";
import { dirname, resolve } from "node:path";

/** Largest configuration that is read. */
const maximumBytes = 64 * 1024 * 1024;
const maximumLinks = 16;

export type RefusedFile = {
  readonly state: "refused";
  readonly reason: "foreign_owner" | "foreign_link" | "dangling_link" | "not_regular" | "read_only" | "unreadable" | "too_large";
  /** One sentence that ends with the next step. Paths are the caller's business. */
  readonly why: string;
};

/** A configuration file as it stands. */
export type InspectedFile =
  | { readonly state: "absent"; readonly place: string }
  | { readonly state: "present"; /** Behind all links. */ readonly place: string; readonly bytes: Buffer; readonly mode: number }
  | RefusedFile;

/**
 * Reads a file that may be replaced. A link is followed when it and what it leads to belong to the user and that is a
 * regular file; nothing else is touched. `uid`: undefined where files have no such owner.
 */
export function inspectFile(path: string, uid: number | undefined): InspectedFile {
  try {
    return inspect(path, uid);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    return refused("unreadable", `The file cannot be read (${code}). Correct its permissions and run the command again.`);
  }
}

function inspect(path: string, uid: number | undefined): InspectedFile {
  let place = path;
  for (let links = 0; links <= maximumLinks; links += 1) {
    const stats = lstat(place);
    if (stats === undefined) {
      if (links === 0) return { state: "absent", place };
      return refused("dangling_link", "The file is a symbolic link to nothing. Remove the link or create what it names, and run the command again.");
    }
    const foreign = uid !== undefined && stats.uid !== BigInt(uid);
    if (!stats.isSymbolicLink()) return judged(place, stats, { foreign, linked: links > 0 });
    if (foreign) return refused("foreign_link", "The file is a symbolic link that belongs to another user. Replace it by one of your own, and run the command again.");
    place = resolve(dirname(place), readlinkSync(place));
  }
  return refused("dangling_link", "The file is a symbolic link that leads in a circle. Correct it and run the command again.");
}

function judged(place: string, stats: BigIntStats, { foreign, linked }: { readonly foreign: boolean; readonly linked: boolean }): InspectedFile {
  if (!stats.isFile()) return refused("not_regular", "There is no regular file at this path. Move away what is there and run the command again.");
  if (foreign && linked) return refused("foreign_link", "The file is a symbolic link to a file of another user. Run the command as that user.");
  if (foreign) return refused("foreign_owner", "The file belongs to another user. Run the command as that user.");
  const mode = Number(stats.mode) & 0o7777;
  // Where modes mean something; a file nobody may write is not to be changed.
  if ((mode & 0o222) === 0) return refused("read_only", "The file is read-only. Make it writable, for example with chmod u+w, and run the command again.");
  if (stats.size > BigInt(maximumBytes)) return refused("too_large", "The file is larger than 64 MiB, which no configuration is. Correct it and run the command again.");
  return { state: "present", place, bytes: readFileSync(place), mode };
}

function lstat(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw error;
  }
}

function refused(reason: RefusedFile["reason"], why: string): RefusedFile {
  return { state: "refused", reason, why };
}
