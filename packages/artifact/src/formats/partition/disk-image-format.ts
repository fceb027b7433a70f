import { sourceSlice, throwIfAborted, type ByteSource } from "@rea/core";
import { defineFormat, type Entry, type ReaderInput } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import { FindingReport } from "../../reading/finding-report.js";
import { sourceStream } from "../../reading/source-stream.js";
import { malformed } from "../sequential/damage.js";
import { appleMap } from "./apple-map.js";
import { bootRecord, protectiveType } from "./boot-record.js";
import { guidMap } from "./guid-map.js";
import type { Partition, PartitionMap } from "./partition.js";

/** Disks with a partition map. */
export const diskImageFormat = defineFormat({
  id: "disk-image",
  title: "Partitioned disk",
  notes: [
    "Apple partition maps, GUID partition tables with their copy, and master boot records with logical partitions are read; each partition is a volume.",
    "Where a disk has several maps the GUID table is used, then the Apple one; partitions that only the boot record names are listed too.",
    "What lies between partitions is not looked at.",
  ],
  access: "random",
  entries: partitions,
});

async function* partitions(source: ByteSource, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  const maps = [guidMap(source), appleMap(source), bootRecord(source)].filter((map) => map !== undefined);
  const [map, ...others] = maps;
  if (map === undefined) {
    malformed(input, 0, "The disk has no partition map that can be read.");
    return;
  }
  const findings = new FindingReport(input.report);
  for (const one of maps) for (const part of one.parts) input.report.part(part);
  for (const one of maps) for (const { kind, ...problem } of one.problems) findings.add({ anomaly: kind, ...problem });
  reportOverlaps(map, findings);
  yield* volumes(source, map, input);
  for (const other of others) yield* volumes(source, onlyThere(other, map, findings), input);
  findings.finish();
}

async function* volumes(source: ByteSource, { partitions: all }: PartitionMap, input: ReaderInput): AsyncGenerator<Entry, void, undefined> {
  for (const partition of all) {
    throwIfAborted(input.signal, "read_disk_image");
    yield await Promise.resolve(volume(source, partition));
  }
}

function volume(source: ByteSource, { number, name, type, start, length }: Partition): Entry {
  const isInside = Number.isSafeInteger(start) && Number.isSafeInteger(length) && length >= 0 && start + length <= source.size;
  const content = isInside ? sourceSlice(source, start, length) : undefined;
  return {
    name: utf8Name(Buffer.from(`${String(number)} ${[name, `(${type})`].filter((part) => part !== "").join(" ")}`.replaceAll("/", ":"))),
    kind: "volume",
    declaredBytes: Number.isSafeInteger(length) && length >= 0 ? length : null,
    compressedBytes: null,
    location: isInside ? { offset: start, length } : null,
    encrypted: false,
    linkTarget: null,
    executable: null,
    checks: content === undefined ? [] : [{ kind: "size", bytes: length }],
    limitations: [],
    content:
      content === undefined
        ? { reason: "malformed", why: "The partition reaches past the end of the disk." }
        : { stream: () => sourceStream(content), random: () => ({ size: content.size, read: (at, count) => content.read(at, count), close: () => undefined }) },
  };
}

function reportOverlaps({ partitions: all }: PartitionMap, findings: FindingReport): void {
  const sorted = [...all].sort((a, b) => a.start - b.start);
  let end = 0;
  for (const { start, length, entryOffset } of sorted) {
    if (start < end) findings.add({ anomaly: "overlap", offset: entryOffset, detail: "Two partitions share sectors.", effect: "What is written to the one changes the other." });
    end = Math.max(end, start + length);
  }
}

/** Partitions of a further map that the first one does not have; they are told. */
function onlyThere(other: PartitionMap, first: PartitionMap, findings: FindingReport): PartitionMap {
  const known = new Set(first.partitions.map(({ start }) => start));
  const own = other.partitions.filter(({ start, type }) => type !== protectiveType && !known.has(start));
  for (const { entryOffset } of own) {
    findings.add({
      anomaly: "central_local_mismatch",
      offset: entryOffset,
      detail: `The ${other.title} names a partition that the ${first.title} does not have.`,
      effect: "Systems that go by the one map see other volumes than those that go by the other.",
    });
  }
  return { ...other, partitions: own };
}
