/** Hash algorithms as `node:crypto` names them. */
export type HashName = "md5" | "sha1" | "sha224" | "sha256" | "sha384" | "sha512";

const hashes: { readonly [oid: string]: HashName | undefined } = {
  "1.2.840.113549.2.5": "md5",
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.4": "sha224",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

/** The hash algorithm of an object identifier. */
export function hashOfOid(oid: string): HashName | undefined {
  return hashes[oid];
}

/** How a signature is made; `hash` is undefined where the digest algorithm of the signer says it. */
export interface SignatureScheme {
  readonly name: string;
  readonly kind: "rsa" | "rsa-pss" | "ecdsa" | "dsa" | "eddsa";
  readonly hash: HashName | undefined;
}

const rsa = (hash: HashName | undefined): SignatureScheme => ({ name: hash === undefined ? "RSA" : `RSA with ${hash}`, kind: "rsa", hash });
const ecdsa = (hash: HashName | undefined): SignatureScheme => ({ name: hash === undefined ? "ECDSA" : `ECDSA with ${hash}`, kind: "ecdsa", hash });

const schemes: { readonly [oid: string]: SignatureScheme | undefined } = {
  "1.2.840.113549.1.1.1": rsa(undefined),
  "1.2.840.113549.1.1.4": rsa("md5"),
  "1.2.840.113549.1.1.5": rsa("sha1"),
  "1.2.840.113549.1.1.14": rsa("sha224"),
  "1.2.840.113549.1.1.11": rsa("sha256"),
  "1.2.840.113549.1.1.12": rsa("sha384"),
  "1.2.840.113549.1.1.13": rsa("sha512"),
  "1.2.840.113549.1.1.10": { name: "RSASSA-PSS", kind: "rsa-pss", hash: undefined },
  "1.2.840.10045.2.1": ecdsa(undefined),
  "1.2.840.10045.4.1": ecdsa("sha1"),
  "1.2.840.10045.4.3.1": ecdsa("sha224"),
  "1.2.840.10045.4.3.2": ecdsa("sha256"),
  "1.2.840.10045.4.3.3": ecdsa("sha384"),
  "1.2.840.10045.4.3.4": ecdsa("sha512"),
  "1.2.840.10040.4.1": { name: "DSA", kind: "dsa", hash: undefined },
  "1.2.840.10040.4.3": { name: "DSA with sha1", kind: "dsa", hash: "sha1" },
  "2.16.840.1.101.3.4.3.2": { name: "DSA with sha256", kind: "dsa", hash: "sha256" },
  "1.3.101.112": { name: "Ed25519", kind: "eddsa", hash: undefined },
};

/** The signature scheme of an object identifier. */
export function schemeOfOid(oid: string): SignatureScheme | undefined {
  return schemes[oid];
}

/** Attributes and content types that are looked at (RFC 5652, RFC 3161, Authenticode). */
export const oids = {
  signedData: "1.2.840.113549.1.7.2",
  messageDigest: "1.2.840.113549.1.9.4",
  signingTime: "1.2.840.113549.1.9.5",
  counterSignature: "1.2.840.113549.1.9.6",
  rfc3161Token: "1.2.840.113549.1.9.16.2.14",
  microsoftTimestamp: "1.3.6.1.4.1.311.3.3.1",
  nestedSignature: "1.3.6.1.4.1.311.2.4.1",
  spcIndirectData: "1.3.6.1.4.1.311.2.1.4",
  spcProgramInfo: "1.3.6.1.4.1.311.2.1.12",
  pageHashesSha1: "1.3.6.1.4.1.311.2.3.1",
  pageHashesSha256: "1.3.6.1.4.1.311.2.3.2",
  appleHashAgility: "1.2.840.113635.100.9.1",
  appleHashAgilityV2: "1.2.840.113635.100.9.2",
} as const;
