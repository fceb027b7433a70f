import { archiveFormats, ByteReader, type ByteSource, type SubjectFormat } from "@rea/core";
import { diskFormat, isDmg } from "./disk-formats.js";
import { formatBehindPrefix } from "./behind-prefix.js";
import { isBinaryCpio } from "./cpio-header.js";
import { headerProblem } from "./executable-header.js";
import { isUniversal } from "./macho/index.js";
import { signatureFormat } from "./signatures.js";
import { hasZipEnd, isAsar, isJavaClass, isLzmaAlone, isTarHeader, isXmlPlist } from "./structure-checks.js";

export interface DetectedFormat {
  readonly format: SubjectFormat;
  readonly kind: "executable" | "archive" | "artifact" | "database";
  /** Why content that starts like an executable is not one. */
  readonly reason: string | undefined;
}

const executables: ReadonlySet<SubjectFormat> = new Set<SubjectFormat>(["elf", "pe", "mach-o", "mach-o-universal"]);
const archives: ReadonlySet<SubjectFormat> = new Set<SubjectFormat>(archiveFormats);

/** True for formats that hold other files. */
export function isArchiveFormat(format: SubjectFormat): boolean {
  return archives.has(format);
}

/**
 * Tells a file's format by its content; a name only refines (`.apk` among zip files) or decides where content cannot
 * (JavaScript). Content that starts like an executable with a header that is cut short is an `artifact` of format
 * `file`, with the reason. Reads a few kilobytes at fixed places.
 */
export function detectFormat(source: ByteSource, name = ""): DetectedFormat {
  const suffix = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (suffix === "hop") return { format: "hopper", kind: "database", reason: undefined };
  const format = contentFormat(source) ?? formatBehindPrefix(source, suffix);
  if (format === undefined) return { format: suffixFormats[suffix] ?? "file", kind: "artifact", reason: cutProgram(source) };
  if (isExecutableFormat(format)) return executable(source, format);
  const refined = format === "zip" ? (zipSuffixes[suffix] ?? format) : format;
  return { format: refined, kind: archives.has(refined) ? "archive" : "artifact", reason: undefined };
}

type ExecutableFormat = "elf" | "pe" | "mach-o" | "mach-o-universal";

function isExecutableFormat(format: SubjectFormat): format is ExecutableFormat {
  return executables.has(format);
}

function executable(source: ByteSource, format: ExecutableFormat): DetectedFormat {
  const reason = headerProblem(source, format);
  return reason === undefined ? { format, kind: "executable", reason } : { format: "file", kind: "artifact", reason };
}

const zipSuffixes: { readonly [suffix: string]: SubjectFormat | undefined } = {
  ipa: "ipa",
  apk: "apk",
  msix: "msix",
  msixbundle: "msix",
  appx: "appx",
  appxbundle: "appx",
};

const suffixFormats: { readonly [suffix: string]: SubjectFormat | undefined } = {
  plist: "plist",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  map: "source-map",
};

/** The format the content alone shows; undefined for data without a known structure. */
export function contentFormat(source: ByteSource): SubjectFormat | undefined {
  // The data of an image stands in front of what makes it one, and may start like any compressed file.
  if (isDmg(source)) return "dmg";
  const signed = signatureFormat(source);
  if (signed !== undefined && signed !== "tar") return signed;
  if (isTarHeader(source)) return "tar";
  const first = source.size === 0 ? undefined : source.read(0, 1)[0];
  const plain = first === undefined ? undefined : formatByFirst(source, first);
  if (plain !== undefined) return plain;
  if (hasZipEnd(source)) return "zip";
  const disk = diskFormat(source);
  if (disk !== undefined) return disk;
  if ((first === 0x71 || first === 0xc7) && isBinaryCpio(source)) return "cpio";
  return first === 0x5d && isLzmaAlone(source) ? "lzma" : undefined;
}

/** Structures of which the first byte is known; most contents are ruled out by it, and directories hold many. */
function formatByFirst(source: ByteSource, first: number): SubjectFormat | undefined {
  switch (first) {
    case 0xca:
      if (isUniversal(source)) return "mach-o-universal";
      return isJavaClass(source) ? "class" : undefined;
    case 0xbe:
    case 0xbf:
      return isUniversal(source) ? "mach-o-universal" : undefined;
    case 0x4d:
      return isPortableExecutable(source) ? "pe" : undefined;
    case 0x04:
      return isAsar(source) ? "asar" : undefined;
    default:
      return startsText.has(first) && isXmlPlist(source) ? "plist" : undefined;
  }
}

/** The bracket, what may stand in front of it as white space, and the first bytes of byte order marks. */
const startsText: ReadonlySet<number> = new Set([0x3c, 0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0xa0, 0xef, 0xff]);

/** A file that starts like a PE whose header pointer leads out of it. */
function cutProgram(source: ByteSource): string | undefined {
  if (source.size < 2) return undefined;
  const [first, second] = source.read(0, 2);
  if (first !== 0x4d || second !== 0x5a) return undefined;
  const complete = source.size >= 64 && new ByteReader(source).u32(60) + 4 <= source.size;
  return complete ? undefined : "The MZ header is cut short, or the PE header it points at lies past the end of the file.";
}

/** MZ, and the PE signature where the DOS header points. */
function isPortableExecutable(source: ByteSource): boolean {
  if (source.size < 64) return false;
  const reader = new ByteReader(source);
  const at = reader.u32(60);
  return reader.u16(0) === 0x5a4d && at + 4 <= source.size && reader.u32(at) === 0x4550;
}
