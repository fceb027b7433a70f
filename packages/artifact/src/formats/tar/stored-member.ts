import type { ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import type { EntryContent } from "../../format.js";
import { openedSlice } from "../../reading/file-runs.js";
import { runSource, type Run } from "../../reading/run-source.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { sourceStream } from "../../reading/source-stream.js";
import { storedContent } from "../sequential/stored-content.js";
import { sparseContent } from "./sparse-content.js";
import { storedLength, type SparseMap } from "./sparse-map.js";

/**
 * The content of a member whose data starts where the reader stands. Where the archive lies in a source it is read there,
 * at any time; else it must be read before the reader goes on.
 */
export function storedMember(reader: SequentialReader, length: number): EntryContent {
  const { source, position } = reader;
  if (source === undefined) return { stream: () => storedContent(reader, length) };
  if (position + length > source.size) return { stream: () => cutContent(source, position, length) };
  return { stream: () => sourceStream(source, position, length), random: () => openedSlice(source, position, length) };
}

/** As `storedMember`, for one with holes. */
export function sparseMember(reader: SequentialReader, map: SparseMap): EntryContent {
  const { source, position } = reader;
  if (source === undefined) return { stream: () => sparseContent(map, (length) => storedContent(reader, length)) };
  if (position + storedLength(map) > source.size) {
    let at = position;
    return {
      stream: () =>
        sparseContent(map, (length) => {
          at += length;
          return cutContent(source, at - length, length);
        }),
    };
  }
  const content = runSource(source, runsOf(map, position), map.realBytes);
  return { stream: () => sourceStream(content), random: () => openedSlice(content, 0, content.size) };
}

/** Data of which the end of the source may cut something off. */
async function* cutContent(source: ByteSource, start: number, length: number): AsyncGenerator<Uint8Array, void, undefined> {
  const there = Math.min(length, Math.max(0, source.size - start));
  yield* sourceStream(source, start, there);
  if (there < length) throw brokenData(`The archive ends ${String(length - there)} bytes before the end of a member.`, source.size);
}

function runsOf({ extents }: SparseMap, start: number): readonly Run[] {
  const runs: Run[] = [];
  let from = start;
  let at = 0;
  for (const { offset, length } of extents) {
    if (offset > at) runs.push({ from: undefined, length: offset - at });
    runs.push({ from, length });
    from += length;
    at = offset + length;
  }
  return runs;
}
