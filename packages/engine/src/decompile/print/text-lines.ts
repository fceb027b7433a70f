/** Lines of text with the instructions each stands for. */
export interface TextLine {
  readonly text: string;
  /** RVAs of instructions. */
  readonly at: readonly number[];
}

/** Collects indented lines. */
export class TextLines {
  readonly lines: TextLine[] = [];
  #depth = 0;

  add(text: string, at: readonly number[] = []): void {
    this.lines.push({ text: text === "" ? "" : "  ".repeat(this.#depth) + text, at: at.filter((rva) => rva >= 0) });
  }

  /** Lines one step further in. */
  within(write: () => void): void {
    this.#depth += 1;
    write();
    this.#depth -= 1;
  }

  /** A label stands further out than what follows. */
  label(text: string): void {
    this.#depth -= 1;
    this.add(text);
    this.#depth += 1;
  }
}
