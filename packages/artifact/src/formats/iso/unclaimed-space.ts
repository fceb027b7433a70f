import { turn } from "../../codecs/turn.js";
import type { ReaderInput } from "../../format.js";
import type { FindingReport } from "../../reading/finding-report.js";
import type { PieceWindow } from "../../reading/piece-window.js";
import { checksumTag, tagHolds, type ChecksumTag } from "./checksum-tags.js";
import type { Extent } from "./extent.js";
import { firstNonZero } from "./non-zero.js";
import { isDescriptor, sectorBytes } from "./volume-descriptors.js";

const checksumBytes = 16;
const sectorsATurn = 64;
/** Tags are checked as long as all their ranges together are no more than this many images. */
const imagesHashed = 4;

interface Unclaimed {
  readonly window: PieceWindow;
  readonly input: ReaderInput;
  readonly findings: FindingReport;
  /** Names of files, each of which may have a checksum in a session's list. */
  readonly fileCount: number;
}

/** Sector of the first volume descriptor that stands in a range nothing claims: that of another session. */
export async function otherSession(gaps: Iterable<Extent>, window: PieceWindow, signal: AbortSignal): Promise<number | undefined> {
  for (const { start, length } of gaps) {
    for (let sector = Math.ceil(start / sectorBytes); (sector + 1) * sectorBytes <= start + length; sector += 1) {
      if (sector % sectorsATurn === 0) await turn(signal);
      if (isDescriptor(window.bytes(sector * sectorBytes, 8))) return sector;
    }
  }
  return undefined;
}

/** Tells of data in ranges that nothing claims; checks the checksum tags that stand there. */
export async function reportUnclaimed(gaps: Iterable<Extent>, space: Unclaimed): Promise<void> {
  const { window, input, findings } = space;
  const allowance = { bytes: window.size * imagesHashed };
  for (const { start, length } of gaps) {
    const end = start + length;
    for (let at = await firstNonZero(window.source, { start, end, signal: input.signal }); at !== undefined; ) {
      const tag = checksumTag(window, at);
      if (tag !== undefined) await checkTag(tag, space, allowance);
      const list = tag === undefined ? sessionList(at, end, space) : undefined;
      if (tag === undefined && list === undefined) {
        const detail = `Bytes ${String(at)} to ${String(end)} belong to no file and are not zero.`;
        findings.add({ anomaly: "gap", offset: at, detail, effect: "No reader of the image shows these bytes." });
        break;
      }
      at = await firstNonZero(window.source, { start: tag === undefined ? (list ?? end) : at + sectorBytes, end, signal: input.signal });
    }
  }
}

async function checkTag(tag: ChecksumTag, { window, input, findings }: Unclaimed, allowance: { bytes: number }): Promise<void> {
  input.report.part({ part: "MD5 tag of the writer", offset: tag.start, length: sectorBytes });
  allowance.bytes -= tag.rangeLength;
  const holds = allowance.bytes < 0 ? undefined : await tagHolds(window, tag, input.signal);
  if (holds === true) return;
  const detail = holds === false ? "The range that the writer's tag names does not have the MD5 declared there." : "The range that the writer's tag names lies outside the image.";
  findings.add({ anomaly: "digest_mismatch", offset: tag.start, detail, effect: "Programs that check the image's checksums refuse it; others do not look." });
}

/** The end of a list of checksums that starts at an offset: the tag of its session follows behind it. */
function sessionList(start: number, end: number, { window, input, fileCount }: Unclaimed): number | undefined {
  const from = Math.floor(start / sectorBytes) * sectorBytes;
  const longest = Math.ceil(((fileCount + 2) * checksumBytes) / sectorBytes) * sectorBytes;
  for (let at = from + sectorBytes; at <= from + longest && at < end; at += sectorBytes) {
    if (checksumTag(window, at)?.isSession !== true) continue;
    input.report.part({ part: "MD5 list of the writer", offset: from, length: at - from });
    return at;
  }
  return undefined;
}
