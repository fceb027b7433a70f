import { formatAddress, pageOf, type OperationParams, type OperationResult } from "@rea/core";
import type { BinaryImage, Section, Segment } from "@rea/binary";
import { answer, type Answer } from "./answer.js";
import type { ImageQuery } from "./query.js";
import { shownName } from "./shown-text.js";

type SegmentItem = OperationResult<"list_segments">["items"][number];

/** Load-time ranges with the sections inside each; a file without segments (an object file) lists its sections. */
export function listSegments(
  { image }: ImageQuery,
  params: OperationParams<"list_segments">,
): Answer<OperationResult<"list_segments">> {
  const segments = image.segments();
  const sections = image.sections();
  const omissions = [...segments.omissions, ...sections.omissions];
  const mapped = sections.items.filter((section) => section.va !== undefined);
  if (segments.items.length === 0) {
    const page = pageOf(mapped, params, (section) => sectionItem(image, section), omissions);
    return answer(page, { limitations: ["The file has no segments; its sections with addresses are listed instead."] });
  }
  return answer(pageOf(segments.items, params, (segment) => segmentItem(image, segment, mapped), omissions));
}

function segmentItem(image: BinaryImage, segment: Segment, sections: readonly Section[]): SegmentItem {
  const end = segment.va + segment.virtualSize;
  return {
    name: shownName(segment.name),
    start: formatAddress(segment.va),
    end: formatAddress(end),
    readable: segment.readable,
    writable: segment.writable,
    executable: segment.executable,
    permissions: permissions(segment),
    sections: sections.filter((section) => isInside(section, segment.va, end)).map(sectionRange),
    image_base: formatAddress(image.imageBase),
    ...fileRange(image, segment.file),
    provenance: `${image.format} segment`,
  };
}

function sectionItem(image: BinaryImage, section: Section): SegmentItem {
  return {
    ...sectionRange(section),
    readable: null,
    writable: null,
    executable: section.kind === "code" ? true : null,
    permissions: null,
    sections: [],
    image_base: formatAddress(image.imageBase),
    ...fileRange(image, section.file ?? { offset: 0, size: 0 }),
    provenance: `${image.format} section`,
  };
}

function isInside(section: Section, start: bigint, end: bigint): boolean {
  return section.va !== undefined && section.va >= start && section.va + section.virtualSize <= end;
}

function sectionRange(section: Section): { name: string; start: string; end: string } {
  const start = section.va ?? 0n;
  return { name: shownName(section.name), start: formatAddress(start), end: formatAddress(start + section.virtualSize) };
}

function permissions(segment: Segment): string {
  return `${segment.readable ? "r" : "-"}${segment.writable ? "w" : "-"}${segment.executable ? "x" : "-"}`;
}

function fileRange(image: BinaryImage, file: { readonly offset: number; readonly size: number }) {
  const stored = file.size > 0;
  return { initialized: stored, file_offset: stored ? image.sourceOffset + file.offset : null, file_size: file.size };
}
