import { setImmediate as turn } from "node:timers/promises";
import { omission, throwIfAborted } from "@rea/core";
import type { Entry } from "../../format.js";
import { centralMember, type DirectoryBase } from "./central-member.js";
import type { ChosenDirectory, DirectoryPlace } from "./directory-place.js";
import type { EndRecord } from "./end-record.js";
import type { Extents } from "../../reading/extents.js";
import { centralRecord } from "./records.js";
import { directorySignature } from "./special-parts.js";
import type { ZipWalk } from "./zip-walk.js";

/** What reading the directory leaves for the look at the whole container. */
export interface DirectoryResult {
  readonly extents: Extents;
  /** Places where data ends early by the local header, with the end by the directory. */
  readonly earlyEnds: { readonly at: number; readonly end: number }[];
}

const membersATurn = 512;
const earlyEndsKept = 10_000;

/** The members of the central directory, in its order. */
export async function* directoryMembers(
  walk: ZipWalk,
  { record, place }: ChosenDirectory & { readonly place: DirectoryPlace },
  result: DirectoryResult,
): AsyncGenerator<Entry, void, undefined> {
  const limit = record.zip64?.at ?? record.at;
  const base: DirectoryBase = { bias: place.bias, disk: record.fields.disk };
  let at = place.start;
  let count = 0;
  for (let central = centralRecord(walk.directory, at, limit); central !== undefined; central = centralRecord(walk.directory, at, limit)) {
    if (count === 0) walk.host = central.host;
    const member = centralMember(walk, central, base);
    if (member.extent !== undefined) result.extents.add(member.extent.start, member.extent.end, central.at);
    if (member.earlyEnd !== undefined && member.extent !== undefined && result.earlyEnds.length < earlyEndsKept) {
      result.earlyEnds.push({ at: member.earlyEnd, end: member.extent.end });
    }
    at = central.end;
    count += 1;
    yield member.entry;
    throwIfAborted(walk.input.signal, "zip_directory");
    if (count % membersATurn === 0) await turn();
  }
  const end = endOfDirectory(walk, at, limit);
  result.extents.add(place.start, Math.max(end, place.start), -1);
  reportDirectoryEnd(walk, { record, place, end, count });
}

function endOfDirectory(walk: ZipWalk, at: number, limit: number): number {
  const signature = directorySignature(walk.directory, at, limit);
  if (signature === undefined) return at;
  walk.input.report.part({ part: "digital signature of the directory", offset: at, length: signature.end - at });
  return signature.end;
}

interface DirectoryEnd {
  readonly record: EndRecord;
  readonly place: DirectoryPlace;
  readonly end: number;
  readonly count: number;
}

function reportDirectoryEnd(walk: ZipWalk, { record, place, end, count }: DirectoryEnd): void {
  const declared = record.fields.entries;
  if (end < place.end) {
    const scope = `The central directory breaks off at offset ${String(end)} of the container, ${String(place.end - end)} bytes before its declared end.`;
    walk.input.report.omission(omission(scope, "malformed"));
  } else if (end > place.end) {
    const detail = `The central directory goes on for ${String(end - place.end)} bytes behind its declared end.`;
    walk.findings.add({ anomaly: "header_size_mismatch", offset: place.end, detail, effect: "Readers that stop at the declared end miss members." });
  }
  if (declared === count) return;
  const wrapped = record.zip64 === undefined && declared === count % 65_536;
  const detail = wrapped
    ? `The end record counts ${String(declared)} members, the directory has ${String(count)}: the counter of 16 bits ran over.`
    : `The end record counts ${String(declared)} members, the directory has ${String(count)}.`;
  walk.findings.add({ anomaly: "entry_count_mismatch", offset: record.at, detail, effect: "Readers that go by the count list fewer members, or refuse." });
}
