import { contentStates, type BlockCheck, type DigestAnswer, type SlicesAnswer } from "../pool/reading-job.js";
import { noDigests, type Fetched } from "../reading/fetched.js";

/** One content of several that were read together; undefined where it was not as described. */
export function sliceFetched({ contents, facts, sha256, crc32 }: SlicesAnswer, at: number, hasCrc: boolean): Fetched | undefined {
  if (facts[at * 2] !== contentStates.read) return undefined;
  const content = contents.subarray(at === 0 ? 0 : facts[at * 2 - 1], facts[at * 2 + 1]);
  return {
    bytes: content.byteLength,
    sha256: sha256.slice(at * 64, at * 64 + 64),
    crc32: hasCrc ? crc32[at] : undefined,
    content,
    head: content,
    digests: noDigests,
    blocks: noDigests,
  };
}

/** A content of which only the first bytes were kept. */
export function digestFetched({ bytes, sha256, crc32, head, digests, blocks: seen }: DigestAnswer, blocks: readonly BlockCheck[]): Fetched {
  return { bytes, sha256, crc32, content: undefined, head, digests: new Map(digests), blocks: new Map(blocks.map((check, at) => [check, seen[at]] as const)) };
}
