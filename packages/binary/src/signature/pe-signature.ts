import { escapeUntrusted, truncateCodePoints } from "@rea/core";
import type { Findings } from "../findings.js";
import type { PeFile } from "../pe/pe-file.js";
import { contentBytes, readCms, type Cms } from "./cms.js";
import type { SignatureAnomaly } from "./macho-signature.js";
import { oids, type HashName } from "./object-identifiers.js";
import { certificateType, readCertificateTable, type PeCertificate } from "./pe-certificates.js";
import { imageDigests, pageDigest, peChecksum } from "./pe-digest.js";
import { programInfo, readIndirectData, type IndirectData } from "./pe-indirect-data.js";
import type { PageCheck, PageMismatch } from "./macho-pages.js";
import { signedDataFacts, type SignedDataFacts } from "./signed-data.js";
import type { Steps } from "./steps.js";

export interface ImageDigest {
  readonly algorithm: string | null;
  readonly declared: string;
  readonly calculated: string | null;
  readonly verdict: "holds" | "broken" | "not_checked";
}

export interface AuthenticodeFacts extends SignedDataFacts {
  readonly file_offset: number;
  /** A further signature inside another one's attributes. */
  readonly nested: boolean;
  readonly image_digest: ImageDigest;
  readonly page_hashes: (PageCheck & { readonly algorithm: string }) | null;
  readonly program_name: string | null;
  readonly program_url: string | null;
}

export interface PeSignatureFacts {
  readonly signed: boolean;
  readonly checksum: { readonly declared: string; readonly calculated: string; readonly verdict: "holds" | "broken" | "not_set" };
  readonly certificate_table: {
    readonly file_offset: number;
    readonly size: number;
    readonly entries: { readonly file_offset: number; readonly size: number; readonly revision: string; readonly type: string }[];
  } | null;
  readonly signatures: AuthenticodeFacts[];
  readonly anomalies: SignatureAnomaly[];
}

const signedData = 2;
const deepestNested = 4;
const shownMismatches = 100;
const mostSignatures = 16;
const freePageBytes = 1 << 26;

/** The image with what was computed of it already: a file may hold many signatures over the same bytes. */
interface Image {
  readonly file: PeFile;
  readonly digests: Map<HashName, string>;
  /** No honest list of pages covers more than the file. */
  pageBytesLeft: number;
}

/** Reads the Authenticode signatures of a PE file and recomputes what they declare. */
export function* peSignature(file: PeFile, findings: Findings): Steps<PeSignatureFacts> {
  const table = readCertificateTable(file, findings);
  const image: Image = { file, digests: new Map(), pageBytesLeft: 2 * file.reader.size + freePageBytes };
  const signatures: AuthenticodeFacts[] = [];
  for (const entry of table?.entries ?? []) {
    if (entry.type !== signedData) continue;
    for (const found of nestedSignatures(entry, findings)) {
      if (signatures.length < mostSignatures) signatures.push(yield* authenticode(image, found, findings));
      else findings.limited("authenticode", "limit_items", 1, mostSignatures);
    }
  }
  return {
    signed: signatures.length > 0,
    checksum: yield* checksumFacts(file),
    certificate_table: table === undefined ? null : { file_offset: table.offset, size: table.size, entries: table.entries.map(entryFacts) },
    signatures,
    anomalies: [...(table?.anomalies ?? [])],
  };
}

function entryFacts({ offset, length, revision, type }: PeCertificate) {
  return { file_offset: offset, size: length, revision: `0x${revision.toString(16).padStart(4, "0")}`, type: certificateType(type) };
}

interface FoundSignature {
  readonly cms: Cms;
  readonly offset: number;
  readonly nested: boolean;
}

/** A signature, and those that its signer carries beside it, outside in. */
function nestedSignatures(entry: PeCertificate, findings: Findings): readonly FoundSignature[] {
  const found: FoundSignature[] = [];
  const open = (bytes: Uint8Array, depth: number): void => {
    if (depth > deepestNested || found.length >= 16) return;
    const cms = findings.attempt("authenticode", entry.offset, () => readCms(bytes));
    if (cms === undefined) return;
    found.push({ cms, offset: entry.offset, nested: depth > 0 });
    for (const { unsigned } of cms.signers) for (const node of unsigned.get(oids.nestedSignature) ?? []) open(node.whole, depth + 1);
  };
  open(entry.bytes, 0);
  return found;
}

function* authenticode(image: Image, { cms, offset, nested }: FoundSignature, findings: Findings): Steps<AuthenticodeFacts> {
  const { content, contentType } = cms;
  const data = content === undefined || contentType !== oids.spcIndirectData ? undefined : findings.attempt("authenticode", offset, () => readIndirectData(content));
  const [signer] = cms.signers;
  const program = signer === undefined ? undefined : findings.attempt("authenticode", offset, () => programInfo(signer));
  return {
    ...signedDataFacts(cms, contentBytes(cms)),
    file_offset: offset,
    nested,
    image_digest: yield* imageDigest(image, data),
    page_hashes: yield* pageHashes(image, data),
    program_name: shown(program?.name),
    program_url: shown(program?.url),
  };
}

function shown(text: string | undefined): string | null {
  return text === undefined ? null : escapeUntrusted(truncateCodePoints(text, 1024).text);
}

function* imageDigest({ file, digests }: Image, data: IndirectData | undefined): Steps<ImageDigest> {
  if (data?.algorithm === undefined) return { algorithm: null, declared: data?.digest ?? "", calculated: null, verdict: "not_checked" };
  const calculated = digests.get(data.algorithm) ?? (yield* imageDigests(file, [data.algorithm]))[0] ?? "";
  digests.set(data.algorithm, calculated);
  return { algorithm: data.algorithm, declared: data.digest, calculated, verdict: calculated === data.digest ? "holds" : "broken" };
}

function* pageHashes(image: Image, data: IndirectData | undefined): Steps<AuthenticodeFacts["page_hashes"]> {
  if (data?.pages === undefined) return null;
  const { algorithm, entries } = data.pages;
  const mismatched: PageMismatch[] = [];
  let matched = 0;
  let checked = 0;
  const sum = () => ({ algorithm, checked, matched, mismatched, mismatched_total: checked - matched });
  for (const [page, { offset, declared }] of entries.entries()) {
    // The list ends with the end of the last section and a hash of zeros.
    if (/^0*$/u.test(declared)) continue;
    if (image.pageBytesLeft <= 0) return { ...sum(), not_checked: "The list covers more bytes than the file has." };
    checked += 1;
    const digest = yield* pageDigest(image.file, offset, algorithm);
    image.pageBytesLeft -= image.file.headers.sectionAlignment;
    if (digest?.hex === declared) matched += 1;
    else if (mismatched.length < shownMismatches) mismatched.push({ page, file_offset: offset, size: digest?.size ?? 0, declared, calculated: digest?.hex ?? null });
  }
  return { ...sum(), not_checked: null };
}

function* checksumFacts(file: PeFile): Steps<PeSignatureFacts["checksum"]> {
  const declared = file.headers.checksum;
  const calculated = yield* peChecksum(file);
  const verdict = declared === 0 ? "not_set" : declared === calculated ? "holds" : "broken";
  return { declared: `0x${declared.toString(16).padStart(8, "0")}`, calculated: `0x${calculated.toString(16).padStart(8, "0")}`, verdict };
}
