import type { Omission } from "@rea/core";

/** What a search found: positions in the list that was searched, and what was not searched. */
export interface SearchHits {
  readonly indices: readonly number[];
  readonly omissions: readonly Omission[];
}

const kept = 8;

/** Remembers the latest searches, so that the pages of one search do not each search again. */
export class SearchCache {
  readonly #hits = new Map<string, SearchHits>();

  get(key: string, search: () => SearchHits): SearchHits {
    const hits = this.#hits.get(key) ?? search();
    this.#hits.delete(key);
    this.#hits.set(key, hits);
    for (const oldest of this.#hits.keys()) {
      if (this.#hits.size <= kept) break;
      this.#hits.delete(oldest);
    }
    return hits;
  }
}
