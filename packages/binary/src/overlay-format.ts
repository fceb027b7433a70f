import { sourceSlice, type ByteSource, type SubjectFormat } from "@rea/core";
import { contentFormat } from "./detect.js";
import type { FileRange } from "./image.js";

/** What the data behind an executable is, by the same signatures as a file of its own; undefined when nothing fits. */
export function overlayFormat(source: ByteSource, range: FileRange): SubjectFormat | undefined {
  return range.size === 0 ? undefined : contentFormat(sourceSlice(source, range.offset, range.size));
}
