import { escapeUntrusted } from "@rea/core";
import { contentBytes, readCms, signingTime, timestampsOf, type Cms, type CmsSigner } from "./cms.js";
import { contentDigest, signatureCheck, type Check, type ContentDigest } from "./cms-verify.js";
import type { CertificateFacts } from "./certificates.js";
import { oids } from "./object-identifiers.js";
import { readIndirectData } from "./pe-indirect-data.js";

/** A signer of a CMS signature, with what could be checked without trusting anyone. */
export interface SignerFacts {
  readonly subject: string | null;
  readonly certificate_sha256: string | null;
  readonly digest_algorithm: string | null;
  readonly signature_algorithm: string | null;
  readonly signing_time: string | null;
  readonly timestamps: readonly { readonly kind: string; readonly time: string | null }[];
  readonly content_digest: ContentDigest;
  readonly signature: Check;
}

export interface SignedDataFacts {
  readonly certificates: readonly CertificateFacts[];
  readonly signers: readonly SignerFacts[];
}

/** Certificates and signers of a signature over a content; undefined when the content is not at hand. */
export function signedDataFacts(cms: Cms, content: Uint8Array | undefined): SignedDataFacts {
  return { certificates: cms.certificates.map(({ facts }) => facts), signers: cms.signers.map((signer) => signerFacts(signer, content)) };
}

function signerFacts(signer: CmsSigner, content: Uint8Array | undefined): SignerFacts {
  return {
    subject: signer.certificate?.facts.subject ?? null,
    certificate_sha256: signer.certificate?.facts.sha256 ?? null,
    digest_algorithm: signer.hash ?? null,
    signature_algorithm: schemeName(signer),
    signing_time: signingTime(signer) ?? null,
    timestamps: timestampsOf(signer).map(({ kind, time }) => ({ kind, time: time === null ? null : escapeUntrusted(time) })),
    content_digest: contentDigest(signer, content),
    signature: signatureCheck(signer, content),
  };
}

/** Where the scheme itself names no hash, the signer's digest algorithm is the one that was used. */
function schemeName({ scheme, hash }: CmsSigner): string | null {
  if (scheme === undefined) return null;
  return scheme.hash === undefined && hash !== undefined && scheme.kind !== "rsa-pss" && scheme.kind !== "eddsa" ? `${scheme.name} with ${hash}` : scheme.name;
}

/** Certificates and signers, as results carry them. */
export type SignedData = SignedDataFacts;

/**
 * Reads a CMS or PKCS #7 signature and checks it over `content`, or over the content inside it where none is given.
 * Throws `artifact_operation_failed` (reason `format`) for bytes that are no such signature.
 */
export function readSignedData(signature: Uint8Array, content?: Uint8Array): SignedData {
  const cms = readCms(signature);
  return signedDataFacts(cms, content ?? contentBytes(cms));
}

/** The digest that an Authenticode signature declares, whatever it is of. Throws as `readSignedData`. */
export function indirectDigest(signature: Uint8Array): { readonly algorithm: string | null; readonly digest: Uint8Array } | undefined {
  const { content, contentType } = readCms(signature);
  if (content === undefined || contentType !== oids.spcIndirectData) return undefined;
  const { algorithm, digest } = readIndirectData(content);
  return { algorithm: algorithm ?? null, digest: Buffer.from(digest, "hex") };
}
