import { randomUUID } from "node:crypto";
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { escapeUntrusted } from "@rea/core";
import { printOut } from "./standard-output.js";

/** Where a command's result goes. Logs, prompts and progress go to standard error, never here. */
export interface Output {
  readonly terminal: boolean;
  readonly colour: boolean;
  readonly columns: number;
  write(text: string): void;
  /** After a success: writes what was collected to the file, if one was named; false, with a line on standard error, when it cannot. */
  finish(): boolean;
}

/** Standard output, or a file when one is named. */
export function openOutput(file: string | undefined): Output {
  if (file !== undefined) return fileOutput(file);
  const { stdout } = process;
  const terminal = stdout.isTTY === true;
  return {
    terminal,
    colour: terminal && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb",
    columns: terminal ? Math.max(40, stdout.columns) : 120,
    write: printOut,
    finish: () => true,
  };
}

function fileOutput(file: string): Output {
  const parts: string[] = [];
  return {
    terminal: false,
    colour: false,
    columns: 120,
    write: (text) => {
      parts.push(text);
    },
    finish: () => writeOutputFile(file, parts.join("")),
  };
}

/** Writes a result to a file; false, with a line on standard error, when that cannot be done. */
export function writeOutputFile(file: string, content: string | Uint8Array): boolean {
  try {
    replaceFile(file, content);
    return true;
  } catch (error) {
    process.stderr.write(`rea: ${couldNotBeWritten(file, error)}\n`);
    return false;
  }
}

/** What the system said of a file that was to be written, in a sentence. */
export function couldNotBeWritten(file: string, error: unknown): string {
  return `${escapeUntrusted(file)} could not be written: ${whyNot(error)}.`;
}

/** What the system said, and what to do about it. */
function whyNot(error: unknown): string {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "there is no room left for it. Make room, or name a file on another disk; what was there before is unchanged";
    case "EFBIG":
      return "it is larger than a file may be here. Name a file on another disk";
    case "ENOENT":
    case "ENOTDIR":
      return "its directory does not exist. Make it, or name another file";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "its directory may not be written to. Name a file in a writable directory";
    case "EISDIR":
    case "EEXIST":
      return "a directory has this name. Name a file";
    default:
      return `the system says ${code}. Name a file in a writable directory`;
  }
}

/** Complete or not at all, by a sibling file; what is no regular file, such as a device or a pipe, is written to as it is. */
function replaceFile(file: string, content: string | Uint8Array): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) {
    writeFileSync(file, content);
    return;
  }
  const place = stats === undefined ? file : realpathSync(file);
  const temporary = `${place}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: "wx", flush: true });
    renameSync(temporary, place);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** JSON as people read it on a terminal, as programs read it in a pipe. */
export function jsonText(value: unknown, terminal: boolean): string {
  return `${JSON.stringify(value, null, terminal ? 2 : undefined)}\n`;
}
