import type { MemberSink } from "./content-sink.js";

/** Takes everything, for whoever watches it pass. */
export async function drain(pieces: AsyncIterable<Uint8Array>, sink?: MemberSink): Promise<void> {
  for await (const piece of pieces) await sink?.write(piece);
}

/** Passes the pieces on, and shows them to the sink first. */
export async function* tee(pieces: AsyncIterable<Uint8Array>, sink: MemberSink | undefined): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    if (sink !== undefined) await sink.write(piece);
    yield piece;
  }
}
