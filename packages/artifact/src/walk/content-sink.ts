import type { Place } from "./place.js";

/** Takes the bytes of a member as they are read. */
export interface ContentSink {
  begin(place: Place): MemberSink | undefined;
}

export interface MemberSink {
  write(piece: Uint8Array): void | Promise<void>;
  /** Takes a small content instead of its pieces; its memory is used for nothing else. */
  whole?(content: Uint8Array): void;
  /** `sha256` is undefined when the content was not read in full or disproved what was declared of it. */
  end(sha256: string | undefined): void | Promise<void>;
}
