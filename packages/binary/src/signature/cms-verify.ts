import { constants, createHash, verify, type KeyObject } from "node:crypto";
import type { CmsSigner } from "./cms.js";
import { derChildren, integerHex, octetsOf, oidOf, type DerNode } from "./der.js";
import { hashOfOid, oids, type HashName } from "./object-identifiers.js";

/** `not_verified` says why in `reason`; nothing here speaks of trust. */
export interface Check {
  readonly verdict: "holds" | "broken" | "not_verified";
  readonly reason: string | null;
}

/** The digest that a signer's attributes declare for the content, against the content's own. */
export interface ContentDigest extends Check {
  readonly algorithm: string | null;
  readonly declared: string | null;
  readonly calculated: string | null;
}

const holds: Check = { verdict: "holds", reason: null };

function unknown(reason: string): Check {
  return { verdict: "not_verified", reason };
}

/** Compares the content with the message digest among the signed attributes. */
export function contentDigest(signer: CmsSigner, content: Uint8Array | undefined): ContentDigest {
  const declared = declaredDigest(signer);
  const algorithm = signer.hash ?? null;
  if (declared === undefined) return { ...unknown("The signer has no signed attributes; the signature covers the content itself."), algorithm, declared: null, calculated: null };
  if (signer.hash === undefined) return { ...unknown("The digest algorithm is not known."), algorithm, declared, calculated: null };
  if (content === undefined) return { ...unknown("The signed content is not at hand."), algorithm, declared, calculated: null };
  const calculated = createHash(signer.hash).update(content).digest("hex");
  return { verdict: calculated === declared ? "holds" : "broken", reason: null, algorithm, declared, calculated };
}

function declaredDigest({ signed }: CmsSigner): string | undefined {
  const value = signed.get(oids.messageDigest)?.[0];
  return value === undefined ? undefined : Buffer.from(octetsOf(value)).toString("hex");
}

/** Checks the signature with the key of the signer's own certificate; whether that certificate is to be trusted is not asked. */
export function signatureCheck(signer: CmsSigner, content: Uint8Array | undefined): Check {
  const { certificate, scheme, signedBytes } = signer;
  const data = signedBytes ?? content;
  if (certificate === undefined) return unknown("The signer's certificate is not part of the signature.");
  if (certificate.key === undefined) return unknown("The key of the signer's certificate cannot be read.");
  if (scheme === undefined) return unknown("The signature algorithm is not known.");
  if (data === undefined) return unknown("The signed content is not at hand.");
  const hash = scheme.hash ?? signer.hash;
  const { key } = certificate;
  if (scheme.kind === "rsa-pss") return pss(key, { data, signature: signer.signature, parameters: signer.schemeParameters });
  if (hash === undefined && scheme.kind !== "eddsa") return unknown("The digest algorithm is not known.");
  return checked(() => verify(hash ?? null, data, key, signer.signature));
}

interface PssInput {
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
  readonly parameters: DerNode | undefined;
}

function pss(key: KeyObject, { data, signature, parameters }: PssInput): Check {
  const { hash, saltLength } = pssParameters(parameters);
  return checked(() => verify(hash, data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature));
}

/** RFC 4055: hash and salt length stand in tagged fields, SHA-1 and 20 where they are left out. */
function pssParameters(parameters: DerNode | undefined): { readonly hash: HashName; readonly saltLength: number } {
  const fields = parameters === undefined ? [] : safely(() => derChildren(parameters), []);
  const inner = (tag: number): DerNode | undefined => {
    const field = fields.find((one) => one.tag === tag);
    return field === undefined ? undefined : safely(() => derChildren(field)[0], undefined);
  };
  const hashNode = inner(0xa0);
  const salt = inner(0xa2);
  const oid = hashNode === undefined ? undefined : safely(() => derChildren(hashNode)[0], undefined);
  return {
    hash: (oid === undefined ? undefined : hashOfOid(oidOf(oid))) ?? "sha1",
    saltLength: salt === undefined ? 20 : Number.parseInt(integerHex(salt).slice(0, 8), 16),
  };
}

/** The host's verifier throws on keys and parameters it does not take; that is no verdict. */
export function checked(run: () => boolean): Check {
  try {
    return run() ? holds : { verdict: "broken", reason: null };
  } catch {
    return unknown("The key and the signature algorithm do not go together.");
  }
}

function safely<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
