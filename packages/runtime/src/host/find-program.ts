import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export interface ProgramSearch {
  /** File name without suffix. */
  readonly name: string;
  /** The PATH variable; its relative and empty entries are passed over. */
  readonly path: string | undefined;
  /** Absolute paths tried after PATH. */
  readonly candidates: readonly string[];
}

/** The first executable file of this name, by absolute path; starts nothing, and nothing relative is ever taken. */
export function findProgram({ name, path = "", candidates }: ProgramSearch): string | null {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const directories = path.split(delimiter).filter((directory) => isAbsolute(directory));
  return [...directories.map((directory) => join(directory, file)), ...candidates].find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
