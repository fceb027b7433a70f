import type { Anomaly } from "../image.js";
import { command, commandName } from "./command-names.js";
import { fileTypes } from "./constants.js";
import { isZeroFill, type MachOFile } from "./macho-file.js";

/** Commands of which an image has at most one. */
const single: readonly number[] = [
  command.symtab,
  command.dysymtab,
  command.uuid,
  command.main,
  command.unixThread,
  command.codeSignature,
  command.functionStarts,
  command.dyldInfo,
  command.dyldInfoOnly,
  command.dyldChainedFixups,
  command.dyldExportsTrie,
  command.idDylib,
];

/** Contradictions between what the load commands say and what the file is. */
export function readAnomalies(file: MachOFile, entry: bigint | undefined): readonly Anomaly[] {
  return [...duplicates(file), ...segmentAnomalies(file), ...sectionAnomalies(file), ...entryAnomalies(file, entry)];
}

function duplicates(file: MachOFile): readonly Anomaly[] {
  const seen = new Set<number>();
  const anomalies: Anomaly[] = [];
  for (const { kind, offset } of file.commands) {
    if (!single.includes(kind)) continue;
    if (seen.has(kind)) anomalies.push({ kind: "duplicate-table", detail: `${commandName(kind)} appears more than once`, offset });
    seen.add(kind);
  }
  return anomalies;
}

function segmentAnomalies(file: MachOFile): readonly Anomaly[] {
  const anomalies: Anomaly[] = [];
  const { size } = file.reader;
  for (const segment of file.segments) {
    const offset = segment.headerOffset;
    if (segment.fileSize > 0 && segment.fileOffset + segment.fileSize > size) {
      anomalies.push({ kind: "size-beyond-file", detail: `a segment ends past the end of the file (${hex(size)})`, offset });
    }
    if (BigInt(segment.fileSize) > segment.virtualSize) anomalies.push({ kind: "segment-size", detail: "a segment is larger in the file than in memory", offset });
    if ((segment.initialProtection & ~segment.maximumProtection & 7) !== 0) {
      anomalies.push({ kind: "segment-protection", detail: "the initial protection exceeds the maximum", offset });
    }
  }
  const mapped = file.segments.map(({ va, virtualSize, headerOffset }) => ({ start: va, end: va + virtualSize, header: headerOffset }));
  const stored = file.segments.map(({ fileOffset, fileSize, headerOffset }) => ({
    start: BigInt(fileOffset),
    end: BigInt(fileOffset) + BigInt(fileSize),
    header: headerOffset,
  }));
  return [
    ...anomalies,
    ...overlaps(mapped).map((offset) => ({ kind: "segment-overlap", detail: "two segments overlap in memory", offset })),
    ...overlaps(stored).map((offset) => ({ kind: "segment-file-overlap", detail: "two segments share bytes of the file", offset })),
  ];
}

interface Extent {
  readonly start: bigint;
  readonly end: bigint;
  readonly header: number;
}

function overlaps(extents: readonly Extent[]): readonly number[] {
  const sorted = extents.filter(({ start, end }) => end > start).sort((left, right) => (left.start < right.start ? -1 : left.start > right.start ? 1 : 0));
  const found: number[] = [];
  let end = 0n;
  for (const extent of sorted) {
    if (extent.start < end) found.push(extent.header);
    if (extent.end > end) end = extent.end;
  }
  return found;
}

function sectionAnomalies(file: MachOFile): readonly Anomaly[] {
  const commandsEnd = file.header.size + file.header.commandBytes;
  // A companion file keeps the sections' places of the image it describes, without their bytes.
  if (file.header.fileType === fileTypes.dsym) return [];
  return file.segments.flatMap((segment) =>
    segment.sections.flatMap((section): Anomaly[] => {
      const offset = section.headerOffset;
      const anomalies: Anomaly[] = [];
      if (section.va < segment.va || section.va + section.size > segment.va + segment.virtualSize) {
        anomalies.push({ kind: "section-outside-segment", detail: "a section lies outside its segment", offset });
      }
      if (isZeroFill(section) || section.size === 0n) return anomalies;
      if (section.fileOffset < commandsEnd && section.fileOffset > 0) {
        anomalies.push({ kind: "header-in-two-places", detail: "a section's data overlaps the load commands", offset });
      }
      if (BigInt(section.fileOffset) + section.size > BigInt(file.reader.size)) {
        anomalies.push({ kind: "size-beyond-file", detail: `a section ends past the end of the file (${hex(file.reader.size)})`, offset });
      }
      return anomalies;
    }),
  );
}

function entryAnomalies(file: MachOFile, entry: bigint | undefined): readonly Anomaly[] {
  if (entry === undefined) return [];
  const segment = file.segmentAt(entry);
  const executable = segment !== undefined && (segment.initialProtection & 4) !== 0;
  return executable ? [] : [{ kind: "entry-outside-code", detail: "the entry point lies outside executable memory", offset: undefined }];
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
