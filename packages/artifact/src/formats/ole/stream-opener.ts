import type { ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import type { Entry, EntryContent, EntryName, Unavailable } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import { sourceStream } from "../../reading/source-stream.js";
import { ChainSource } from "./chain-source.js";
import type { DirectoryEntry } from "./directory.js";
import { owner, type Chain, type SectorTable } from "./sector-table.js";
import { piecesOf, readable, type SmallSectors } from "./small-sectors.js";

export interface OpenerOptions {
  readonly table: SectorTable;
  readonly small: SmallSectors;
  readonly findings: FindingReport;
  /** Streams below this size lie in small sectors. */
  readonly miniCutoff: number;
}

export interface OpenedStream {
  readonly content: EntryContent | Unavailable;
  readonly location: Entry["location"];
}

interface FoundStream {
  readonly source: ChainSource;
  /** Why the stream is not whole; a sentence of ours. */
  readonly broken: string | undefined;
  readonly shared: number;
  readonly surplus: number;
  /** Where it starts in the file. */
  readonly offset: number | undefined;
  readonly limited: boolean;
  /** What stands behind the stream's end in its last sector. */
  readonly slack: () => Uint8Array;
}

const reasons: { readonly [B in NonNullable<Chain["broken"]>]: string } = {
  loop: "The chain of the stream's sectors leads back to itself.",
  outside: "The chain of the stream's sectors leads out of the file.",
  short: "The chain of the stream's sectors ends before the stream does.",
  limit: "The chains of all streams together are longer than is followed.",
};

/** Finds the bytes of streams. */
export class StreamOpener {
  readonly #options: OpenerOptions;

  constructor(options: OpenerOptions) {
    this.#options = options;
  }

  open(entry: DirectoryEntry, name: EntryName): OpenedStream {
    if (entry.bytes === 0) return { content: { stream: () => nothing(), whole: () => new Uint8Array(0) }, location: null };
    const found = entry.bytes < this.#options.miniCutoff ? this.#small(entry) : this.#large(entry);
    this.#tell(found, name);
    if (found.broken === undefined) this.#tellOfSlack(found, name);
    const location = found.offset === undefined ? null : { offset: found.offset, length: Math.min(entry.bytes, this.#options.table.source.size - found.offset) };
    if (found.limited) return { content: { reason: "limit", why: reasons.limit }, location };
    return { content: found.broken === undefined ? wholeContent(found.source) : brokenContent(found.source, found.broken), location };
  }

  #large(entry: DirectoryEntry): FoundStream {
    const { table } = this.#options;
    const { sectors, broken, shared, surplus } = table.chain(entry.start, Math.ceil(entry.bytes / table.sectorBytes), owner.stream);
    const size = Math.min(entry.bytes, readable(table, sectors));
    const cut = size < entry.bytes ? "The file ends inside the stream." : undefined;
    const first = sectors[0];
    return {
      source: new ChainSource(table.source, piecesOf(table, sectors), size),
      broken: broken === undefined ? cut : reasons[broken],
      shared,
      surplus,
      offset: first === undefined ? undefined : table.offset(first),
      limited: broken === "limit",
      slack: () => slackOf(table.source, { last: table.offset(sectors.at(-1) ?? 0), sectorBytes: table.sectorBytes, bytes: entry.bytes }),
    };
  }

  #small(entry: DirectoryEntry): FoundStream {
    const { small } = this.#options;
    const { sectors, broken, shared } = small.chain(entry.start, Math.ceil(entry.bytes / small.sectorBytes));
    const pieces = { pieceBytes: small.sectorBytes, numbers: sectors, offset: (sector: number) => sector * small.sectorBytes };
    const size = Math.min(entry.bytes, sectors.length * small.sectorBytes);
    return {
      source: new ChainSource(small.source, pieces, size),
      broken: broken ? "The chain of the stream's small sectors ends before the stream does." : undefined,
      shared,
      surplus: 0,
      offset: undefined,
      limited: false,
      slack: () => slackOf(small.source, { last: (sectors.at(-1) ?? 0) * small.sectorBytes, sectorBytes: small.sectorBytes, bytes: entry.bytes }),
    };
  }

  #tellOfSlack({ slack, offset }: FoundStream, name: EntryName): void {
    const bytes = slack();
    if (!bytes.some((byte) => byte !== 0)) return;
    const detail = `${String(bytes.byteLength)} bytes behind the stream's end in its last sector are not empty.`;
    this.#options.findings.add({ anomaly: "gap", offset: offset ?? null, detail, effect: "No reader of the file shows these bytes; they are what was written there before, or hidden." }, name);
  }

  #tell({ shared, surplus, offset }: FoundStream, name: EntryName): void {
    const { findings } = this.#options;
    if (shared > 0) {
      const detail = `${String(shared)} sectors of the stream belong to something else as well.`;
      findings.add({ anomaly: "overlap", offset: offset ?? null, detail, effect: "Readers show the same bytes as parts of several streams; writers never do this." }, name);
    }
    if (surplus > 0) {
      const detail = `${String(surplus)} sectors stand in the stream's chain behind its declared size.`;
      findings.add({ anomaly: "size_mismatch", offset: offset ?? null, detail, effect: "Readers that trust the size do not show them, readers of chains do." }, name);
    }
  }
}

function slackOf(source: ByteSource, { last, sectorBytes, bytes }: { readonly last: number; readonly sectorBytes: number; readonly bytes: number }): Uint8Array {
  const used = bytes % sectorBytes;
  if (used === 0) return new Uint8Array(0);
  const at = last + used;
  return source.read(at, Math.max(0, Math.min(sectorBytes - used, source.size - at)));
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {
  // A stream of no bytes.
}

function wholeContent(source: ChainSource): EntryContent {
  return {
    stream: () => sourceStream(source),
    random: () => ({ size: source.size, read: (offset, length) => source.read(offset, length), close: () => undefined }),
  };
}

function brokenContent(source: ChainSource, why: string): EntryContent {
  return {
    stream: async function* () {
      yield* sourceStream(source);
      throw brokenData(why);
    },
  };
}
