import type { ByteSource } from "@rea/core";
import type { DeclaredCheck, Entry, EntryContent, EntryName, ReaderInput, Unavailable } from "../../format.js";
import type { Finding } from "../../reading/finding-report.js";
import { runSource, type Run } from "../../reading/run-source.js";
import type { BlockTable, Chunk } from "./block-table.js";
import { ChunkStream, isReadable } from "./chunk-stream.js";
import { crc32Kind, crcOf, sectorBytes } from "./trailer.js";

/** Where the chunks of a table are read from. */
export interface DataFork {
  readonly source: ByteSource;
  /** Of the fork in the file. */
  readonly offset: number;
}

/** The entry of a partition, of which the table is read already. */
export function volumeEntry(name: EntryName, table: BlockTable, fork: DataFork, input: ReaderInput): Entry {
  const chunks = [...table.chunks].sort((a, b) => a.sector - b.sector);
  const bytes = table.sectors * sectorBytes;
  const isSized = Number.isSafeInteger(bytes);
  const stored = table.chunks.filter(isStored);
  const { content, checks, limitations } = opened(table, chunks, { fork, input });
  const first = stored.reduce((least, { offset }) => Math.min(least, offset), Number.POSITIVE_INFINITY);
  const last = stored.reduce((most, { offset, length }) => Math.max(most, offset + length), 0);
  return {
    name,
    kind: "volume",
    declaredBytes: isSized ? bytes : null,
    compressedBytes: null,
    location: Number.isSafeInteger(first) && Number.isSafeInteger(last) ? { offset: fork.offset + first, length: last - first } : null,
    encrypted: false,
    linkTarget: null,
    executable: null,
    checks: isSized ? [{ kind: "size", bytes }, ...checks] : checks,
    limitations,
    content,
  };
}

/** True for chunks that have bytes in the data fork. */
export function isStored({ kind, length }: Chunk): boolean {
  return kind !== "zero" && kind !== "ignore" && length > 0;
}

interface Opened {
  readonly content: EntryContent | Unavailable;
  readonly checks: readonly DeclaredCheck[];
  readonly limitations: readonly string[];
}

function opened(table: BlockTable, chunks: readonly Chunk[], { fork, input }: { readonly fork: DataFork; readonly input: ReaderInput }): Opened {
  const unknown = chunks.find(({ kind }) => !isReadable(kind));
  if (unknown !== undefined) {
    const number = typeof unknown.kind === "number" ? unknown.kind.toString(16) : "";
    return { content: { reason: "unsupported_method", why: `A chunk is of kind 0x${number}, which is not known.` }, checks: [], limitations: [] };
  }
  let stream = new ChunkStream(fork.source, chunks, input.signal);
  const content: EntryContent = {
    stream: () => {
      stream = new ChunkStream(fork.source, chunks, input.signal);
      return stream.pieces();
    },
    inputBytes: () => stream.inputBytes,
    ...plainly(chunks, table, fork.source),
  };
  const { kind } = table.checksum;
  const crc = crcOf(table.checksum);
  if (crc !== undefined) {
    const hex = crc.toString(16).padStart(8, "0");
    const observed = (): string => stream.crc.toString(16).padStart(8, "0");
    return { content, checks: [{ kind: "measured", measure: "crc32", hex, declaredBy: "The partition's table", observed }], limitations: [] };
  }
  const isForeign = kind !== 0 && kind !== crc32Kind;
  return { content, checks: [], limitations: isForeign ? ["The partition's checksum is of a kind that is not known and was not compared."] : [] };
}

const mostRuns = 100_000;

/** Partitions without compressed chunks lie plainly in the image. */
function plainly(chunks: readonly Chunk[], { sectors }: BlockTable, source: ByteSource): Pick<EntryContent, "random"> {
  const runs: Run[] = [];
  let sector = 0;
  for (const chunk of chunks) {
    const isPlain = (chunk.kind === "raw" && chunk.length === chunk.sectors * sectorBytes && chunk.offset + chunk.length <= source.size) || chunk.kind === "zero" || chunk.kind === "ignore";
    if (!isPlain || chunk.sector !== sector || runs.length >= mostRuns) return {};
    runs.push({ length: chunk.sectors * sectorBytes, from: chunk.kind === "raw" ? chunk.offset : undefined });
    sector += chunk.sectors;
  }
  if (sector !== sectors || !Number.isSafeInteger(sectors * sectorBytes)) return {};
  return { random: () => ({ ...runSource(source, runs, sectors * sectorBytes), close: () => undefined }) };
}

/** What the table says of its chunks that cannot all be true. */
export function tableFindings(table: BlockTable, room: number): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (anomaly: Finding["anomaly"], detail: string, effect: string): void => {
    findings.push({ anomaly, offset: null, detail, effect });
  };
  if (table.declaredChunks !== room) add("entry_count_mismatch", `The table declares ${String(table.declaredChunks)} chunks and has room for ${String(room)}.`, "Programs that trust the one and programs that trust the other read different chunks.");
  if (!table.hasEnd) add("missing_end_marker", "The table ends without the chunk that ends it.", "It may have been cut short.");
  if (table.behindEnd > 0) add("trailing_data", `${String(table.behindEnd)} chunks stand behind the one that ends the table.`, "Programs that stop there do not see them.");
  if (table.chunks.some((chunk, index, all) => index > 0 && chunk.sector < (all[index - 1]?.sector ?? 0))) {
    add("unordered_offsets", "The chunks do not stand in the order of their sectors.", "Programs that write chunks one after another get another volume.");
  }
  if (overlaps(table.chunks)) add("overlap", "Two chunks hold the same sectors.", "Which of them counts depends on the program.");
  if (hasHole(table.chunks)) add("gap", "Sectors between two chunks belong to neither.", "Programs that write chunks one after another get another volume.");
  return findings;
}

function overlaps(chunks: readonly Chunk[]): boolean {
  return bySector(chunks).some((chunk, index, all) => index > 0 && chunk.sector < endOf(all[index - 1]));
}

function hasHole(chunks: readonly Chunk[]): boolean {
  return bySector(chunks).some((chunk, index, all) => chunk.sector > (index === 0 ? 0 : endOf(all[index - 1])));
}

function bySector(chunks: readonly Chunk[]): readonly Chunk[] {
  return chunks.filter(({ sectors }) => sectors > 0).sort((a, b) => a.sector - b.sector);
}

function endOf(chunk: Chunk | undefined): number {
  return chunk === undefined ? 0 : chunk.sector + chunk.sectors;
}
