import { memorySource, type SubjectFormat } from "@rea/core";
import { availableArchitectures } from "@rea/binary";
import type { ArtifactKind } from "../graph/graph.js";

export interface Role {
  readonly kind: ArtifactKind;
  readonly mediaType: string | null;
  readonly architecture: string | null;
  readonly program: boolean;
}

const programs: ReadonlySet<SubjectFormat> = new Set<SubjectFormat>(["elf", "pe", "mach-o", "mach-o-universal"]);

/** Whether more than the first few bytes are needed to tell what a content of a format is. */
export function isProgram(format: SubjectFormat): boolean {
  return programs.has(format);
}

/** What a content is at its place: by its format, its first bytes and its name. */
export function roleOf(format: SubjectFormat, head: Uint8Array, path: string, isContainer: boolean): Role {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const program = isProgram(format);
  return {
    kind: program ? programKind(format, head, name) : kindOf(format, name, isContainer),
    mediaType: mediaTypes[format] ?? mediaTypeOfName(name),
    architecture: program ? architectureOf(head) : null,
    program,
  };
}

function programKind(format: SubjectFormat, head: Uint8Array, name: string): ArtifactKind {
  if (name.endsWith(".node")) return "native-addon";
  return isLibrary(format, new DataView(head.buffer, head.byteOffset, head.byteLength)) ? "dynamic-library" : "executable";
}

function isLibrary(format: SubjectFormat, head: DataView): boolean {
  switch (format) {
    case "elf":
      return isSharedObject(head);
    case "pe":
      return isDll(head);
    case "mach-o":
      return isDylib(head);
    default:
      return false;
  }
}

// gABI: e_type ET_DYN; a program that is one as well names its interpreter (PT_INTERP).
function isSharedObject(head: DataView): boolean {
  if (head.byteLength < 64) return false;
  const little = head.getUint8(5) !== 2;
  if (head.getUint16(16, little) !== 3) return false;
  const wide = head.getUint8(4) === 2;
  const table = wide ? Number(head.getBigUint64(32, little)) : head.getUint32(28, little);
  const entryBytes = head.getUint16(wide ? 54 : 42, little);
  const count = head.getUint16(wide ? 56 : 44, little);
  for (let index = 0; index < count; index += 1) {
    const at = table + index * entryBytes;
    if (at + 4 > head.byteLength) return false;
    if (head.getUint32(at, little) === 3) return false;
  }
  return true;
}

// PE/COFF §3.3: Characteristics, IMAGE_FILE_DLL.
function isDll(head: DataView): boolean {
  if (head.byteLength < 64) return false;
  const at = head.getUint32(60, true) + 22;
  return at + 2 <= head.byteLength && (head.getUint16(at, true) & 0x2000) !== 0;
}

// mach-o/loader.h: filetype MH_DYLIB and MH_BUNDLE.
function isDylib(head: DataView): boolean {
  if (head.byteLength < 16) return false;
  const little = head.getUint8(0) >= 0xce;
  const type = head.getUint32(12, little);
  return type === 6 || type === 8;
}

function architectureOf(head: Uint8Array): string | null {
  const names = availableArchitectures(memorySource(head));
  return names.length === 1 ? (names[0] ?? null) : null;
}

const packageFiles: ReadonlySet<string> = new Set([
  "package.json",
  "package-lock.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "androidmanifest.xml",
  "appxmanifest.xml",
  "manifest.json",
  "pkginfo",
  "record",
  "metadata",
  "cargo.toml",
  "composer.json",
]);

function kindOf(format: SubjectFormat, name: string, isContainer: boolean): ArtifactKind {
  if (format === "directory") return name.endsWith(".framework") ? "framework" : "container";
  if (isContainer) return "container";
  if (format === "source-map") return "source-map";
  if (format === "javascript" || format === "javascript-bundle") return "javascript";
  if (packageFiles.has(name)) return "package-metadata";
  if (format === "plist") return name.endsWith(".entitlements") || name.endsWith(".xcent") ? "entitlements" : "plist";
  return format === "file" || format === "unknown" ? "unknown" : "resource";
}

const mediaTypes: { readonly [F in SubjectFormat]?: string } = {
  zip: "application/zip",
  apk: "application/vnd.android.package-archive",
  tar: "application/x-tar",
  gzip: "application/gzip",
  bzip2: "application/x-bzip2",
  xz: "application/x-xz",
  zstd: "application/zstd",
  "7z": "application/x-7z-compressed",
  rpm: "application/x-rpm",
  deb: "application/vnd.debian.binary-package",
  dmg: "application/x-apple-diskimage",
  elf: "application/x-elf",
  pe: "application/vnd.microsoft.portable-executable",
  "mach-o": "application/x-mach-binary",
  "mach-o-universal": "application/x-mach-binary",
  javascript: "text/javascript",
  "source-map": "application/json",
  wasm: "application/wasm",
};

const mediaTypesByEnding: readonly (readonly [ending: string, mediaType: string])[] = [
  [".json", "application/json"],
  [".html", "text/html"],
  [".css", "text/css"],
  [".txt", "text/plain"],
  [".md", "text/markdown"],
  [".xml", "application/xml"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
  [".ico", "image/vnd.microsoft.icon"],
  [".woff2", "font/woff2"],
];

/** By the name's ending alone, where content shows nothing. */
function mediaTypeOfName(name: string): string | null {
  return mediaTypesByEnding.find(([ending]) => name.endsWith(ending))?.[1] ?? null;
}
