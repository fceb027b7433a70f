import type { ProcessCapture } from "@rea/core";
import { ShownSequences } from "./shown-sequences.js";

/** A piece of output to be shown at a time. */
export interface PlayedFrame {
  readonly atMs: number;
  readonly text: string;
}

/** The output of a capture as a terminal may be shown it, in order and at its times. */
export function* playedFrames({ frames }: Pick<ProcessCapture, "frames">): Generator<PlayedFrame> {
  const decoder = new TextDecoder();
  const filter = new ShownSequences();
  for (const { at_ms, data_base64 } of frames) {
    const text = filter.take(decoder.decode(Buffer.from(data_base64, "base64"), { stream: true }));
    if (text !== "") yield { atMs: at_ms, text };
  }
}
