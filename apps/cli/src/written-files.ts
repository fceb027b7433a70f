import { statSync } from "node:fs";
import { localPath } from "./argument-values.js";
import type { OutputArguments, TargetArguments } from "./common-options.js";
import { UsageError } from "./usage-error.js";

const written = ["output", "save-evidence", "snapshot"] as const;

/** A file that a command reads is never one it writes, and no file is written twice. Throws `UsageError`. */
export function keepFilesApart(given: OutputArguments & Pick<TargetArguments, "snapshot">, read: readonly string[]): void {
  const inputs = new Set([given.path, ...read].flatMap((path) => (path === undefined ? [] : identitiesOf(path))));
  const taken = new Map<string, string>();
  for (const option of written) {
    const path = given[option];
    if (path === undefined) continue;
    for (const identity of identitiesOf(path)) {
      if (inputs.has(identity)) throw new UsageError(`--${option} names the file that this command reads; name another file`);
      const other = taken.get(identity);
      if (other !== undefined && other !== option) throw new UsageError(`--${other} and --${option} name one file; name two`);
      taken.set(identity, option);
    }
  }
}

/** The absolute path, and device and inode behind the links when there is something to see; devices are shared freely. */
function identitiesOf(path: string): string[] {
  const absolute = localPath(path);
  try {
    const stats = statSync(absolute, { bigint: true });
    return stats.isFile() ? [absolute, `${stats.dev}:${stats.ino}`] : [];
  } catch {
    return [absolute];
  }
}
