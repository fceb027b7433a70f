import { isUnavailable, type Entry } from "../../format.js";
import { sourceStream } from "../../reading/source-stream.js";
import { streamedThrough } from "../../reading/tar/streamed-through.js";
import { TarStreamPass } from "../../reading/tar/tar-stream-pass.js";
import type { ExpectedMember, TarStretch } from "../../reading/tar/tar-stretch.js";
import type { EntryContext } from "./entry-context.js";

interface OrdinaryMember {
  readonly entry: Entry;
  readonly expected: ExpectedMember;
  /** Its headers as they stand, with their padding, where no source has them. */
  readonly raw: readonly Uint8Array[];
  readonly start: number;
  readonly dataStart: number;
  readonly end: number;
}

/**
 * An ordinary member, whose content tar-stream streams. Of an archive that passes once, members without content are shown
 * to it here.
 */
export async function streamedMember({ reader, findings, library }: EntryContext, { entry, expected, raw, start, dataStart, end }: OrdinaryMember): Promise<Entry> {
  const { source } = reader;
  const disagrees = (how: string): void =>
    findings.add(
      {
        anomaly: "ambiguous_header",
        offset: start,
        detail: `tar-stream, a second reader that streams what is ordinary by its headers, ${how}; the first reading counts.`,
        effect: "Readers differ in what this member is.",
      },
      entry.name,
    );
  const stretch: TarStretch = { source, start, dataStart, bytes: expected.bytes, end, expected, disagrees };
  const { content } = entry;
  if (content !== null && isUnavailable(content)) return entry;
  if (source !== undefined) {
    if (content === null) return { ...entry, stretch };
    return { ...entry, stretch: { ...stretch, alone: () => content.stream() }, content: { ...content, stream: () => fromSource(stretch, source) } };
  }
  if (content !== null) return { ...entry, content: { ...content, stream: () => asItPasses(stretch, { raw, library, own: () => content.stream() }) } };
  for await (const piece of streamedThrough(await library(), stretch, { head: raw, pieces: [] })) void piece;
  return entry;
}

type Source = NonNullable<TarStretch["source"]>;

async function* fromSource(stretch: TarStretch, source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  const { start, dataStart, bytes } = stretch;
  const library = await TarStreamPass.load();
  try {
    yield* streamedThrough(library, stretch, { head: [source.read(start, dataStart - start)], pieces: sourceStream(source, dataStart, bytes) });
  } finally {
    library.close();
  }
}

interface Passing {
  readonly raw: readonly Uint8Array[];
  readonly library: () => Promise<TarStreamPass>;
  readonly own: () => AsyncIterable<Uint8Array>;
}

async function* asItPasses(stretch: TarStretch, { raw, library, own }: Passing): AsyncGenerator<Uint8Array, void, undefined> {
  yield* streamedThrough(await library(), stretch, { head: raw, pieces: own() });
}
