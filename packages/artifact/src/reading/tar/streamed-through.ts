import type { TarStreamPass } from "./tar-stream-pass.js";
import { disagreement, type TarStretch } from "./tar-stretch.js";
import { Views } from "./views.js";

export interface MemberBytes {
  /** The member's headers. */
  readonly head: readonly Uint8Array[];
  /** What we call its content. */
  readonly pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const blockBytes = 512;

/**
 * The content of an ordinary member as the library streams it. Each piece comes from it when it is the very memory that was
 * written, and else, which is told, as it was written.
 */
export async function* streamedThrough(library: TarStreamPass, { bytes, expected, disagrees }: TarStretch, { head, pieces }: MemberBytes): AsyncGenerator<Uint8Array, void, undefined> {
  const views = new Views();
  let isWhole = false;
  library.begin((chunk) => views.add(chunk));
  try {
    for (const block of head) await library.write(block);
    for await (const piece of pieces) {
      views.expect(piece);
      await library.write(piece);
      await views.settled();
      yield* views.taken();
    }
    await library.write(new Uint8Array((blockBytes - (bytes % blockBytes)) % blockBytes));
    isWhole = true;
    const how = disagreement(expected, await library.end(), views.areSame(bytes));
    if (how !== undefined) disagrees(how);
  } finally {
    if (!isWhole) library.drop();
  }
}
