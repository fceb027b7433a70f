import { NumberList } from "./number-list.js";

/** Direct jumps as rows of numbers. */
export class JumpList {
  readonly #rows = new NumberList();

  add(from: number, to: number, conditional: boolean): void {
    this.#rows.push(from);
    this.#rows.push(to);
    this.#rows.push(conditional ? 1 : 0);
  }

  forEach(visit: (from: number, to: number, conditional: boolean) => void): void {
    for (let row = 0; row < this.#rows.length; row += 3) {
      visit(this.#rows.get(row), this.#rows.get(row + 1), this.#rows.get(row + 2) === 1);
    }
  }
}
