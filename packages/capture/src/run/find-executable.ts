import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { ReaError } from "@rea/core";
import { scenarioRefusal } from "./scenario-refusal.js";

/** Absolute path of the program: as it is given, or the first one of this name in PATH. */
export function findExecutable(executable: string, path: string | undefined): string {
  if (isAbsolute(executable)) return executable;
  if (/[\\/]/.test(executable)) {
    throw scenarioRefusal([{ path: "scenario.executable", reason: "invalid_format", expected: "an absolute path, or a name without a slash" }]);
  }
  const directories = (path ?? "").split(delimiter).filter((directory) => isAbsolute(directory));
  const found = directories.map((directory) => join(directory, executable)).find(isProgram);
  if (found !== undefined) return found;
  throw new ReaError("target_unavailable", {
    message: "The scenario's executable is in no directory of the program's PATH. Give its absolute path.",
    details: { reason: "missing" },
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
