import { descriptorLike, signedDescriptor, type DataDescriptor } from "./data-descriptor.js";
import { namesDiffer } from "./names.js";
import type { PieceWindow } from "../../reading/piece-window.js";
import { hasDescriptor, type CentralRecord, type LocalHeader } from "./records.js";
import type { Finding } from "../../reading/finding-report.js";
import { flagBits } from "./signatures.js";

/** Bits that decide how data and name are read; the others are advice to compressors. */
const comparedFlags = flagBits.encrypted | flagBits.descriptor | flagBits.strong | flagBits.utf8 | flagBits.masked;

/**
 * Where central record and local header contradict each other. Values that a descriptor or the masking of encrypted
 * directories leaves out of the local header are no contradiction.
 */
export function headerConflicts(central: CentralRecord, local: LocalHeader): readonly Finding[] {
  const masked = (local.flags & flagBits.masked) !== 0;
  const conflicts: Finding[] = [];
  const add = (detail: string, effect: string): void => {
    conflicts.push({ anomaly: "central_local_mismatch", offset: local.at, detail, effect });
  };
  if (!masked && namesDiffer(central, local)) {
    add(
      `The central record names the member by ${String(central.name.byteLength)} bytes, the local header by other ${String(local.name.byteLength)}.`,
      "Readers of the directory and readers from the front give the content different names.",
    );
  }
  if (central.method !== local.method) {
    add(
      `Compression method ${String(central.method)} in the central record, ${String(local.method)} in the local header.`,
      "Readers of the directory and readers from the front decode the data differently.",
    );
  }
  const flags = (central.flags ^ local.flags) & comparedFlags;
  if (flags !== 0) {
    add(
      `General purpose bits ${hex(central.flags)} in the central record, ${hex(local.flags)} in the local header.`,
      "Readers differ in whether the data is encrypted, where its sizes stand or how its name is encoded.",
    );
  }
  if (!masked) conflicts.push(...sizeConflicts(central, local));
  return conflicts;
}

function sizeConflicts(central: CentralRecord, local: LocalHeader): readonly Finding[] {
  const open = hasDescriptor(local);
  const differs = (ours: number, theirs: number): boolean => ours !== theirs && !(open && (theirs === 0 || local.lacksZip64));
  const conflicts: Finding[] = [];
  const add = (what: string, ours: string, theirs: string, effect: string): void => {
    conflicts.push({
      anomaly: "central_local_mismatch",
      offset: local.at,
      detail: `${what} ${ours} in the central record, ${theirs} in the local header.`,
      effect,
    });
  };
  if (differs(central.compressedBytes, local.compressedBytes)) {
    add("Compressed size", String(central.compressedBytes), String(local.compressedBytes), "Readers from the front look for the next member elsewhere.");
  }
  if (differs(central.bytes, local.bytes)) {
    add("Size", String(central.bytes), String(local.bytes), "Readers differ in how much content they expect.");
  }
  if (differs(central.crc32, local.crc32)) {
    add("CRC-32", hex(central.crc32), hex(local.crc32), "Readers differ in which content they accept.");
  }
  return conflicts;
}

export interface DescriptorReading {
  readonly descriptor: DataDescriptor | undefined;
  readonly conflict: Finding | undefined;
}

/** The descriptor behind a member's data, and what is wrong with it. */
export function descriptorReading(window: PieceWindow, central: CentralRecord, local: LocalHeader): DescriptorReading {
  if (!hasDescriptor(local)) return { descriptor: undefined, conflict: undefined };
  const at = local.dataOffset + central.compressedBytes;
  const agreed = descriptorLike(window, at, central);
  if (agreed !== undefined) return { descriptor: agreed, conflict: undefined };
  const signed = signedDescriptor(window, at);
  const detail =
    signed === undefined
      ? "No data descriptor with the central record's CRC-32 and sizes stands behind the data."
      : `The data descriptor says CRC-32 ${hex(signed.crc32)} and sizes ${String(signed.compressedBytes)} and ${String(signed.bytes)}; the central record says otherwise.`;
  const effect = "Readers from the front find another end or another content than readers of the directory.";
  return { descriptor: signed, conflict: { anomaly: "central_local_mismatch", offset: at, detail, effect } };
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
