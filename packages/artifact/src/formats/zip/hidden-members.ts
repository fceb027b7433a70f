import type { Entry } from "../../format.js";
import { reportNameConflict } from "./central-member.js";
import { encryptionName } from "./encryption.js";
import { localExtent } from "./local-extent.js";
import { memberEntry } from "./member.js";
import { methodName } from "./methods.js";
import { memberName } from "./names.js";
import { recordPlaces } from "./record-search.js";
import { localHeader, type LocalHeader } from "./records.js";
import { flagBits, signatures } from "./signatures.js";
import type { ZipWalk } from "./zip-walk.js";

/** Bytes that no record of the directory lays claim to. */
export interface Unclaimed {
  readonly start: number;
  readonly end: number;
  /** A directory describes the other members, so that members here are hidden from its readers. */
  readonly directed: boolean;
  /** Told of each part that is no member either. */
  readonly leftOver: (start: number, end: number) => void;
  /** Told of records of the end of an archive. */
  readonly endRecord: (at: number) => void;
}

/** Members whose local headers stand in unclaimed bytes, in file order. */
export async function* hiddenMembers(walk: ZipWalk, range: Unclaimed): AsyncGenerator<Entry, void, undefined> {
  let clear = range.start;
  // Behind a member of unknown size the search goes on in its data, which is not left over.
  let inData = false;
  for await (const { at, signature } of recordPlaces(walk, range.start, range.end)) {
    if (at < clear) continue;
    if (signature === signatures.end) range.endRecord(at);
    if (signature !== signatures.local) continue;
    const local = localHeader(walk.front, at);
    if (local === undefined || !(at === clear || isCredible(local, range.end))) continue;
    if (at > clear && !inData) range.leftOver(clear, at);
    const hidden = await hiddenMember(walk, local, range);
    yield hidden.entry;
    clear = hidden.end;
    inData = hidden.open;
  }
  if (clear < range.end && !inData) range.leftOver(clear, range.end);
}

/** Bits no writer sets: 7 to 10 and 12 are unused, 14 and 15 reserved (APPNOTE 4.4.4). */
const unusedFlags = 0xd780;
const newestVersion = 63;

/** Whether bytes with a local header's signature amid others can be one. */
function isCredible(local: LocalHeader, end: number): boolean {
  return (
    local.name.byteLength > 0 &&
    local.dataOffset <= end &&
    (local.versionNeeded & 0xff) <= newestVersion &&
    (local.flags & unusedFlags) === 0 &&
    methodName(local.method) !== undefined
  );
}

interface Hidden {
  readonly entry: Entry;
  /** Where the search goes on. */
  readonly end: number;
  readonly open: boolean;
}

async function hiddenMember(walk: ZipWalk, local: LocalHeader, range: Unclaimed): Promise<Hidden> {
  const extent = await localExtent(walk, local, range.end);
  const named = memberName(local, walk.host);
  reportNameConflict(walk, local.at, named);
  if (range.directed) {
    const detail = "A local header with its data stands in the archive, and no record of the central directory points at it.";
    const effect = "Readers from the front unpack the member; readers of the directory do not see it.";
    walk.findings.add({ anomaly: "orphan_local_entry", offset: local.at, detail, effect }, named.name);
  }
  // What is cut off by the container's end is missing in the content, which its size and CRC-32 show.
  const held = Math.max(0, Math.min(extent.fields.compressedBytes, walk.source.size - local.dataOffset));
  const cut = held < extent.fields.compressedBytes;
  const entry = memberEntry(walk, {
    fields: { ...extent.fields, compressedBytes: held },
    central: undefined,
    named,
    flagged: encryptionName(local) !== undefined,
    dataOffset: local.dataOffset,
    open: extent.open,
    location: { offset: local.at, length: Math.min(extent.end, walk.source.size) - local.at },
    limitations: [
      "Only a local header describes this member: permissions and links are not known.",
      ...(extent.open ? ["Neither header nor descriptor tells its size."] : []),
      ...(cut ? ["The container ends before the member does."] : []),
      ...((local.flags & flagBits.masked) === 0 ? [] : ["The local header is masked because the directory is encrypted."]),
    ],
  });
  const end = extent.open ? local.dataOffset : extent.end;
  return { entry, end: Math.min(walk.source.size, end), open: extent.open };
}
