import { writeFileSync } from "node:fs";
import { escapeUntrusted } from "@rea/core";

/** Where a command's result goes. Logs, prompts and progress go to standard error, never here. */
export interface Output {
  readonly terminal: boolean;
  readonly colour: boolean;
  readonly columns: number;
  write(text: string): void;
  /** Writes what was collected to the file, if one was named; false, with a line on standard error, when it cannot. */
  finish(): boolean;
}

/** Standard output, or a file when one is named. A reader that has gone is not an error. */
export function openOutput(file: string | undefined): Output {
  if (file !== undefined) return fileOutput(file);
  const { stdout } = process;
  const terminal = stdout.isTTY === true;
  stdout.on("error", endQuietly);
  return {
    terminal,
    colour: terminal && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb",
    columns: terminal ? Math.max(40, stdout.columns) : 120,
    write: (text) => {
      stdout.write(text);
    },
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
        writeFileSync(file, parts.join(""), { mode: 0o600 });
        return true;
      } catch {
        process.stderr.write(`rea: ${escapeUntrusted(file)} could not be written. Name a file in a writable directory.\n`);
        return false;
      }
    },
  };
}

function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}

/** JSON as people read it on a terminal, as programs read it in a pipe. */
export function jsonText(value: unknown, terminal: boolean): string {
  return `${JSON.stringify(value, null, terminal ? 2 : undefined)}\n`;
}
