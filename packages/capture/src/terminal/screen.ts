import headless from "@xterm/headless";
import { escapeUntrusted, type RenderedFrame } from "@rea/core";
import type { Redactor } from "../sensitive/redactor.js";

type Emulator = InstanceType<typeof headless.Terminal>;
type BufferLine = NonNullable<ReturnType<Emulator["buffer"]["active"]["getLine"]>>;

export interface ScreenOptions {
  readonly columns: number;
  readonly rows: number;
  readonly scrollback: number;
  readonly redactor: Redactor;
  /** What the terminal answers to questions of the program, as a terminal does. */
  readonly reply: (data: string) => void;
}

/** What a screen shows, without the moment and the reason it is looked at. */
export type Screenshot = Pick<RenderedFrame, "columns" | "rows" | "cursor" | "buffer" | "lines">;

/** Lines above the visible ones that a hidden value may begin in. */
const linesAbove = 64;

/** The screen a person would see: an emulated terminal that is told everything the program writes. */
export class Screen {
  readonly #emulator: Emulator;
  readonly #options: ScreenOptions;

  constructor(options: ScreenOptions) {
    const { columns: cols, rows, scrollback } = options;
    this.#options = options;
    this.#emulator = new headless.Terminal({ cols, rows, scrollback, allowProposedApi: true, logLevel: "off" });
    this.#emulator.onData(options.reply);
  }

  write(bytes: Uint8Array, drawn?: () => void): void {
    this.#emulator.write(bytes, drawn);
  }

  /** Settles when everything written so far is drawn. */
  drawn(): Promise<void> {
    return new Promise((resolve) => this.#emulator.write("", resolve));
  }

  resize({ columns, rows }: { readonly columns: number; readonly rows: number }): void {
    this.#emulator.resize(columns, rows);
  }

  /** What is shown once everything written so far is drawn; hidden values are covered, also across the ends of lines. */
  async look(): Promise<Screenshot> {
    await this.drawn();
    const { cols: columns, rows, buffer } = this.#emulator;
    const { active } = buffer;
    const { redactor } = this.#options;
    const top = Math.max(0, active.baseY - linesAbove);
    const lines = Array.from({ length: active.baseY + rows - top }, (_, index) => active.getLine(top + index));
    const texts = lines.map((line) => line?.translateToString(false) ?? " ".repeat(columns));
    const shown = holds(texts, redactor) ? coveredLines(lines, columns, redactor) : texts;
    return {
      columns,
      rows,
      cursor: { column: active.cursorX, row: active.cursorY },
      buffer: active.type,
      lines: shown.slice(active.baseY - top).map((line) => escapeUntrusted(line.trimEnd())),
    };
  }

  close(): void {
    this.#emulator.dispose();
  }
}

/** Whether a hidden value stands anywhere, read as `cover` reads. */
function holds(texts: readonly string[], redactor: Redactor): boolean {
  if (redactor.values.length === 0) return false;
  return [texts, texts.map((text) => text.trimEnd())].some((read) => redactor.textHits(read.join("")).length > 0);
}

function coveredLines(lines: readonly (BufferLine | undefined)[], columns: number, redactor: Redactor): string[] {
  const all = lines.map((line) => cellsOf(line, columns));
  cover(all, redactor);
  return all.map((cells) => cells.join(""));
}

/** One text for each column; the second column of a wide character is empty. */
function cellsOf(line: BufferLine | undefined, columns: number): string[] {
  return Array.from({ length: columns }, (_, column) => {
    const cell = line?.getCell(column);
    if (cell === undefined) return " ";
    return cell.getWidth() === 0 ? "" : cell.getChars() || " ";
  });
}

/**
 * Puts aliases over hidden values. Lines are read on into the next one whether the terminal broke them or the program did;
 * blanks at the end of a line are passed over as well, as a wide character that has no room leaves one.
 */
function cover(lines: readonly string[][], redactor: Redactor): void {
  for (const trims of [false, true]) {
    const cells = lines.flatMap((line, row) => {
      const length = trims ? line.findLastIndex((cell) => cell.trim() !== "") + 1 : line.length;
      return line.slice(0, length).map((text, column) => ({ text, row, column }));
    });
    coverCells(lines, cells, redactor.textHits(cells.map(({ text }) => text).join("")));
  }
}

interface Cell {
  readonly text: string;
  readonly row: number;
  readonly column: number;
}

function coverCells(lines: readonly string[][], cells: readonly Cell[], hits: ReturnType<Redactor["textHits"]>): void {
  let at = 0;
  let next = 0;
  let used = 0;
  for (const { text, row, column } of cells) {
    while (at >= (hits[next]?.end ?? Infinity)) {
      next += 1;
      used = 0;
    }
    const hit = hits[next];
    if (hit === undefined) return;
    const line = lines[row];
    if (at + text.length > hit.start && text !== "" && line !== undefined) {
      line[column] = hit.alias[used] ?? "*";
      used += 1;
    }
    at += text.length;
  }
}
