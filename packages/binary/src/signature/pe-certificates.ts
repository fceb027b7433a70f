import type { Findings } from "../findings.js";
import type { PeFile } from "../pe/pe-file.js";
import { readDer } from "./der.js";
import type { SignatureAnomaly } from "./macho-signature.js";

/** One entry of the attribute certificate table (PE Format, "The Attribute Certificate Table"). */
export interface PeCertificate {
  readonly offset: number;
  readonly length: number;
  readonly revision: number;
  readonly type: number;
  readonly bytes: Uint8Array;
}

export interface PeCertificateTable {
  readonly offset: number;
  /** As declared. */
  readonly size: number;
  readonly entries: readonly PeCertificate[];
  readonly anomalies: readonly SignatureAnomaly[];
}

const mostEntries = 64;
const headerBytes = 8;
const signedData = 2;

/** Reads the table that the certificate directory names; undefined when there is none. */
export function readCertificateTable(file: PeFile, findings: Findings): PeCertificateTable | undefined {
  const directory = file.directory("certificates");
  if (directory === undefined || directory.size === 0) return undefined;
  const { rva: offset, size } = directory;
  const end = Math.min(offset + size, file.reader.size);
  const entries: PeCertificate[] = [];
  for (let at = offset; at + headerBytes <= end && entries.length < mostEntries; ) {
    const entry = findings.attempt("certificate_table", at, () => entryAt(file, at, end));
    if (entry === undefined) break;
    entries.push(entry);
    at += Math.ceil(Math.max(entry.length, headerBytes) / 8) * 8;
  }
  return { offset, size, entries, anomalies: [...placeAnomalies(file, offset, size), ...entries.flatMap(paddingAnomaly)] };
}

function entryAt({ reader }: PeFile, at: number, end: number): PeCertificate {
  const length = reader.u32(at);
  const kept = Math.max(0, Math.min(length, end - at) - headerBytes);
  return { offset: at, length, revision: reader.u16(at + 4), type: reader.u16(at + 6), bytes: reader.bytes(at + headerBytes, kept) };
}

function placeAnomalies({ reader }: PeFile, offset: number, size: number): readonly SignatureAnomaly[] {
  const end = offset + size;
  const found: SignatureAnomaly[] = [];
  const add = (kind: string, detail: string): void => {
    found.push({ kind, detail, file_offset: Math.min(offset, reader.size) });
  };
  if (offset >= reader.size) add("certificates_outside_file", `The certificate table starts at ${String(offset)}, behind the end of the file (${String(reader.size)}).`);
  else if (end > reader.size) add("certificates_outside_file", `The certificate table reaches ${String(end - reader.size)} bytes past the end of the file.`);
  if (end < reader.size) add("bytes_behind_certificates", `${String(reader.size - end)} bytes stand behind the certificate table; the signed digest does not cover them.`);
  if (offset % 8 !== 0) add("unaligned_certificates", "The certificate table does not start at a multiple of eight bytes.");
  return found;
}

/** Room behind the signature inside its entry is covered by no digest: programs have been changed there without breaking it. */
function paddingAnomaly({ offset, length, type, bytes }: PeCertificate): readonly SignatureAnomaly[] {
  const found: SignatureAnomaly[] = [];
  if (length < headerBytes) found.push({ kind: "certificate_length", detail: `A certificate entry declares ${String(length)} bytes, less than its header has.`, file_offset: offset });
  if (type !== signedData) return found;
  const used = derLength(bytes);
  if (used === undefined) return found;
  const rest = bytes.subarray(used);
  if (rest.byteLength >= 8 || rest.some((byte) => byte !== 0)) {
    found.push({ kind: "data_behind_signature", detail: `${String(rest.byteLength)} bytes stand behind the signature in its certificate entry and are sealed by nothing.`, file_offset: offset + headerBytes + used });
  }
  return found;
}

function derLength(bytes: Uint8Array): number | undefined {
  try {
    return readDer(bytes).whole.byteLength;
  } catch {
    return undefined;
  }
}

/** Names of entry types and revisions, as the format's document has them. */
export function certificateType(type: number): string {
  const names: { readonly [type: number]: string | undefined } = { 1: "x509", 2: "pkcs-signed-data", 3: "reserved", 4: "terminal-server-stack" };
  return names[type] ?? `type ${String(type)}`;
}
