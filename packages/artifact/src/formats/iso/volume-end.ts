import type { FoundPart, ReaderInput } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import type { PieceWindow } from "../../reading/piece-window.js";
import { firstNonZero } from "./non-zero.js";

interface VolumeEnd {
  readonly window: PieceWindow;
  /** Where the descriptor says the volume ends. */
  readonly end: number;
  readonly partitions: readonly FoundPart[];
  readonly input: ReaderInput;
  readonly findings: FindingReport;
}

/** Tells what stands behind the declared end of the volume, or that the image ends before it. */
export async function reportBehindVolume({ window, end, partitions, input, findings }: VolumeEnd): Promise<void> {
  if (end > window.size) {
    const detail = `The volume declares ${String(end)} bytes, the image has ${String(window.size)}.`;
    findings.add({ anomaly: "size_mismatch", offset: window.size, detail, effect: "The image may have been cut short." });
    return;
  }
  const data = await firstNonZero(window.source, { start: end, end: window.size, signal: input.signal });
  if (data === undefined) {
    if (end < window.size) input.report.part({ part: "padding behind the volume", offset: end, length: window.size - end });
    return;
  }
  const behind = [...partitions].filter(({ offset, length }) => offset + length > end).sort((a, b) => a.offset - b.offset);
  const uncovered = await firstUncovered(window, Math.max(end, data), behind, input.signal);
  if (uncovered === undefined) return;
  const detail = `${String(window.size - uncovered)} bytes from here on are behind the end of the volume and of every partition before them.`;
  findings.add({ anomaly: "trailing_data", offset: uncovered, detail, effect: "Systems that mount the volume do not see these bytes." });
}

/** The first byte that is not zero and belongs to no partition. */
async function firstUncovered(window: PieceWindow, from: number, partitions: readonly FoundPart[], signal: AbortSignal): Promise<number | undefined> {
  let at = from;
  for (const { offset, length } of partitions) {
    if (offset > at) {
      const data = await firstNonZero(window.source, { start: at, end: offset, signal });
      if (data !== undefined) return data;
    }
    at = Math.max(at, offset + length);
  }
  return firstNonZero(window.source, { start: at, end: window.size, signal });
}
