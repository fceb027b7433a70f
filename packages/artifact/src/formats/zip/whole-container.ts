import type { Entry, EntryName } from "../../format.js";
import type { Extents } from "../../reading/extents.js";
import { hiddenMembers } from "./hidden-members.js";
import { memberName } from "./names.js";
import { centralRecord, localHeader } from "./records.js";
import { signatures } from "./signatures.js";
import type { ZipWalk } from "./zip-walk.js";

export interface Container {
  readonly extents: Extents;
  readonly earlyEnds: readonly { readonly at: number; readonly end: number }[];
  /** False when no directory describes the members. */
  readonly directed: boolean;
  /** The container starts amid a member of a split archive. */
  readonly continues: boolean;
  /** Where the archive ends by its end record, or the container's end. */
  readonly archiveEnd: number;
  readonly endRecord: (at: number) => void;
}

/**
 * Goes over the container from its front: bytes that nothing claims are searched for local headers and reported, bytes
 * that two claim are reported. Yields the members that only a local header tells of.
 */
export async function* wholeContainer(walk: ZipWalk, container: Container): AsyncGenerator<Entry, void, undefined> {
  let reached = 0;
  let owner = -1;
  let last: number | undefined;
  for (const { start, end, record } of container.extents.sorted()) {
    if (start > reached) yield* unclaimed(walk, container, { start: reached, end: start });
    else if (start < reached && end > start) reportOverlap(walk, { start, end: Math.min(end, reached), same: start === last, record: record < 0 ? owner : record });
    last = start;
    if (end > reached) owner = record;
    reached = Math.max(reached, end);
  }
  if (reached < walk.source.size) yield* unclaimed(walk, container, { start: reached, end: walk.source.size });
  yield* insideMembers(walk, container);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function unclaimed(walk: ZipWalk, container: Container, range: Range): AsyncGenerator<Entry, void, undefined> {
  return hiddenMembers(walk, {
    ...range,
    directed: container.directed,
    leftOver: (start, end) => {
      reportLeftOver(walk, container, { start, end });
    },
    endRecord: container.endRecord,
  });
}

function reportLeftOver(walk: ZipWalk, container: Container, { start, end }: Range): void {
  const bytes = String(end - start);
  if (start >= container.archiveEnd) {
    const detail = `${bytes} bytes stand behind the end of the archive${startsWith(walk, start)}.`;
    walk.findings.add({ anomaly: "trailing_data", offset: start, detail, effect: "Readers that want the end record at the end of the file find none; others pass over the bytes." });
  } else if (start === 0) {
    if (container.continues) return;
    const detail = `${bytes} bytes stand in front of the archive${startsWith(walk, start)}.`;
    walk.findings.add({ anomaly: "prefix_data", offset: 0, detail, effect: "Readers from the front see another file; readers of the directory see an archive." });
  } else {
    const detail = `${bytes} bytes belong to no member and no record${startsWith(walk, start)}.`;
    walk.findings.add({ anomaly: "gap", offset: start, detail, effect: "No reader of the archive shows these bytes." });
  }
}

const kinds: { readonly [signature: number]: string | undefined } = {
  [signatures.central]: ", starting with a record of a central directory",
  [signatures.end]: ", starting with an end record",
  [signatures.descriptor]: ", starting with a data descriptor",
  [signatures.zip64End]: ", starting with a zip64 end record",
  0: ", starting with zeros",
};

function startsWith(walk: ZipWalk, start: number): string {
  return kinds[walk.search.u32(start) ?? -1] ?? "";
}

interface Overlap extends Range {
  readonly same: boolean;
  readonly record: number;
}

function reportOverlap(walk: ZipWalk, { start, end, same, record }: Overlap): void {
  const detail = same
    ? `The local header and data at offset ${String(start)} serve more than one record.`
    : `Bytes ${String(start)} to ${String(end)} belong to more than one member or record.`;
  const effect = "The same bytes are read under several names, so contents are larger than the archive seems to hold.";
  walk.findings.add({ anomaly: "overlap", offset: start, detail, effect }, nameOfRecord(walk, record));
}

/** The name a central record gives; read again, because names of all members are not kept. */
function nameOfRecord(walk: ZipWalk, record: number): EntryName | undefined {
  const central = record < 0 ? undefined : centralRecord(walk.directory, record, walk.source.size);
  return central === undefined ? undefined : memberName(central, central.host).name;
}

/** Local headers that stand where a member's data ends by its own header, before its end by the directory. */
async function* insideMembers(walk: ZipWalk, container: Container): AsyncGenerator<Entry, void, undefined> {
  if (container.earlyEnds.length === 0) return;
  const isKnown = container.extents.startLookup();
  let reached = 0;
  for (const { at, end } of [...container.earlyEnds].sort((a, b) => a.at - b.at)) {
    if (at < reached || isKnown(at) || localHeader(walk.front, at) === undefined) continue;
    reached = end;
    yield* hiddenMembers(walk, { start: at, end, directed: container.directed, leftOver: () => undefined, endRecord: () => undefined });
  }
}
