import type { Match } from "./match-log.js";

/**
 * Finds literals in a text that arrives in pieces, wherever it was cut. Every place where a literal begins is reported,
 * once, as soon as its last character is there.
 */
export class TextScanner {
  readonly #literals: readonly string[];
  readonly #kept: number;
  #tail = "";
  /** Position of each code unit of the tail. */
  #positions: number[] = [];

  constructor(literals: Iterable<string>) {
    this.#literals = [...new Set(literals)].filter((literal) => literal !== "");
    this.#kept = this.#literals.reduce((most, literal) => Math.max(most, literal.length - 1), 0);
  }

  /** `position` is that of the piece's first code unit; the others follow without gaps. */
  *feed(text: string, position: number): Generator<Match & { readonly literal: string }> {
    const before = this.#tail.length;
    const whole = this.#tail + text;
    const positionOf = (index: number): number => (index < before ? (this.#positions[index] ?? 0) : position + index - before);
    for (const literal of this.#literals) {
      const unseen = Math.max(0, before - literal.length + 1);
      for (let start = whole.indexOf(literal, unseen); start >= 0; start = whole.indexOf(literal, start + 1)) {
        yield { literal, start: positionOf(start), end: positionOf(start + literal.length - 1) + 1 };
      }
    }
    const from = Math.max(0, whole.length - this.#kept);
    this.#positions = Array.from({ length: whole.length - from }, (_, offset) => positionOf(from + offset));
    this.#tail = whole.slice(from);
  }
}
