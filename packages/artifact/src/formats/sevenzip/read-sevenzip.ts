import { isReaError, omission, type ByteSource } from "@rea/core";
import type { Entry, ReaderInput } from "../../format.js";
import { FindingReport } from "../../reading/finding-report.js";
import { readArchiveHeader, type ArchiveHeader } from "./archive-header.js";
import { ClaimedBytes } from "./claimed-bytes.js";
import { folderNotes } from "./folder-notes.js";
import { MemberWalk } from "./member-walk.js";
import { signatureHeader, startBytes, type SignatureHeader } from "./signature-header.js";

/** Members of a 7z archive in the order of its list. */
export async function* readSevenZip(source: ByteSource, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const start = signatureHeader(source);
  if (start === undefined) {
    input.report.omission(omission("The archive's first header is cut short or missing.", "malformed"));
    return;
  }
  const findings = new FindingReport(input.report);
  try {
    yield* readArchive({ source, start, input, findings });
  } finally {
    findings.finish();
  }
}

interface Reading {
  readonly source: ByteSource;
  readonly start: SignatureHeader;
  readonly input: ReaderInput;
  readonly findings: FindingReport;
}

async function* readArchive(reading: Reading): AsyncGenerator<Entry, void, undefined> {
  const { source, start, input, findings } = reading;
  tellOfStart(reading);
  const listOffset = start.offset + startBytes + start.nextOffset;
  const listEnd = listOffset + start.nextBytes;
  if (start.nextBytes === 0) {
    tellOfEmpty(reading);
    return;
  }
  if (listEnd > source.size) {
    input.report.omission(omission(`The list of members would end at byte ${String(listEnd)}; the archive ends at ${String(source.size)}.`, "malformed"));
    return;
  }
  const claimed = new ClaimedBytes(start.offset, findings);
  claimed.add(listOffset, start.nextBytes);
  const header = await listOf(reading, { offset: listOffset, claimed });
  if (header?.closed !== undefined) input.report.omission(omission(header.closed.why, header.closed.reason));
  if (header?.streams !== undefined) claimed.addStreams(header.streams);
  if (header?.files !== undefined) yield* new MemberWalk({ ...reading, streams: header.streams, files: header.files }).entries();
  if (header !== undefined && header.closed === undefined) claimed.report(source.size);
}

function tellOfStart({ start, findings, input }: Reading): void {
  if (start.offset > 0) {
    const detail = `The archive starts behind ${String(start.offset)} bytes of something else.`;
    findings.add({ anomaly: "prefix_data", offset: 0, detail, effect: "Some readers look for the archive behind a program, others refuse the file." });
    input.report.part({ part: "data before the archive", offset: 0, length: start.offset });
  }
  if (!start.intact) {
    const detail = "The CRC-32 of the archive's first header does not hold.";
    findings.add({ anomaly: "bad_checksum_header", offset: start.offset + 8, detail, effect: "Readers that check refuse the archive; others follow the offsets in it." });
  }
  if (start.major !== 0) {
    const scope = `The archive is of version ${String(start.major)}.${String(start.minor)}; version 0 is what is read.`;
    input.report.omission(omission(scope, "unsupported_format"));
  }
}

/** No list of members: an archive of nothing, or one whose writing was interrupted. */
function tellOfEmpty({ source, start, findings, input }: Reading): void {
  const behind = source.size - start.offset - startBytes;
  if (start.nextOffset === 0 && behind === 0) return;
  const effect = "Some readers take the archive for empty, others look for a list of members at its end.";
  const detail = `The archive's first header leads to no list of members, and ${String(behind)} bytes follow.`;
  findings.add({ anomaly: "missing_end_marker", offset: start.offset, detail, effect });
  input.report.omission(omission("Contents of an archive without a list of members.", "malformed"));
}

async function listOf(reading: Reading, place: { readonly offset: number; readonly claimed: ClaimedBytes }): Promise<ArchiveHeader | undefined> {
  const { source, start, input, findings } = reading;
  const { offset, claimed } = place;
  if (!claimed.listIntact(source, start)) {
    const detail = "The CRC-32 of the list of members does not hold.";
    findings.add({ anomaly: "bad_checksum_header", offset, detail, effect: "Readers that check refuse the archive; others read what the list says." });
  }
  try {
    const header = await readArchiveHeader({
      source,
      start: start.offset + startBytes,
      offset,
      length: start.nextBytes,
      signal: input.signal,
      notes: folderNotes(findings),
      onPacked: (streams) => {
        claimed.addStreams(streams);
      },
    });
    for (const detail of header.problems) {
      findings.add({ anomaly: "header_size_mismatch", offset, detail, effect: "Readers differ in what they make of the list of members." });
    }
    return header;
  } catch (error) {
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    input.report.omission(omission(`The list of members cannot be read: ${error.message}`, "malformed"));
    return undefined;
  }
}
