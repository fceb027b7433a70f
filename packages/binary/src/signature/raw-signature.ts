import { constants, verify, type KeyObject } from "node:crypto";
import { readCertificate, type CertificateFacts } from "./certificates.js";
import { checked, type Check } from "./cms-verify.js";
import type { HashName } from "./object-identifiers.js";

/** A signature without a container of its own. */
export interface RawSignature {
  readonly scheme: "rsa-pkcs1" | "rsa-pss" | "ecdsa" | "dsa";
  readonly hash: HashName;
  /** Bytes of the salt, for RSASSA-PSS. */
  readonly saltLength?: number;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

/** What a certificate in DER says of itself. */
export function certificateFacts(der: Uint8Array): CertificateFacts {
  return readCertificate(der).facts;
}

/** Checks a signature with the key of a certificate in DER. No trust is evaluated. */
export function checkRawSignature(certificateDer: Uint8Array, signature: RawSignature): Check {
  const { key } = readCertificate(certificateDer);
  if (key === undefined) return { verdict: "not_verified", reason: "The key of the signer's certificate cannot be read." };
  return checked(() => holdsFor(key, signature));
}

function holdsFor(key: KeyObject, { scheme, hash, saltLength = 0, data, signature }: RawSignature): boolean {
  if (scheme === "rsa-pss") return verify(hash, data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature);
  return verify(hash, data, key, signature);
}

/** The public key of a certificate as SubjectPublicKeyInfo; undefined when it cannot be read. */
export function publicKeyOf(certificateDer: Uint8Array): Uint8Array | undefined {
  return readCertificate(certificateDer).key?.export({ type: "spki", format: "der" });
}
