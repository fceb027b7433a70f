import type { SubjectFormat } from "@rea/core";

/**
 * Every container that is opened, with its name as people write it: what is to be known of readers before one of them is
 * loaded. A test compares it with the readers.
 */
export const formatTitles: { readonly [F in SubjectFormat]?: string } = {
  zip: "ZIP archive (zip, jar, whl, nupkg, vsix, xpi, crx, docx and others)",
  ipa: "iOS application archive",
  apk: "Android package (apk, aab)",
  msix: "MSIX package or bundle",
  appx: "AppX package or bundle",
  asar: "ASAR archive (Electron)",
  tar: "tar",
  gzip: "gzip",
  bzip2: "bzip2",
  xz: "xz",
  zstd: "Zstandard",
  lz4: "LZ4",
  lzma: "LZMA",
  ar: "ar",
  deb: "Debian package",
  cpio: "cpio",
  rpm: "RPM package",
  iso9660: "ISO 9660 image",
  "7z": "7z archive",
  cab: "Cabinet (CAB)",
  ole: "Compound file (OLE; MSI, DOC, XLS, MSG)",
  squashfs: "SquashFS",
  pkg: "xar (Apple installer package)",
  pbzx: "pbzx (payload of an installer package)",
  dmg: "Apple disk image (UDIF)",
  "disk-image": "Partitioned disk",
  hfsplus: "HFS+ volume (HFSX and HFS+ in an HFS wrapper included)",
  apfs: "APFS container",
  "mach-o-universal": "Universal Mach-O",
};

/** Whether containers of a format are opened. */
export function isOpened(format: SubjectFormat): boolean {
  return formatTitles[format] !== undefined;
}
