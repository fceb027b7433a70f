import { createHash } from "node:crypto";
import { certificateFacts, checkRawSignature, publicKeyOf, type RawSignature, type SignedData } from "@rea/binary";
import { omission } from "@rea/core";
import type { FoundContradiction, ReaderInput } from "../../../format.js";
import type { PackageSignature } from "../../../integrity/manifest.js";
import { readSigners, type AlgorithmValue, type ApkSigner } from "./apk-signer.js";
import { chunkedDigest, verityDigest, type ApkContent } from "./content-digest.js";
import { blockPairs, schemeIds, type ApkScheme } from "./signing-block.js";

interface Algorithm {
  readonly name: string;
  readonly scheme: RawSignature["scheme"];
  readonly hash: "sha256" | "sha512";
  readonly saltLength?: number;
  readonly verity?: true;
}

const algorithms: { readonly [id: number]: Algorithm | undefined } = {
  0x0101: { name: "RSASSA-PSS with sha256", scheme: "rsa-pss", hash: "sha256", saltLength: 32 },
  0x0102: { name: "RSASSA-PSS with sha512", scheme: "rsa-pss", hash: "sha512", saltLength: 64 },
  0x0103: { name: "RSA with sha256", scheme: "rsa-pkcs1", hash: "sha256" },
  0x0104: { name: "RSA with sha512", scheme: "rsa-pkcs1", hash: "sha512" },
  0x0201: { name: "ECDSA with sha256", scheme: "ecdsa", hash: "sha256" },
  0x0202: { name: "ECDSA with sha512", scheme: "ecdsa", hash: "sha512" },
  0x0301: { name: "DSA with sha256", scheme: "dsa", hash: "sha256" },
  0x0421: { name: "RSA with sha256, verity", scheme: "rsa-pkcs1", hash: "sha256", verity: true },
  0x0423: { name: "ECDSA with sha256, verity", scheme: "ecdsa", hash: "sha256", verity: true },
  0x0425: { name: "DSA with sha256, verity", scheme: "dsa", hash: "sha256", verity: true },
};

/** A signer says by this attribute that a newer scheme was used as well, so that it cannot be taken away unseen. */
const newerSchemeAttribute = 0xbeeff00d;
const mostBlockBytes = 64 * 1024 * 1024;

/**
 * Verifies the signing block of an Android package: digests of the content recomputed, signatures checked with the keys
 * of the certificates named. The first content digest that does not hold is a contradiction of the package.
 */
export async function verifyApk(content: ApkContent, { report }: ReaderInput): Promise<void> {
  const size = content.directoryStart - content.blockStart;
  if (size > mostBlockBytes) {
    report.omission(omission("The signing block is larger than any is and was not read.", "limit_entry_bytes", { limit: mostBlockBytes }));
    return;
  }
  const pairs = blockPairs(content.source.read(content.blockStart, size));
  const digests = new Map<string, string>();
  const found: { readonly scheme: ApkScheme; readonly newer: boolean }[] = [];
  let contradiction: FoundContradiction | undefined;
  for (const scheme of ["apk-v3.1", "apk-v3", "apk-v2"] as const) {
    const value = pairs.find(({ id }) => id === schemeIds[scheme])?.value;
    if (value === undefined) continue;
    const signers = readSigners(scheme, value);
    if (signers === undefined) {
      report.omission(omission(`The block of ${scheme} is damaged and was not verified.`, "malformed"));
      continue;
    }
    found.push({ scheme, newer: signers.some(({ attributes }) => attributes.some(({ id }) => id === newerSchemeAttribute)) });
    for (const signer of signers) {
      const judged = await judgeSigner(content, signer, digests);
      report.signature?.({ scheme, ...judged.signature });
      contradiction ??= judged.contradiction;
    }
  }
  if (found.some(({ scheme, newer }) => scheme === "apk-v2" && newer) && !found.some(({ scheme }) => scheme !== "apk-v2")) {
    report.anomaly({ anomaly: "manifest_conflict", offset: content.blockStart, detail: "The signer of scheme v2 says that the package was signed with v3 as well, and that signature is not there.", effect: "A signature was taken away; Android refuses the package." });
  }
  if (contradiction !== undefined) report.contradiction?.(contradiction);
}

interface Judged {
  readonly signature: Omit<PackageSignature, "scheme" | "path">;
  readonly contradiction: FoundContradiction | undefined;
}

async function judgeSigner(content: ApkContent, signer: ApkSigner, digests: Map<string, string>): Promise<Judged> {
  const [certificate] = signer.certificates;
  const problems: string[] = [];
  let contradiction: FoundContradiction | undefined;
  let digestsHeld = 0;
  for (const { id, value } of signer.digests) {
    const calculated = await contentDigest(content, id, digests);
    if (calculated === undefined) continue;
    if (calculated === value.toString("hex")) digestsHeld += 1;
    else contradiction ??= contradictionOf(algorithms[id]?.hash ?? "", value, calculated);
  }
  if (contradiction !== undefined) problems.push("The content does not have the digest that was signed.");
  const spki = certificate === undefined ? undefined : publicKeyOf(certificate);
  if (spki !== undefined && Buffer.compare(spki, signer.publicKey) !== 0) problems.push("The public key of the signer is not the one of its certificate.");
  const signers = signer.signatures.map((one) => signerFacts(signer, one, { held: digestsHeld > 0 && contradiction === undefined }));
  if (signers.some(({ signature }) => signature.verdict === "broken")) problems.push("A signature was not made with the key of its certificate.");
  const isVerified = digestsHeld > 0 && signers.some(({ signature }) => signature.verdict === "holds");
  const verdict = problems.length > 0 ? "broken" : isVerified ? "holds" : "not_verified";
  return {
    signature: { verdict, problems: verdict === "not_verified" ? ["No digest and signature of a known algorithm could be checked."] : problems, signers, certificates: signer.certificates.map(certificateFacts) },
    contradiction,
  };
}

function contradictionOf(algorithm: string, declared: Buffer, observed: string): FoundContradiction {
  const detail = "The package does not have the content digest declared in its signing block.";
  return { algorithm, declared: declared.toString("hex"), observed, declaredBy: "the APK signing block", detail };
}

async function contentDigest(content: ApkContent, id: number, known: Map<string, string>): Promise<string | undefined> {
  const algorithm = algorithms[id];
  if (algorithm === undefined) return undefined;
  const key = algorithm.verity === true ? "verity" : algorithm.hash;
  const digest = known.get(key) ?? (algorithm.verity === true ? await verityDigest(content) : await chunkedDigest(content, algorithm.hash));
  known.set(key, digest);
  return digest;
}

function signerFacts(signer: ApkSigner, { id, value }: AlgorithmValue, { held }: { readonly held: boolean }): SignedData["signers"][number] {
  const [certificate] = signer.certificates;
  const algorithm = algorithms[id];
  const digest = signer.digests.find((one) => one.id === id);
  const facts = certificate === undefined ? undefined : certificateFacts(certificate);
  const unknown = (reason: string) => ({ verdict: "not_verified" as const, reason });
  return {
    subject: facts?.subject ?? null,
    certificate_sha256: certificate === undefined ? null : createHash("sha256").update(certificate).digest("hex"),
    digest_algorithm: algorithm?.hash ?? null,
    signature_algorithm: algorithm?.name ?? `algorithm 0x${id.toString(16)}`,
    signing_time: null,
    timestamps: [],
    content_digest: {
      ...(digest === undefined ? unknown("No digest of that algorithm is signed.") : { verdict: held ? ("holds" as const) : ("broken" as const), reason: null }),
      algorithm: algorithm?.hash ?? null,
      declared: digest?.value.toString("hex") ?? null,
      calculated: null,
    },
    signature:
      certificate === undefined
        ? unknown("The signer has no certificate.")
        : algorithm === undefined
          ? unknown("The signature algorithm is not known.")
          : checkRawSignature(certificate, { ...algorithm, data: signer.signedData, signature: value }),
  };
}
