import { crc32 } from "node:zlib";
import { throwIfAborted, type ByteSource } from "@rea/core";
import { brokenData } from "../../codecs/broken-data.js";
import { bufferOf } from "../../reading/piece-window.js";
import { FileList } from "./file-list.js";
import { FolderOutput, type FolderNotes } from "./folder-output.js";
import { planFolder } from "./folder-plan.js";
import { HeaderBytes } from "./header-bytes.js";
import { property, Streams } from "./streams.js";

/** Lists of members up to this size are read: about half a million members. */
const longestHeader = 128 * 1024 * 1024;
/** A packed header may itself be packed; no writer does that more than once. */
const mostLayers = 4;

export interface ArchiveHeader {
  readonly streams: Streams | undefined;
  readonly files: FileList | undefined;
  /** Sentences about what was odd. */
  readonly problems: readonly string[];
  /** Why the list of members cannot be read: it is encrypted, packed in an unknown way, or too large. */
  readonly closed: { readonly reason: "encrypted" | "unsupported_method" | "limit_items"; readonly why: string } | undefined;
}

export interface HeaderPlace {
  readonly source: ByteSource;
  /** Where packed streams count from. */
  readonly start: number;
  readonly offset: number;
  readonly length: number;
  readonly signal: AbortSignal;
  readonly notes: FolderNotes;
  /** Told of the packed streams that hold a packed header. */
  readonly onPacked: (streams: Streams) => void;
}

/** Reads the list of members; throws `artifact_operation_failed` (reason `format`) where it is damaged. */
export async function readArchiveHeader(place: HeaderPlace): Promise<ArchiveHeader> {
  if (place.length > longestHeader) return closed("limit_items", `The list of members takes ${String(place.length)} bytes, more than the ${String(longestHeader)} read.`);
  let bytes = Buffer.from(bufferOf(place.source.read(place.offset, place.length)));
  for (let layer = 0; layer <= mostLayers; layer += 1) {
    throwIfAborted(place.signal, "sevenzip_header");
    const header = new HeaderBytes(bytes);
    const kind = header.number();
    if (kind === property.header) return readMembers(header);
    if (kind !== property.encodedHeader) throw brokenData("The list of members starts with a mark that means nothing.");
    const unpacked = await unpackHeader(place, new Streams(header));
    if ("closed" in unpacked) return unpacked;
    bytes = unpacked;
  }
  throw brokenData("The list of members is packed more often than any writer does.");
}

function closed(reason: "encrypted" | "unsupported_method" | "limit_items", why: string): ArchiveHeader {
  return { streams: undefined, files: undefined, problems: [], closed: { reason, why } };
}

function readMembers(header: HeaderBytes): ArchiveHeader {
  let id = header.number();
  if (id === property.archiveProperties) {
    for (let inner = header.number(); inner !== property.end; inner = header.number()) header.take(header.number());
    id = header.number();
  }
  if (id === property.additionalStreams) {
    new Streams(header);
    id = header.number();
  }
  const problems: string[] = [];
  let streams: Streams | undefined;
  if (id === property.mainStreams) {
    streams = new Streams(header);
    id = header.number();
  }
  let files: FileList | undefined;
  if (id === property.files) {
    files = new FileList(header);
    problems.push(...files.problems);
    id = header.number();
  }
  if (id !== property.end) problems.push("The list of members does not end with its end mark.");
  else if (header.left > 0) problems.push(`${String(header.left)} bytes stand behind the end of the list of members.`);
  return { streams, files, problems, closed: undefined };
}

async function unpackHeader(place: HeaderPlace, streams: Streams): Promise<Buffer<ArrayBuffer> | ArchiveHeader> {
  if (streams.folderCount !== 1) throw brokenData("The packed list of members is not one folder.");
  place.onPacked(streams);
  const plan = planFolder(streams, 0, { start: place.start, size: place.source.size });
  if (plan.problem?.reason === "encrypted") return closed("encrypted", "The list of members is encrypted.");
  if (plan.problem?.reason === "unsupported_method") return closed("unsupported_method", "The list of members is packed by a method that is not decoded.");
  if (plan.problem !== undefined) throw brokenData(plan.problem.why);
  if (plan.plainBytes > longestHeader) return closed("limit_items", `The list of members unpacks to ${String(plan.plainBytes)} bytes, more than the ${String(longestHeader)} read.`);
  const output = new FolderOutput({ ...place, streams }, plan, place.notes);
  try {
    const bytes = Buffer.from(await output.reader.exactly(plan.plainBytes));
    await output.reader.atEnd();
    const declared = streams.memberDigests[0] ?? -1;
    if (declared >= 0 && streams.folderDigests[0] === -1 && declared !== crc32(bytes)) throw brokenData("The CRC-32 of the packed list of members does not hold.");
    return bytes;
  } finally {
    await output.close();
  }
}
