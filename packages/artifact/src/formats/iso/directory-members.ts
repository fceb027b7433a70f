import { omission, throwIfAborted } from "@rea/core";
import { recordFlags, readRecord, type DirectoryRecord } from "./directory-record.js";
import type { TreeContext } from "./tree-context.js";
import { sectorBytes } from "./volume-descriptors.js";

const mostExtents = 10_000;

interface DirectoryPlace {
  readonly start: number;
  readonly bytes: number;
}

/** Records of a directory; those of one file with several extents together. `broken` is called for damage. */
export function* directoryMembers(place: DirectoryPlace, context: TreeContext, broken: () => void): Generator<readonly DirectoryRecord[], void, undefined> {
  let open: DirectoryRecord[] = [];
  for (const record of records(place, context, broken)) {
    const [first] = open;
    if (first !== undefined && Buffer.compare(first.identifier, record.identifier) !== 0) {
      unfinished(first, context);
      yield open;
      open = [];
    }
    open.push(record);
    if ((record.flags & recordFlags.more) !== 0 && open.length < mostExtents) continue;
    yield open;
    open = [];
  }
  const [first] = open;
  if (first === undefined) return;
  unfinished(first, context);
  yield open;
}

function* records({ start, bytes }: DirectoryPlace, context: TreeContext, broken: () => void): Generator<DirectoryRecord, void, undefined> {
  const { window, input } = context;
  const end = start + bytes;
  for (let at = start; at < end; ) {
    throwIfAborted(input.signal, "read_iso");
    const sectorEnd = Math.min(end, start + (Math.floor((at - start) / sectorBytes) + 1) * sectorBytes);
    const rest = Buffer.from(window.bytes(at, sectorEnd - at));
    if (rest[0] === 0) {
      hiddenBehind(rest, at, context);
      at = sectorEnd;
      continue;
    }
    const record = readRecord(rest, at);
    if (record === undefined) {
      broken();
      input.report.omission(omission("Records of a directory are damaged; those behind them in the sector were passed over.", "malformed", { count: 1 }));
      at = sectorEnd;
      continue;
    }
    yield record;
    at += record.length;
  }
}

/** A record of length 0 ends the sector; writers fill it with zeros. */
function hiddenBehind(rest: Buffer, at: number, { findings }: TreeContext): void {
  const from = rest.findIndex((byte) => byte !== 0);
  if (from < 0) return;
  const detail = "Bytes stand behind the end of the records in a directory's sector.";
  findings.add({ anomaly: "gap", offset: at + from, detail, effect: "No reader of the image shows these bytes." });
}

function unfinished({ at }: DirectoryRecord, { findings }: TreeContext): void {
  const detail = "A file declares a further extent, and none follows.";
  findings.add({ anomaly: "size_mismatch", offset: at, detail, effect: "Readers differ in whether the file is whole." });
}
