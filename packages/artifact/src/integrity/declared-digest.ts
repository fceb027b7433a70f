import type { DeclaredCheck, DigestAlgorithm } from "../format.js";

const bytesOf: { readonly [A in DigestAlgorithm]: number } = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 };

/** Strongest first. */
export const digestAlgorithms: readonly DigestAlgorithm[] = ["sha512", "sha384", "sha256", "sha1", "md5"];

/** The algorithm of a name such as `SHA-256`, `sha256` or `SHA1`; undefined for one that is not computed here. */
export function algorithmNamed(name: string): DigestAlgorithm | undefined {
  const plain = name.toLowerCase().replace(/^sha-/u, "sha");
  return digestAlgorithms.find((algorithm) => algorithm === plain);
}

/** A digest in base64, also of the URL alphabet and without padding; undefined when it has another length than the algorithm's. */
export function base64Digest(algorithm: DigestAlgorithm, text: string, declaredBy: string): DeclaredCheck | undefined {
  const bytes = Buffer.from(text.trim(), "base64");
  return bytes.byteLength === bytesOf[algorithm] ? { kind: "digest", algorithm, hex: bytes.toString("hex"), declaredBy } : undefined;
}

/** A digest in hexadecimal digits; undefined when it has another length than the algorithm's. */
export function hexDigest(algorithm: DigestAlgorithm, text: string, declaredBy: string): DeclaredCheck | undefined {
  const isDigest = text.length === bytesOf[algorithm] * 2 && /^[0-9a-f]+$/iu.test(text);
  return isDigest ? { kind: "digest", algorithm, hex: text.toLowerCase(), declaredBy } : undefined;
}
