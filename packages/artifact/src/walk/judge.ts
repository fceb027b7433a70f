import type { DeclaredCheck, Entry, EntryContent } from "../format.js";
import type { Anomaly } from "../graph/anomaly.js";
import type { ContentMeter } from "./content-meter.js";
import type { FailedCheck } from "./failed-check.js";
import type { Place } from "./place.js";

/** A declared digest that the bytes do not have, at its place. */
export interface Contradiction {
  readonly place: Place;
  readonly algorithm: string;
  readonly declared: string;
  readonly observed: string;
  readonly unpacked: boolean;
  readonly provenance: string;
}

export interface Verdict {
  /** Who declared what does not hold. */
  readonly failedBy: readonly string[];
  readonly anomalies: readonly Anomaly[];
  readonly contradiction: Contradiction | undefined;
}

interface Judged {
  readonly entry: Entry;
  readonly content: EntryContent;
  readonly meter: ContentMeter;
}

type DigestCheck = Extract<DeclaredCheck, { readonly kind: "digest" | "blocks" | "part" | "measured" }>;

/** Writes digest and status of a content that was read in full into its place, and says what contradicts it. */
export function judge(place: Place, { entry, content, meter }: Judged): Verdict {
  const late = content.lateChecks?.() ?? [];
  const sha256 = meter.digest();
  const failed = meter.failedChecks(late, sha256);
  place.sha256 = sha256;
  place.artifactDigits = undefined;
  place.bytes = meter.bytes;
  place.declaredChecks = entry.checks.length + late.length;
  place.hashStatus = failed.length === 0 ? "verified" : "mismatched";
  const contradiction = failed.flatMap((one) => (isDigest(one.check) ? [contradictionOf(place, entry, one, one.check)] : []))[0];
  if (contradiction !== undefined) place.trust = "observed-untrusted";
  const failedBy = [...new Set(failed.flatMap(({ check }) => (isDigest(check) ? [check.declaredBy] : [])))];
  return { failedBy, anomalies: [...failed.flatMap((one) => anomalyOf(place, one)), ...emptyCompressed(place, entry)], contradiction };
}

function isDigest(check: DeclaredCheck): check is DigestCheck {
  return check.kind === "digest" || check.kind === "blocks" || check.kind === "part" || (check.kind === "measured" && !isChecksum(check.measure));
}

/** Checksums find damage; they prove nothing against intent. */
function isChecksum(measure: string): boolean {
  return measure === "crc32" || measure === "checksum";
}

function contradictionOf(place: Place, entry: Entry, { observed }: FailedCheck, check: DigestCheck): Contradiction {
  const declared = check.kind === "blocks" ? (check.hex[0] ?? "") : check.hex;
  return {
    place,
    algorithm: check.kind === "measured" ? check.measure : check.algorithm,
    declared: declared.toLowerCase(),
    observed,
    unpacked: entry.location === null,
    provenance: check.declaredBy,
  };
}

function anomalyOf(place: Place, { check, observed }: FailedCheck): readonly Anomaly[] {
  const at = { logical_path: place.logicalPath, offset: place.location?.offset ?? null };
  switch (check.kind) {
    case "size":
      return [
        {
          ...at,
          anomaly: "size_mismatch",
          detail: `The declared size is ${String(check.bytes)} bytes, the content has ${observed}.`,
          effect: "Programs that trust the declared size cut the content or read beyond it.",
        },
      ];
    case "crc32":
      return [
        {
          ...at,
          anomaly: "crc_mismatch",
          detail: `The declared CRC-32 is ${check.value.toString(16).padStart(8, "0")}, that of the content ${observed}.`,
          effect: "Programs that check refuse the member, others take it.",
        },
      ];
    case "measured":
      return [
        {
          ...at,
          anomaly: isChecksum(check.measure) ? "crc_mismatch" : "digest_mismatch",
          detail: `${check.declaredBy} declares the ${check.measure} ${check.hex.toLowerCase()}, the bytes have ${observed}.`,
          effect: "Programs that check refuse the member, others take it.",
        },
      ];
    case "digest":
    case "blocks":
    case "part":
      return [
        {
          ...at,
          anomaly: "digest_mismatch",
          detail: `${check.kind === "part" ? "The header of the content" : "The content"} does not have the ${check.algorithm} digest declared by ${check.declaredBy}.`,
          effect: "Programs that check refuse the member, others take it.",
        },
      ];
  }
}

function emptyCompressed(place: Place, { compressedBytes, declaredBytes }: Entry): readonly Anomaly[] {
  if (compressedBytes !== 0 || declaredBytes === null || declaredBytes === 0) return [];
  return [
    {
      anomaly: "compressed_empty",
      logical_path: place.logicalPath,
      offset: place.location?.offset ?? null,
      detail: `No compressed bytes stand for a declared size of ${String(declaredBytes)} bytes.`,
      effect: "Programs differ between an empty member and an error.",
    },
  ];
}
