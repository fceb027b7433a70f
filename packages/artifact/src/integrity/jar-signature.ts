import { createHash } from "node:crypto";
import { readSignedData, type SignedData } from "@rea/binary";
import { isReaError } from "@rea/core";
import { attributeSections, namedSections, type AttributeSection } from "./attribute-sections.js";
import { algorithmNamed, base64Digest, hexDigest } from "./declared-digest.js";
import type { DeclaredCheck } from "../format.js";
import type { DeclaredMember, ManifestProblem, PackageSignature } from "./manifest.js";
import type { ManifestFiles } from "./manifest-files.js";
import { signatureOf } from "./package-signature.js";

export interface JarManifestFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly sections: readonly AttributeSection[];
}

export interface JarSignatures {
  readonly isSigned: boolean;
  /** What signature files declare of the manifest, and signatures of signature files. */
  readonly members: ReadonlyMap<string, DeclaredMember>;
  readonly problems: readonly ManifestProblem[];
  readonly signatures: readonly PackageSignature[];
}

const signatureFile = /^META-INF\/([^/]+)\.SF$/iu;

/** Reads every signature file (`.SF`) with its signature (`.RSA`, `.DSA`, `.EC`). */
export async function jarSignatureFiles(manifest: JarManifestFile, files: ManifestFiles): Promise<JarSignatures> {
  const members = new Map<string, DeclaredMember>();
  const problems: ManifestProblem[] = [];
  const signatures: PackageSignature[] = [];
  const names = files.names.filter((name) => signatureFile.test(name));
  for (const name of names) {
    const bytes = await files.read(name);
    if (bytes === undefined) continue;
    const declared = compareManifest(name, bytes, manifest);
    problems.push(...declared.problems);
    if (declared.check !== undefined) addCheck(members, manifest.path, declared.check);
    const signed = await signatureBeside(name, bytes, files);
    signatures.push(signed.signature);
    for (const check of signed.checks) addCheck(members, name, check);
  }
  return { isSigned: names.length > 0, members, problems, signatures };
}

function addCheck(members: Map<string, DeclaredMember>, path: string, check: DeclaredCheck): void {
  members.set(path, { checks: [...(members.get(path)?.checks ?? []), check], optional: false });
}

interface Compared {
  /** Of the manifest as a whole. */
  readonly check: DeclaredCheck | undefined;
  readonly problems: readonly ManifestProblem[];
}

/**
 * A manifest that was added to after signing does not have its whole digest any more, and verifies all the same when the
 * sections that were signed are as they were.
 */
function compareManifest(path: string, bytes: Uint8Array, manifest: JarManifestFile): Compared {
  const [main, ...rest] = attributeSections(bytes);
  const whole = digests(main, /^(.+)-digest-manifest$/u);
  if (main === undefined || whole.length === 0 || whole.every((check) => holds(check, manifest.bytes))) return { check: whole[0], problems: [] };
  const changed = changedSections([main, ...rest], manifest);
  if (changed.length > 0) return { check: whole[0], problems: changed };
  const detail = "The manifest is another than the one that was signed, and the sections that were signed are unchanged: entries were added after signing.";
  return { check: undefined, problems: [{ anomaly: "manifest_conflict", path, detail, effect: "The added entries are not signed; programs that check each entry take the signed ones." }] };
}

function changedSections(sections: readonly AttributeSection[], manifest: JarManifestFile): readonly ManifestProblem[] {
  const own = new Map([...namedSections(manifest.sections)].map(({ name, section }) => [name, section] as const));
  const problems: ManifestProblem[] = [];
  const [main] = manifest.sections;
  const mainDigests = digests(sections[0], /^(.+)-digest-manifest-main-attributes$/u);
  if (main !== undefined && !mainDigests.every((check) => holds(check, main.bytes))) {
    problems.push({ anomaly: "digest_mismatch", path: manifest.path, detail: "The main attributes of the manifest are not those that were signed.", effect: "Programs that check the signature refuse the package." });
  }
  for (const { name, section } of namedSections(sections)) {
    const found = own.get(name);
    const effect = "Programs that check the signature refuse this member.";
    if (found === undefined) problems.push({ anomaly: "manifest_missing_member", path: name, detail: "The signature file names a member that the manifest does not.", effect });
    else if (!digests(section, /^(.+)-digest$/u).every((check) => holds(check, found.bytes))) {
      problems.push({ anomaly: "digest_mismatch", path: name, detail: "The manifest's section about this member is not the one that was signed.", effect });
    }
  }
  return problems;
}

function digests(section: AttributeSection | undefined, name: RegExp): readonly (DeclaredCheck & { readonly kind: "digest" })[] {
  return [...(section?.attributes ?? [])].flatMap(([key, value]) => {
    const algorithm = algorithmNamed(name.exec(key)?.[1] ?? "");
    const check = algorithm === undefined ? undefined : base64Digest(algorithm, value, "a JAR signature file");
    return check?.kind === "digest" ? [check] : [];
  });
}

function holds({ algorithm, hex }: { readonly algorithm: string; readonly hex: string }, bytes: Uint8Array): boolean {
  return createHash(algorithm).update(bytes).digest("hex") === hex;
}

interface SignedFile {
  readonly signature: PackageSignature;
  readonly checks: readonly DeclaredCheck[];
}

async function signatureBeside(path: string, bytes: Uint8Array, files: ManifestFiles): Promise<SignedFile> {
  const base = (signatureFile.exec(path)?.[1] ?? "").toLowerCase();
  const block = files.names.find((name) => /^META-INF\/([^/]+)\.(?:RSA|DSA|EC)$/iu.exec(name)?.[1]?.toLowerCase() === base);
  const none = (why: string): SignedFile => ({ signature: { scheme: "jar", path, verdict: "not_verified", problems: [why], signers: [], certificates: [] }, checks: [] });
  const signature = block === undefined ? undefined : await files.read(block);
  if (block === undefined || signature === undefined) return none("The signature file has no signature beside it.");
  const data = attempt(() => readSignedData(signature, bytes));
  if (data === undefined) return none("The signature beside the signature file is damaged.");
  return { signature: signatureOf("jar", data, block), checks: data.signers.flatMap(contentCheck) };
}

/** What a signer says of the signature file is a digest of that member like any other. */
function contentCheck({ content_digest }: SignedData["signers"][number]): readonly DeclaredCheck[] {
  const algorithm = algorithmNamed(content_digest.algorithm ?? "");
  const check = algorithm === undefined || content_digest.declared === null ? undefined : hexDigest(algorithm, content_digest.declared, "a JAR signature");
  return check === undefined ? [] : [check];
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isReaError(error) && error.code === "artifact_operation_failed") return undefined;
    throw error;
  }
}
