import { sourceSlice, type SubjectFormat } from "@rea/core";
import { findBytes } from "./byte-search.js";
import type { BinaryImage, FileRange } from "./image.js";
import { overlayFormat } from "./overlay-format.js";
import { signatureFormat } from "./signatures.js";

/** Something packed into an executable, or a runtime it is made of. */
export interface ContainerHint {
  /** A format of the artifact tools, or a runtime such as `pyinstaller`. */
  readonly kind: string;
  /** Fixed words. */
  readonly basis: string;
  readonly file: FileRange | undefined;
}

/** Marks of embedded archives and of programs that carry a payload; each is a hint to look there, not a verdict. */
export function containerHints(image: BinaryImage): readonly ContainerHint[] {
  return [...overlayHints(image), ...trailerHints(image), ...packerHints(image), ...runtimeHints(image), ...sectionHints(image)];
}

const overlayMarks: readonly (readonly [string, string, string])[] = [
  ["nsis", "NullsoftInst", "NSIS header in the overlay"],
  ["inno-setup", "Inno Setup Setup Data", "Inno Setup header in the overlay"],
  ["7z-sfx", ";!@Install@!UTF-8!", "7-Zip installer configuration in the overlay"],
  ["autoit", "AU3!EA06", "AutoIt script mark in the overlay"],
];
const overlayHead = 1024 * 1024;

function overlayHints(image: BinaryImage): readonly ContainerHint[] {
  const overlay = image.overlay();
  if (overlay === undefined) return [];
  const format = overlayFormat(image.source, overlay);
  const hints: ContainerHint[] = format === undefined ? [] : [{ kind: format, basis: "signature at the start of the overlay", file: overlay }];
  const head = { offset: overlay.offset, size: Math.min(overlay.size, overlayHead) };
  for (const [kind, mark, basis] of overlayMarks) {
    const at = findBytes(image.source, head, Buffer.from(mark, "latin1"));
    if (at !== undefined) hints.push({ kind, basis, file: { offset: at, size: overlay.offset + overlay.size - at } });
  }
  return hints;
}

const trailerBytes = 22 + 65_535;
const zipEnd = Buffer.from("PK\u0005\u0006", "latin1");
const pyinstallerCookie = Buffer.from("MEI\u000c\u000b\u000a\u000b\u000e", "latin1");

/** Formats that are found from the end of a file. */
function trailerHints(image: BinaryImage): readonly ContainerHint[] {
  const { size } = image.source;
  const tail = { offset: Math.max(0, size - trailerBytes), size: Math.min(size, trailerBytes) };
  const hints: ContainerHint[] = [];
  const cookie = findBytes(image.source, tail, pyinstallerCookie);
  if (cookie !== undefined) hints.push({ kind: "pyinstaller", basis: "archive cookie at the end of the file", file: { offset: cookie, size: size - cookie } });
  const end = findBytes(image.source, tail, zipEnd);
  if (end !== undefined) hints.push({ kind: "zip", basis: "zip end record at the end of the file", file: { offset: end, size: size - end } });
  return hints;
}

function packerHints(image: BinaryImage): readonly ContainerHint[] {
  const hints: ContainerHint[] = [];
  const upx = image.sections().items.slice(0, 16).some((section) => /^UPX[0-9!]/.test(section.name));
  const mark = findBytes(image.source, { offset: 0, size: 4096 }, Buffer.from("UPX!", "latin1"));
  if (upx || mark !== undefined) {
    const file = mark === undefined ? undefined : { offset: mark, size: 4 };
    hints.push({ kind: "upx", basis: upx ? "section names of the UPX packer" : "mark of the UPX packer", file });
  }
  if (image.format === "elf" && image.source.size > 11) {
    const [a, i, version] = image.source.read(8, 3);
    if (a === 0x41 && i === 0x49 && (version === 1 || version === 2)) {
      hints.push({ kind: "appimage", basis: "AppImage mark in the ELF identification", file: { offset: 8, size: 3 } });
    }
  }
  return hints;
}

/** The .NET host's bundle mark: 32 fixed bytes behind the offset of the bundle header, which is 0 in an empty host. */
const dotnetBundle = Buffer.from("8b1202b96a612038727b930214d7a03213f5b9e6efae3318ee3b2dce24b36aae", "hex");
const seaFuse = Buffer.from("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1", "latin1");
const electronMark = Buffer.from("ELECTRON_RUN_AS_NODE", "latin1");
const searchedBytes = 256 * 1024 * 1024;

function runtimeHints(image: BinaryImage): readonly ContainerHint[] {
  const hints: ContainerHint[] = [];
  const data = dataRanges(image);
  const bundle = findIn(image, data, dotnetBundle);
  if (bundle !== undefined && bundle >= 8 && image.source.read(bundle - 8, 8).some((byte) => byte !== 0)) {
    hints.push({ kind: "dotnet-single-file", basis: "bundle mark of the .NET host with a header offset", file: { offset: bundle - 8, size: 40 } });
  }
  const fuse = findIn(image, data, seaFuse);
  if (fuse !== undefined) hints.push({ kind: "node-single-executable", basis: "Node.js application fuse is set", file: { offset: fuse, size: seaFuse.length } });
  const electron = findIn(image, data, electronMark);
  if (electron !== undefined) hints.push({ kind: "electron", basis: "name of an Electron environment variable", file: { offset: electron, size: electronMark.length } });
  const node = image.exports().items.some((item) => item.name === "napi_create_function" || item.name === "_napi_create_function");
  if (node && electron === undefined) hints.push({ kind: "node", basis: "exported Node-API functions", file: undefined });
  return hints;
}

function dataRanges(image: BinaryImage): readonly FileRange[] {
  let left = searchedBytes;
  const ranges: FileRange[] = [];
  for (const section of image.sections().items.slice(0, 512)) {
    if (section.file === undefined || (section.kind !== "rodata" && section.kind !== "data")) continue;
    const size = Math.min(section.file.size, left);
    left -= size;
    if (size > 0) ranges.push({ offset: section.file.offset, size });
  }
  return ranges;
}

function findIn(image: BinaryImage, ranges: readonly FileRange[], pattern: Uint8Array): number | undefined {
  for (const range of ranges) {
    const at = findBytes(image.source, range, pattern);
    if (at !== undefined) return at;
  }
  return undefined;
}

const sectionFormats: ReadonlySet<SubjectFormat> = new Set<SubjectFormat>(["zip", "7z", "xz", "zstd", "gzip", "bzip2", "lz4", "cab", "squashfs", "elf"]);
const searchedSections = 256;

function sectionHints(image: BinaryImage): readonly ContainerHint[] {
  return image.sections().items.slice(0, searchedSections).flatMap((section): ContainerHint[] => {
    if (section.file === undefined || section.file.size < 64 || section.kind === "code") return [];
    const format = signatureFormat(sourceSlice(image.source, section.file.offset, section.file.size));
    if (format === undefined || !sectionFormats.has(format)) return [];
    return [{ kind: format, basis: "signature at the start of a section", file: section.file }];
  });
}
