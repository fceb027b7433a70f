import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Every program of this name in a PATH, in its order. Relative and empty entries are passed over: nothing relative is ever run. */
export function programsInPath(name: string, path = ""): readonly string[] {
  const suffixes = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  const directories = path.split(delimiter).filter((directory) => isAbsolute(directory));
  return directories.flatMap((directory) => suffixes.map((suffix) => join(directory, `${name}${suffix}`))).filter(isProgram);
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** What a command of a registration starts here: an absolute path as it is, a bare name by PATH; null for what is not there, or relative. */
export function resolveCommand(command: string, path: string | undefined): string | null {
  if (isAbsolute(command)) return isProgram(command) ? command : null;
  if (/[\\/]/.test(command)) return null;
  return programsInPath(command, path)[0] ?? null;
}
