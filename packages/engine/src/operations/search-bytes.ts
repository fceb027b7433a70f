import { formatAddress, omission, pageOf, type OperationParams, type OperationResult } from "@rea/core";
import type { Section } from "@rea/binary";
import { findPattern, parseBytePattern, type BytePattern } from "../search/byte-pattern.js";
import type { SearchHits } from "../search/search-cache.js";
import { answer, type Answer } from "./answer.js";
import type { ImageQuery } from "./query.js";
import { shownName } from "./shown-text.js";

const maxHits = 100_000;
const chunkBytes = 1024 * 1024;

/** Where a byte pattern stands in the mapped bytes that the file stores; a match does not cross mappings. */
export function searchBytes(
  query: ImageQuery,
  params: OperationParams<"search_bytes">,
): Answer<OperationResult<"search_bytes">> {
  const pattern = parseBytePattern(params.pattern, "search_bytes");
  const hits = query.searches.get(`bytes ${pattern.join()}`, () => search(query, pattern));
  const show = (va: bigint) => hitItem(query, va);
  const found = hits.indices.map((index) => BigInt(index) + lowest(query));
  return answer(pageOf(found, params, show, hits.omissions), {
    limitations: ["Only bytes that the file stores for mapped addresses were searched."],
  });
}

/** Hits as distances from the lowest mapped address. */
function search(query: ImageQuery, pattern: BytePattern): SearchHits {
  const base = lowest(query);
  const indices: number[] = [];
  for (const { va, size } of query.memory.stored()) {
    for (let offset = 0; offset < size; offset += chunkBytes) {
      query.checkpoint();
      // Chunks overlap by the pattern less one byte, so that a match is found once, where it starts.
      const length = Math.min(chunkBytes + pattern.length - 1, size - offset);
      const start = va + BigInt(offset);
      for (const at of findPattern(query.memory.read(start, length).bytes, pattern)) {
        if (indices.length >= maxHits) return { indices, omissions: [tooMany()] };
        indices.push(Number(start - base) + at);
      }
    }
  }
  return { indices, omissions: [] };
}

function lowest({ memory }: ImageQuery): bigint {
  return memory.lowest ?? 0n;
}

function hitItem({ image, memory }: ImageQuery, va: bigint): OperationResult<"search_bytes">["items"][number] {
  const place = memory.place(va);
  const section = image.sections().items.find((item) => holds(item, va));
  return {
    address: formatAddress(va),
    file_offset: place.kind === "file" ? place.offset : 0,
    section: section === undefined ? null : shownName(section.name),
  };
}

function holds(section: Section, va: bigint): boolean {
  return section.va !== undefined && va >= section.va && va < section.va + section.virtualSize;
}

function tooMany() {
  const how_to_continue = "Use a longer pattern.";
  return omission("matches beyond the limit", "limit_items", { limit: maxHits, how_to_continue });
}
