import type { Entry } from "../format.js";
import { AheadGroup, type AheadOptions } from "./ahead-group.js";

/** So much is read while the contents in front are looked at. */
const groupsAhead = 4;

/**
 * Passes entries on with their contents measured where that can be done ahead: entries are taken in groups that depend on
 * nothing but the entries, and each group is read while those in front of it are looked at. What the reader tells, and how
 * it fails, is heard where it would be without.
 */
export async function* fetchAhead(entries: AsyncIterable<Entry>, options: AheadOptions): AsyncGenerator<Entry, void, undefined> {
  const groups: AheadGroup[] = [];
  const reader = entries[Symbol.asyncIterator]();
  try {
    for (let ended = false; !ended || groups.length > 0; ) {
      while (!ended && groups.length <= groupsAhead) {
        const group = new AheadGroup(options);
        groups.push(group);
        ended = await group.fill(reader);
      }
      const [first] = groups;
      if (first === undefined) return;
      if (first.reading !== undefined) await first.reading;
      for (let entry = first.next(); entry !== undefined; entry = first.next()) yield entry;
      first.finish();
      groups.shift();
    }
  } finally {
    for (const group of groups) await group.discard();
    await reader.return?.();
  }
}
