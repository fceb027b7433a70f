import { isUnavailable, type Entry, type EntryContent } from "../format.js";
import { mostManifestBytes } from "./read-content.js";

/** Hands a small content on to somebody else as well when it is read. */
export function kept(entry: Entry, take: (bytes: Uint8Array) => void): Entry {
  const { content } = entry;
  if (content === null || isUnavailable(content) || (entry.declaredBytes ?? 0) > mostManifestBytes) return entry;
  // What is read ahead would not pass here.
  const { whole, random: _random, deflated: _deflated, fetched: _fetched, ...rest } = content;
  const shown: EntryContent = { ...rest, stream: () => passed(content.stream(), take) };
  if (whole === undefined) return { ...entry, content: shown };
  return {
    ...entry,
    content: {
      ...shown,
      whole: () => {
        const bytes = whole();
        if (bytes !== undefined) take(Uint8Array.prototype.slice.call(bytes));
        return bytes;
      },
    },
  };
}

async function* passed(pieces: AsyncIterable<Uint8Array>, take: (bytes: Uint8Array) => void): AsyncGenerator<Uint8Array, void, undefined> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes <= mostManifestBytes) held.push(Uint8Array.prototype.slice.call(piece));
    yield piece;
  }
  if (bytes <= mostManifestBytes) take(Buffer.concat(held));
}
