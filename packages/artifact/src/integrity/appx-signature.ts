import { indirectDigest, readSignedData } from "@rea/binary";
import type { DeclaredMember, MemberManifest } from "./manifest.js";
import type { ManifestFiles } from "./manifest-files.js";
import { signatureOf } from "./package-signature.js";

const declaredBy = "the package's AppxSignature";
const magic = "PKCX";

/** Tags of the digests in the signature; those of the archive's own bytes (AXPC, AXCD) are not recomputed. */
const digested: { readonly [tag: string]: string | undefined } = {
  AXCT: "[Content_Types].xml",
  AXBM: "AppxBlockMap.xml",
  AXCI: "AppxMetadata/CodeIntegrity.cat",
};

/** The signature of an APPX or MSIX package: digests of the block map and of other parts, signed. */
export async function appxSignature(path: string, files: ManifestFiles): Promise<MemberManifest | undefined> {
  const bytes = await files.read(path);
  if (bytes === undefined || Buffer.from(bytes.subarray(0, 4)).toString("latin1") !== magic) return undefined;
  const root = path.slice(0, -"AppxSignature.p7x".length);
  const signature = bytes.subarray(4);
  const declared = Buffer.from(indirectDigest(signature)?.digest ?? new Uint8Array(0));
  const members = new Map<string, DeclaredMember>();
  let unchecked = 0;
  // "APPX", then tags of four characters with a SHA-256 digest each.
  for (let at = 4; declared.toString("latin1", 0, 4) === "APPX" && at + 36 <= declared.byteLength; at += 36) {
    const member = digested[declared.toString("latin1", at, at + 4)];
    if (member === undefined) unchecked += 1;
    else members.set(root + member, { checks: [{ kind: "digest", algorithm: "sha256", hex: declared.toString("hex", at + 4, at + 36), declaredBy }], optional: false });
  }
  return { kind: "appx-signature", declaredBy, path, root, members, unchecked, problems: [], signatures: [signatureOf("appx", readSignedData(signature), path)] };
}
