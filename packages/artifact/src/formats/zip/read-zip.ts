import { omission, type ByteSource } from "@rea/core";
import type { Entry, ReaderInput } from "../../format.js";
import { directoryMembers, type DirectoryResult } from "./directory-members.js";
import { verifyApk } from "./apk/verify-apk.js";
import { directoryManifests } from "./directory-manifests.js";
import { chooseDirectory, type ChosenDirectory, type DirectoryPlace } from "./directory-place.js";
import { zip64Contradictions, type EndRecord } from "./end-record.js";
import { MemberDeclarations } from "../../integrity/member-declarations.js";
import { Extents } from "../../reading/extents.js";
import { apkSigningBlock, crxHeader, splitMarker, type PartRange } from "./special-parts.js";
import { wholeContainer } from "./whole-container.js";
import { startWalk, type ZipWalk } from "./zip-walk.js";

/**
 * Members of a ZIP archive (APPNOTE 6.3.10): those of the central directory in its order, then those that only have a
 * local header in file order. Every byte of the container is accounted for by then.
 */
export async function* readZip(source: ByteSource, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const walk = startWalk(source, input);
  try {
    yield* membersOf(walk);
  } finally {
    walk.findings.finish();
  }
}

async function* membersOf(walk: ZipWalk): AsyncGenerator<Entry, void, undefined> {
  const chosen = chooseDirectory(walk.directory, walk.input.signal);
  const result: DirectoryResult = { extents: new Extents(), earlyEnds: [] };
  const place = chosen?.place;
  if (chosen === undefined) reportNoEnd(walk);
  else reportEnd(walk, chosen, result.extents);
  const directed = chosen !== undefined && place !== undefined && !place.encrypted;
  const declarations = new MemberDeclarations(walk.input.report);
  if (directed) {
    await verifyPackage(walk, chosen.record, place);
    declarations.add(await directoryManifests(walk, { ...chosen, place }));
    for await (const entry of directoryMembers(walk, { ...chosen, place }, result)) yield declarations.entry(entry);
  }
  addParts(walk, result.extents, place);
  const archiveEnd = Math.min(chosen?.record.end ?? walk.source.size, walk.source.size);
  const others = new Set(chosen?.others);
  const hidden = wholeContainer(walk, {
    ...result,
    directed,
    archiveEnd,
    continues: (chosen?.record.fields.disk ?? 0) > 0,
    endRecord: (at) => {
      if (!others.has(at)) reportOtherEnd(walk, at);
    },
  });
  for await (const entry of hidden) yield declarations.entry(entry);
  declarations.finish();
}

/** What a signing block declares is of the whole package, so it is judged before any member is. */
async function verifyPackage(walk: ZipWalk, record: EndRecord, place: DirectoryPlace): Promise<void> {
  const block = apkSigningBlock(walk.front, place.start);
  if (block === undefined || record.zip64 !== undefined || record.end > walk.source.size) return;
  const { source, input } = walk;
  await verifyApk({ source, blockStart: block.start, directoryStart: place.start, endRecord: record.at, signal: input.signal }, input);
}

function reportNoEnd(walk: ZipWalk): void {
  const detail = "The archive has no end record; its members are read by their local headers.";
  walk.findings.add({ anomaly: "missing_end_marker", offset: walk.source.size, detail, effect: "Readers of the directory refuse the archive; readers from the front unpack it." });
  walk.input.report.omission(omission("The central directory is missing: the archive is cut short, or its end is damaged.", "malformed"));
}

/** Reports what is odd about the end of the archive, and claims its records. */
function reportEnd(walk: ZipWalk, chosen: ChosenDirectory, extents: Extents): void {
  const { record, place } = chosen;
  extents.add(record.at, Math.min(record.end, walk.source.size), -1);
  if (record.zip64 !== undefined) {
    extents.add(record.zip64.at, record.zip64.end, -1);
    extents.add(record.at - 20, record.at, -1);
  }
  for (const at of chosen.others) reportOtherEnd(walk, at);
  reportZip64(walk, record);
  if (record.end > walk.source.size) {
    const detail = `The archive's comment would end ${String(record.end - walk.source.size)} bytes behind the end of the container.`;
    walk.findings.add({ anomaly: "header_size_mismatch", offset: record.at, detail, effect: "Strict readers refuse the archive." });
    walk.input.report.omission(omission("The archive's comment is cut short.", "malformed"));
  }
  if (record.fields.disk > 0 || record.fields.directoryDisk !== record.fields.disk) reportSplit(walk, record);
  if (place === undefined) {
    const scope = `The end record at offset ${String(record.at)} leads to no central directory.`;
    walk.input.report.omission(omission(scope, "malformed"));
  } else {
    reportPlace(walk, record, place);
  }
}

function reportPlace(walk: ZipWalk, record: EndRecord, place: DirectoryPlace): void {
  if (place.encrypted) {
    walk.input.report.omission(omission("The central directory is encrypted; members are listed by their masked local headers.", "encrypted"));
  }
  if (place.otherStart === undefined) return;
  const detail = `By the directory's offset it starts elsewhere (${String(place.otherStart)}) than by its size (${String(place.start)}), and a directory stands at both.`;
  walk.findings.add({ anomaly: "multiple_end_records", offset: record.at, detail, effect: "Readers that go by the offset and readers that go by the size list different members." });
}

function reportOtherEnd(walk: ZipWalk, at: number): void {
  const detail = "Another end record stands in the container.";
  const effect = "Readers that search from the end, or that want the comment to end with the file, choose different directories.";
  walk.findings.add({ anomaly: "multiple_end_records", offset: at, detail, effect });
}

function reportZip64(walk: ZipWalk, record: EndRecord): void {
  const contradictions = zip64Contradictions(record);
  if (contradictions.length > 0) {
    const detail = `End record and zip64 end record contradict each other: ${contradictions.join(", ")}.`;
    walk.findings.add({ anomaly: "zip64_conflict", offset: record.zip64?.at ?? record.at, detail, effect: "Readers that always follow the zip64 locator list other members than readers that need not." });
  }
  if (record.strayLocator === undefined) return;
  const detail = "A zip64 locator stands before the end record and leads to no zip64 end record.";
  walk.findings.add({ anomaly: "zip64_conflict", offset: record.strayLocator, detail, effect: "Readers that follow the locator refuse the archive; others go by the end record." });
}

function reportSplit(walk: ZipWalk, record: EndRecord): void {
  const scope = `The archive is split: this is part ${String(record.fields.disk + 1)}, and what stands in the other parts is not read.`;
  walk.input.report.omission(omission(scope, "missing_companion", { how_to_continue: "Join the parts to one archive first (zip -s 0)." }));
}

/** Claims structures that are neither members nor records of the directory. */
function addParts(walk: ZipWalk, extents: Extents, place: DirectoryPlace | undefined): void {
  const claim = (part: string, range: PartRange | undefined): void => {
    if (range === undefined) return;
    extents.add(range.start, range.end, -1);
    walk.input.report.part({ part, offset: range.start, length: range.end - range.start });
  };
  claim("Chrome extension header", crxHeader(walk.front));
  claim("split archive marker", splitMarker(walk.front));
  if (place === undefined) return;
  claim("APK signing block", apkSigningBlock(walk.front, place.start));
  if (place.encrypted) claim("encrypted central directory", { start: place.start, end: place.end });
}
