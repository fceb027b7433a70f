import type { StreamDecoder } from "../../codecs/reader-codec.js";
import type { DeclaredCheck, Entry, EntryName, ReaderInput } from "../../format.js";
import type { SequentialReader } from "../../reading/sequential-reader.js";
import { leftover } from "../sequential/leftover.js";

/** Data that is one stream of a compressor, or several one after another. */
export interface CompressedData {
  readonly name: EntryName;
  readonly declaredBytes: number | null;
  readonly checks: readonly DeclaredCheck[];
  /** Decodes one stream and leaves the reader behind it. */
  readonly decode: StreamDecoder;
  /** True when another stream starts with these bytes. */
  readonly starts: (bytes: Uint8Array) => boolean;
  /** Takes what may stand between streams; called behind each. */
  readonly skipPadding?: (reader: SequentialReader) => Promise<void>;
  readonly lateChecks?: () => readonly DeclaredCheck[];
}

const startBytes = 16;

/**
 * The one member of a compressed file: its streams joined. Behind it, what no stream starts with is reported as
 * trailing data. The member must be read before that is known.
 */
export async function* compressedMember(reader: SequentialReader, input: ReaderInput, data: CompressedData): AsyncGenerator<Entry, void, undefined> {
  const start = reader.position;
  let streams = 0;
  let complete = false;
  async function* stream(): AsyncGenerator<Uint8Array, void, undefined> {
    do {
      yield* data.decode(reader, { signal: input.signal });
      streams += 1;
      await data.skipPadding?.(reader);
    } while (data.starts(await reader.peek(startBytes)));
    complete = true;
  }
  yield {
    name: data.name,
    kind: "file",
    declaredBytes: data.declaredBytes,
    compressedBytes: null,
    location: null,
    encrypted: false,
    linkTarget: null,
    executable: null,
    checks: data.checks,
    limitations: [],
    content: {
      stream,
      inputBytes: () => reader.position - start,
      ...(data.lateChecks === undefined ? {} : { lateChecks: data.lateChecks }),
    },
  };
  if (!complete) return;
  if (streams > 1) reportStreams(input, streams);
  await leftover(reader, input, "the compressed data");
}

function reportStreams(input: ReaderInput, streams: number): void {
  input.report.anomaly({
    anomaly: "concatenated_archive",
    offset: null,
    detail: `The data is ${String(streams)} compressed streams one after another; all were read as one content.`,
    effect: "Readers that stop behind the first stream see only a part.",
  });
}
