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
    finish: () => {
      try {
        replaceFile(file, parts.join(""));
        return true;
      } catch {
        process.stderr.write(`rea: ${escapeUntrusted(file)} could not be written. Name a file in a writable directory.\n`);
        return false;
      }
    },
  };
}

/** Complete or not at all, by a sibling file; what is no regular file, such as a device or a pipe, is written to as it is. */
function replaceFile(file: string, text: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) {
    writeFileSync(file, text);
    return;
  }
  const place = stats === undefined ? file : realpathSync(file);
  const temporary = `${place}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(temporary, place);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** JSON as people read it on a terminal, as programs read it in a pipe. */
export function jsonText(value: unknown, terminal: boolean): string {
  return `${JSON.stringify(value, null, terminal ? 2 : undefined)}\n`;
}
