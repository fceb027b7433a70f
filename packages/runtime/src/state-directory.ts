import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where annotations live. */
export interface StateDirectory {
  readonly path: string;
  /** Set when what is written there does not outlive the session. */
  readonly limitation: string | null;
  /** Removes a directory that was only for this session. */
  release(): void;
}

/**
 * `~/.rea/state`, or the given directory. Without a home directory a private temporary one serves this session and goes
 * with it. Nothing is created in the home directory before something is written.
 */
export function stateDirectory(given: { readonly directory: string | undefined; readonly home: string | undefined }): StateDirectory {
  const { directory, home } = given;
  const keep = (path: string): StateDirectory => ({ path, limitation: null, release: () => undefined });
  if (directory !== undefined && isAbsolute(directory)) return keep(directory);
  if (home !== undefined && isAbsolute(home)) return keep(join(home, ".rea", "state"));
  const temporary = mkdtempSync(join(tmpdir(), "rea-state-"));
  return {
    path: temporary,
    limitation: "There is no home directory, so annotations last only as long as this session.",
    release: () => rmSync(temporary, { recursive: true, force: true }),
  };
}
