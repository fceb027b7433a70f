import { createHash } from "node:crypto";
import { escapeBytes, sourceSlice, truncateCodePoints, type ByteSource } from "@rea/core";
import { Findings } from "../findings.js";
import { codeSignatureRange } from "../macho/code-directory.js";
import { MachOFile } from "../macho/macho-file.js";
import { escapeName } from "../name-text.js";
import { octetsOf, derChildren, oidOf } from "./der.js";
import { readCms, type Cms } from "./cms.js";
import { directoryFlags, readDirectory, type MachoDirectory } from "./macho-directory.js";
import { checkPages, type PageCheck } from "./macho-pages.js";
import { checkSlots, type BundleFiles, type SpecialSlot } from "./macho-slots.js";
import { hashOfOid, oids } from "./object-identifiers.js";
import { signedDataFacts, type SignedDataFacts } from "./signed-data.js";
import type { Steps } from "./steps.js";
import { readSuperBlob, type SignatureBlob } from "./super-blob.js";

export interface MachoDirectoryFacts {
  readonly slot: number;
  readonly version: string;
  readonly identifier: string | null;
  readonly team: string | null;
  readonly flags: string[];
  readonly hash_type: string;
  readonly page_size: number;
  readonly code_limit: number;
  readonly code_slots: number;
  readonly special_slots: number;
  readonly cdhash: string | null;
  readonly runtime_version: string | null;
  readonly exec_segment: { readonly base: number; readonly limit: number; readonly flags: number } | null;
  readonly pages: PageCheck;
  readonly special: SpecialSlot[];
}

export interface MachoSignatureFacts {
  readonly signed: boolean;
  readonly ad_hoc: boolean;
  readonly linker_signed: boolean;
  readonly location: { readonly file_offset: number; readonly size: number } | null;
  readonly code_directories: MachoDirectoryFacts[];
  readonly requirements: BlobFacts | null;
  readonly entitlements: (BlobFacts & { readonly text: string; readonly truncated: boolean }) | null;
  readonly entitlements_der: BlobFacts | null;
  readonly cms: (SignedDataFacts & { readonly alternate_directories: "holds" | "broken" | "not_checked" }) | null;
  readonly notarization_ticket: BlobFacts | null;
  readonly anomalies: SignatureAnomaly[];
}

export interface SignatureAnomaly {
  readonly kind: string;
  readonly detail: string;
  readonly file_offset: number | null;
}

interface BlobFacts {
  readonly file_offset: number;
  readonly size: number;
  readonly sha256: string;
}

const slots = { directory: 0, requirements: 2, entitlements: 5, entitlementsDer: 7, alternates: 0x1000, cms: 0x10000, ticket: 0x10002 } as const;
const entitlementChars = 65_536;

/** One image as its signature sees it: `image` holds its bytes alone, which start at `offset` of the file. */
export interface SignedImage {
  readonly image: ByteSource;
  readonly offset: number;
  readonly files: BundleFiles;
}

/** Reads the embedded signature of one Mach-O image and recomputes what it seals. Throws what `MachOFile` throws. */
export function* machoSignature({ image, offset, files }: SignedImage, findings: Findings): Steps<MachoSignatureFacts> {
  const file = new MachOFile(image);
  const range = codeSignatureRange(file);
  const blobs = range === undefined ? undefined : readSuperBlob(sourceSlice(image, range.offset, range.size), findings);
  if (range === undefined || blobs === undefined) return unsigned(range, offset);
  const directories = directoriesIn(blobs, findings);
  const withPlist = { ...files, infoPlist: files.infoPlist instanceof Uint8Array ? files.infoPlist : (embeddedPlist(file, image) ?? files.infoPlist) };
  const described: MachoDirectoryFacts[] = [];
  for (const directory of directories) {
    described.push(directoryFacts(directory, yield* checkPages(image, directory, offset), checkSlots(directory, blobs, withPlist)));
  }
  const start = offset + range.offset;
  const flags = directories[0]?.flags ?? 0;
  return {
    signed: true,
    ad_hoc: (flags & 0x2) !== 0,
    linker_signed: (flags & 0x20000) !== 0,
    location: { file_offset: start, size: range.size },
    code_directories: described,
    requirements: blobFacts(blobs, slots.requirements, start),
    entitlements: entitlementsOf(blobs, start),
    entitlements_der: blobFacts(blobs, slots.entitlementsDer, start),
    cms: cmsOf(blobs, directories, findings),
    notarization_ticket: blobFacts(blobs, slots.ticket, start),
    anomalies: anomaliesOf({ directories, signatureAt: range.offset, signatureEnd: range.offset + range.size, image, offset }),
  };
}

/** The directory and its alternates; of several in one slot the first, as the system takes it. */
function directoriesIn(blobs: readonly SignatureBlob[], findings: Findings): readonly MachoDirectory[] {
  const wanted = [slots.directory, ...[0, 1, 2, 3, 4].map((index) => slots.alternates + index)];
  return wanted.flatMap((slot) => {
    const blob = blobs.find((one) => one.slot === slot);
    const read = blob === undefined ? undefined : findings.attempt("code_directory", blob.offset, () => readDirectory(blob));
    return read === undefined ? [] : [read];
  });
}

function unsigned(range: { readonly offset: number; readonly size: number } | undefined, offset: number): MachoSignatureFacts {
  return {
    signed: false,
    ad_hoc: false,
    linker_signed: false,
    location: range === undefined ? null : { file_offset: offset + range.offset, size: range.size },
    code_directories: [],
    requirements: null,
    entitlements: null,
    entitlements_der: null,
    cms: null,
    notarization_ticket: null,
    anomalies: range === undefined ? [] : [{ kind: "no_signature_blob", detail: "A load command points to a code signature, and none is there.", file_offset: offset + range.offset }],
  };
}

function directoryFacts(directory: MachoDirectory, pages: PageCheck, special: SpecialSlot[]): MachoDirectoryFacts {
  return {
    slot: directory.slot,
    version: `0x${directory.version.toString(16)}`,
    identifier: directory.identifier === undefined ? null : escapeName(directory.identifier),
    team: directory.team === undefined ? null : escapeName(directory.team),
    flags: directoryFlags(directory.flags),
    hash_type: directory.hash?.title ?? `type ${String(directory.hashType)} of ${String(directory.hashBytes)} bytes`,
    page_size: directory.pageBytes,
    code_limit: directory.codeLimit,
    code_slots: directory.codeSlots,
    special_slots: directory.specialSlots,
    cdhash: directory.cdhash ?? null,
    runtime_version: directory.runtime ?? null,
    exec_segment: directory.execSegment ?? null,
    pages,
    special,
  };
}

/** Command-line programs carry their Info.plist in a section. */
function embeddedPlist(file: MachOFile, image: ByteSource): Uint8Array | undefined {
  const section = file.sections.find(({ name, segmentName }) => name === "__info_plist" && segmentName === "__TEXT");
  if (section === undefined || BigInt(section.fileOffset) + section.size > BigInt(image.size)) return undefined;
  return image.read(section.fileOffset, Number(section.size));
}

function blobFacts(blobs: readonly SignatureBlob[], slot: number, start: number): BlobFacts | null {
  const blob = blobs.find((one) => one.slot === slot);
  if (blob === undefined) return null;
  return { file_offset: start + blob.offset, size: blob.bytes.byteLength, sha256: createHash("sha256").update(blob.bytes).digest("hex") };
}

function entitlementsOf(blobs: readonly SignatureBlob[], start: number): MachoSignatureFacts["entitlements"] {
  const facts = blobFacts(blobs, slots.entitlements, start);
  const blob = blobs.find((one) => one.slot === slots.entitlements);
  if (facts === null || blob === undefined) return null;
  const whole = escapeBytes(blob.bytes.subarray(8, 8 + entitlementChars * 4), "utf-8", { multiline: true });
  const { text, truncated } = truncateCodePoints(whole, entitlementChars);
  return { ...facts, text, truncated };
}

function cmsOf(blobs: readonly SignatureBlob[], directories: readonly MachoDirectory[], findings: Findings): MachoSignatureFacts["cms"] {
  const blob = blobs.find(({ slot }) => slot === slots.cms);
  // A wrapper without content is what ad-hoc signers leave.
  if (blob === undefined || blob.bytes.byteLength <= 8) return null;
  const primary = directories.find(({ slot }) => slot === slots.directory)?.bytes;
  const read = findings.attempt("cms", blob.offset, () => {
    const cms = readCms(blob.bytes.subarray(8));
    return { ...signedDataFacts(cms, primary), alternate_directories: alternates(cms, directories) };
  });
  return read ?? null;
}

/** The signer lists the digests of all code directories, because the signature itself covers only the first. */
function alternates(cms: Cms, directories: readonly MachoDirectory[]): "holds" | "broken" | "not_checked" {
  const listed = cms.signers.flatMap(({ signed }) => signed.get(oids.appleHashAgilityV2) ?? []);
  if (listed.length === 0) return "not_checked";
  const held = listed.every((node) => {
    const [type, digest] = derChildren(node);
    const hash = type === undefined ? undefined : hashOfOid(oidOf(type));
    if (hash === undefined || digest === undefined) return false;
    const declared = Buffer.from(octetsOf(digest)).toString("hex");
    return directories.some(({ bytes }) => createHash(hash).update(bytes).digest("hex") === declared);
  });
  return held ? "holds" : "broken";
}

interface Layout {
  readonly directories: readonly MachoDirectory[];
  readonly signatureAt: number;
  readonly signatureEnd: number;
  readonly image: ByteSource;
  readonly offset: number;
}

function anomaliesOf({ directories, signatureAt, signatureEnd, image, offset }: Layout): SignatureAnomaly[] {
  const found: SignatureAnomaly[] = [];
  for (const { codeLimit, codeSlots, pageBytes, slot } of directories) {
    const pages = pageBytes === 0 ? 1 : Math.ceil(codeLimit / pageBytes);
    const at = { file_offset: offset + Math.min(codeLimit, image.size) };
    if (codeLimit < signatureAt) found.push({ ...at, kind: "unsealed_bytes", detail: `The code directory in slot ${String(slot)} seals ${String(codeLimit)} bytes; the signature starts ${String(signatureAt - codeLimit)} bytes behind them.` });
    if (codeLimit > signatureAt) found.push({ ...at, kind: "seals_itself", detail: `The code directory in slot ${String(slot)} claims ${String(codeLimit - signatureAt)} bytes of the signature itself.` });
    if (pages !== codeSlots) found.push({ ...at, kind: "page_count", detail: `The code directory in slot ${String(slot)} has ${String(codeSlots)} page hashes for ${String(pages)} pages.` });
  }
  const behind = image.size - signatureEnd;
  if (behind > 0) found.push({ kind: "bytes_behind_signature", detail: `${String(behind)} bytes stand behind the signature and are sealed by nothing.`, file_offset: offset + signatureEnd });
  if (directories.length === 0) found.push({ kind: "no_code_directory", detail: "The signature has no code directory.", file_offset: offset + signatureAt });
  return found;
}
