import type { SignedData } from "@rea/binary";
import type { PackageSignature } from "./manifest.js";

/** What the signers of a CMS signature come to together. */
export function signatureOf(scheme: string, { signers, certificates }: SignedData, path?: string): PackageSignature {
  const checks = signers.flatMap(({ signature, content_digest }) => [signature, content_digest]);
  const broken = signers.flatMap(({ signature, content_digest }) => [
    ...(content_digest.verdict === "broken" ? ["The signer signed another content."] : []),
    ...(signature.verdict === "broken" ? ["The signature was not made with the key of its certificate."] : []),
  ]);
  const open = checks.flatMap(({ verdict, reason }) => (verdict === "not_verified" && reason !== null ? [reason] : []));
  const isVerified = signers.some(({ signature }) => signature.verdict === "holds");
  const verdict = broken.length > 0 ? "broken" : isVerified ? "holds" : "not_verified";
  return { scheme, verdict, problems: verdict === "not_verified" ? open : broken, signers, certificates, ...(path === undefined ? {} : { path }) };
}
