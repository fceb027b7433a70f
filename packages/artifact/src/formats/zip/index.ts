import type { SubjectFormat } from "@rea/core";
import { defineFormat, type RandomFormat } from "../../format.js";
import { readZip } from "./read-zip.js";

const notes = [
  "Central directory and local headers are both read; members that only one of them has are listed.",
  "Zip64, data descriptors of all four forms, Unicode path fields, Unix modes and symbolic links are read.",
  "Stored, deflate, deflate64, bzip2, LZMA, xz and zstd data is decoded; encrypted members are named and not decrypted.",
  "Lists of digests are read before the members they speak of: JAR manifests with signature files and signatures, wheel RECORD, bundle CodeResources, APPX block maps and signatures, Open Packaging signatures, npm lockfiles, and ElectronAsarIntegrity of Info.plist or of a Windows program.",
  "The signing block of Android packages is verified: schemes v2, v3 and v3.1, content digests in chunks and as a tree, signatures by the keys of the certificates named.",
  "Parts of a split archive are not joined.",
] as const;

function zipFormat(id: SubjectFormat, title: string): RandomFormat {
  return defineFormat({ id, title, notes, access: "random", readsAhead: true, entries: readZip });
}

/** ZIP archives and packages that are one. */
export const zipFormats = [
  zipFormat("zip", "ZIP archive (zip, jar, whl, nupkg, vsix, xpi, crx, docx and others)"),
  zipFormat("ipa", "iOS application archive"),
  zipFormat("apk", "Android package (apk, aab)"),
  zipFormat("msix", "MSIX package or bundle"),
  zipFormat("appx", "AppX package or bundle"),
] as const;
