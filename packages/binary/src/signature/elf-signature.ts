import { sourceSlice, type ByteSource } from "@rea/core";
import type { Findings } from "../findings.js";
import { readCms } from "./cms.js";
import { signedDataFacts, type SignedDataFacts } from "./signed-data.js";
import type { Steps } from "./steps.js";

/** A signature behind an ELF file, as the Linux kernel's module loader and IMA read it (`module_signature.h`). */
export interface AppendedSignature extends SignedDataFacts {
  readonly kind: "appended-module-signature";
  readonly file_offset: number;
  readonly size: number;
  readonly id_type: string;
  /** Bytes of the file that are signed, from its start. */
  readonly signed_bytes: number;
}

const marker = Buffer.from("~Module signature appended~\n", "latin1");
const headerBytes = 12;
const mostSignatureBytes = 1 << 20;
const mostSignedBytes = 256 << 20;

/** The appended signature of a kernel module; undefined when the file does not end with its marker. */
export function* appendedSignature(source: ByteSource, findings: Findings): Steps<AppendedSignature | undefined> {
  const end = source.size - marker.byteLength;
  if (end < headerBytes || !marker.equals(source.read(end, marker.byteLength))) return undefined;
  yield undefined;
  return findings.attempt("appended_signature", end, () => signatureBefore(source, end - headerBytes));
}

function signatureBefore(source: ByteSource, at: number): AppendedSignature {
  const header = Buffer.from(source.read(at, headerBytes));
  const size = header.readUInt32BE(8);
  const start = at - size;
  const bytes = sourceSlice(source, start, Math.min(size, mostSignatureBytes)).read(0, Math.min(size, mostSignatureBytes));
  const content = start <= mostSignedBytes ? source.read(0, start) : undefined;
  const type = header[2] ?? 0;
  const facts = type === 2 ? signedDataFacts(readCms(bytes), content) : { certificates: [], signers: [] };
  const kinds: readonly string[] = ["pgp", "x509", "pkcs7"];
  return { ...facts, kind: "appended-module-signature", file_offset: start, size, id_type: kinds[type] ?? `type ${String(type)}`, signed_bytes: start };
}
