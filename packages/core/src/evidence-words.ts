/** Formats that hold other files. */
export const archiveFormats = [
  "zip",
  "ipa",
  "apk",
  "msix",
  "appx",
  "tar",
  "gzip",
  "bzip2",
  "xz",
  "zstd",
  "lz4",
  "lzma",
  "ar",
  "deb",
  "cpio",
  "rpm",
  "7z",
  "cab",
  "iso9660",
  "squashfs",
  "asar",
  "dmg",
  "pkg",
  "pbzx",
  "disk-image",
  "hfs",
  "hfsplus",
  "apfs",
  "ole",
] as const;

/** File formats a subject can have. */
export const subjectFormats = [
  "hopper",
  "analysis-database",
  "mach-o",
  "mach-o-universal",
  "elf",
  "pe",
  ...archiveFormats,
  "wasm",
  "class",
  "dex",
  "plist",
  "entitlements",
  "javascript",
  "javascript-bundle",
  "source-map",
  "directory",
  "file",
  "unknown",
] as const;
export type SubjectFormat = (typeof subjectFormats)[number];

/** Instruction sets a subject can have; null where there is none or it is not known. */
export const architectures = [
  "x86",
  "x86_64",
  "arm",
  "arm64",
  "riscv64",
  "mips",
  "mips64",
  "powerpc",
  "powerpc64",
  "wasm",
] as const;
export type Architecture = (typeof architectures)[number];

/** From strongest to weakest; a record with mixed items has that of the weakest. */
export const confidenceLevels = ["observed", "derived", "inferred"] as const;
export type Confidence = (typeof confidenceLevels)[number];

/** What kind of source stands behind a record. */
export const authorities = [
  "shipped-artifact",
  "runtime-observation",
  "controlled-replay",
  "historical-reference",
  "external-service",
  "analyst-inference",
] as const;
export type Authority = (typeof authorities)[number];

export const isolations = ["none", "process", "container", "virtual-machine"] as const;

export const defaultPredicate = "rea.analysis/v2";
/** Predicates of process captures start with this. */
export const capturePredicatePrefix = "rea.process-capture/";
export const unknownMutationPredicate = "rea.residual-unknown-mutation/v1";

/** True when `actual` is at least as strong as `required`. */
export function meetsConfidence(actual: Confidence, required: Confidence): boolean {
  return confidenceLevels.indexOf(actual) <= confidenceLevels.indexOf(required);
}

/** The confidence of a record that mixes items of these confidences; `observed` when there are none. */
export function weakestConfidence(items: Iterable<Confidence>): Confidence {
  let weakest: Confidence = "observed";
  for (const item of items) if (!meetsConfidence(item, weakest)) weakest = item;
  return weakest;
}
