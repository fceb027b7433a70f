import type { ProgressUpdate } from "@rea/core";

const quietMs = 1_000;
const endings: ReadonlySet<string> = new Set(["done", "failed"]);

/** Shows progress on standard error for work that takes over a second: one line, rewritten on a terminal. */
export class ProgressLine {
  readonly #started = Date.now();
  readonly #terminal = process.stderr.isTTY === true;
  #shown = false;
  #last = "";

  report(update: ProgressUpdate): void {
    // How a call ended is told by its result; a failed part of a page is no news of its own.
    if (endings.has(update.phase) || Date.now() - this.#started < quietMs) return;
    const text = lineOf(update);
    if (text === this.#last) return;
    if (!this.#terminal && phaseOf(text) === phaseOf(this.#last)) return;
    this.#last = text;
    this.#shown = true;
    process.stderr.write(this.#terminal ? `\r\u001B[2K${text}` : `${text}\n`);
  }

  clear(): void {
    if (this.#shown && this.#terminal) process.stderr.write("\r\u001B[2K");
    this.#shown = false;
  }
}

function lineOf(update: ProgressUpdate): string {
  const share = update.total === undefined || update.total === 0 ? "" : ` ${Math.floor((100 * update.completed) / update.total)} %`;
  return `${update.message}${share}`;
}

function phaseOf(line: string): string {
  return line.replace(/[0-9]+( %)?/g, "");
}
