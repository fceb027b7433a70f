import { createHash, X509Certificate, type KeyObject } from "node:crypto";
import { escapeUntrusted, truncateCodePoints } from "@rea/core";

/** What a certificate says of itself; nothing of it is proven by reading it. */
export interface CertificateFacts {
  readonly subject: string | null;
  readonly issuer: string | null;
  /** Upper-case hexadecimal digits. */
  readonly serial: string | null;
  /** ISO 8601. */
  readonly not_before: string | null;
  readonly not_after: string | null;
  readonly key: string | null;
  /** Issuer and subject are the same, which says nothing of trust. */
  readonly self_issued: boolean;
  readonly sha1: string;
  readonly sha256: string;
}

/** A certificate with its key; the key is undefined where it cannot be used. */
export interface Certificate {
  readonly facts: CertificateFacts;
  readonly der: Uint8Array;
  readonly key: KeyObject | undefined;
}

const textLimit = 1024;

/** Reads an X.509 certificate; one that cannot be read still has its digests. */
export function readCertificate(der: Uint8Array): Certificate {
  const parsed = attempt(() => new X509Certificate(der));
  const key = parsed === undefined ? undefined : attempt(() => parsed.publicKey);
  return { der, key, facts: { ...(parsed === undefined ? unread : factsOf(parsed, key)), sha1: hex("sha1", der), sha256: hex("sha256", der) } };
}

const unread = { subject: null, issuer: null, serial: null, not_before: null, not_after: null, key: null, self_issued: false };

function factsOf(parsed: X509Certificate, key: KeyObject | undefined): Omit<CertificateFacts, "sha1" | "sha256"> {
  return {
    subject: nameOf(parsed.subject),
    issuer: nameOf(parsed.issuer),
    serial: parsed.serialNumber,
    not_before: timeOf(parsed.validFrom),
    not_after: timeOf(parsed.validTo),
    key: key === undefined ? null : keyName(key),
    self_issued: parsed.subject === parsed.issuer,
  };
}

/** Parts of a name on one line, in the order of the certificate. */
function nameOf(text: string): string {
  const parts = text.split("\n").filter((part) => part !== "");
  return escapeUntrusted(truncateCodePoints(parts.join(", "), textLimit).text);
}

function timeOf(text: string): string | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function keyName(key: KeyObject): string {
  const kind = key.asymmetricKeyType ?? "unknown";
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined) return `${kind} ${String(modulusLength)}`;
  return namedCurve === undefined ? kind : `${kind} ${namedCurve}`;
}

/** The host's parser throws errors of its own on damaged bytes; here they mean "cannot be read". */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function hex(algorithm: string, bytes: Uint8Array): string {
  return createHash(algorithm).update(bytes).digest("hex");
}
