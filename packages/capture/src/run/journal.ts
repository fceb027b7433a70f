import type { JournalCollection, JournalEntry } from "@rea/core";

/** The one order of everything a capture holds: entries get their place as they come in. */
export class Journal {
  readonly #entries: JournalEntry[] = [];

  /** The place of the last entry; 0 before the first. */
  get last(): number {
    return this.#entries.length;
  }

  /** Puts an item at the end of its collection and of the journal. */
  push<T>(collection: JournalCollection, items: T[], item: T): void {
    this.add(collection, items.push(item) - 1);
  }

  add(collection: JournalCollection, index: number): void {
    this.#entries.push({ capture_order: this.#entries.length + 1, collection, index });
  }

  entries(): JournalEntry[] {
    return [...this.#entries];
  }
}
