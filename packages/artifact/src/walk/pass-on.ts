import { isUnavailable, type Entry } from "../format.js";
import { BoundReached, type ContentMeter } from "./content-meter.js";
import type { MemberSink } from "./content-sink.js";

/** Takes everything, up to a bound on this very content; a bound on what holds it is thrown on. */
export async function drain(pieces: AsyncIterable<Uint8Array>, meter: ContentMeter, into?: Pick<MemberSink, "write">): Promise<void> {
  try {
    for await (const piece of pieces) await into?.write(piece);
  } catch (error) {
    if (!(error instanceof BoundReached) || meter.stopped === undefined) throw error;
  }
}

/** Passes the pieces on, and shows them to the sink first. */
export async function* tee(pieces: AsyncIterable<Uint8Array>, sink: MemberSink | undefined): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    if (sink !== undefined) await sink.write(piece);
    yield piece;
  }
}

/** Lets go of what a member holds open. */
export function closeContent({ content }: Entry): void {
  if (content !== null && !isUnavailable(content)) content.close?.();
}
