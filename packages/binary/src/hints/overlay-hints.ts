import { sourceSlice, type ByteSource } from "@rea/core";
import { findBytes } from "../byte-search.js";
import type { BinaryImage, FileRange } from "../image.js";
import { overlayFormat } from "../overlay-format.js";
import { archiveLength, archivesInside } from "./archive-marks.js";
import type { ContainerHint } from "./container-hint.js";

const marks: readonly (readonly [string, string, string])[] = [
  ["inno-setup", "Inno Setup Setup Data", "Inno Setup header in the overlay"],
  ["7z-sfx", ";!@Install@!UTF-8!", "7-Zip installer configuration in the overlay"],
  ["autoit", "AU3!EA06", "AutoIt script mark in the overlay"],
];
const headBytes = 1024 * 1024;

/** What stands behind everything the headers account for. */
export function overlayHints(image: BinaryImage): readonly ContainerHint[] {
  const overlay = image.overlay();
  if (overlay === undefined) return [];
  const { source } = image;
  const head = { offset: overlay.offset, size: Math.min(overlay.size, headBytes) };
  const marked = marks.flatMap(([kind, mark, basis]): readonly ContainerHint[] => {
    const at = findBytes(source, head, Buffer.from(mark, "latin1"));
    return at === undefined ? [] : [{ kind, basis, file: { offset: at, size: overlay.offset + overlay.size - at } }];
  });
  return [...atStart(source, overlay), ...nsis(source, overlay, head), ...marked, ...inside(source, overlay)];
}

function atStart(source: ByteSource, overlay: FileRange): readonly ContainerHint[] {
  const format = overlayFormat(source, overlay);
  // An archive with something in front is found from its end.
  if (format === undefined || (format === "zip" && !startsZip(source, overlay))) return [];
  const length = archiveLength(format, sourceSlice(source, overlay.offset, overlay.size)) ?? overlay.size;
  return [{ kind: format, basis: "signature at the start of the overlay", file: { offset: overlay.offset, size: Math.min(length, overlay.size) } }];
}

function startsZip(source: ByteSource, { offset, size }: FileRange): boolean {
  return size >= 4 && /^PK(?:\u0003\u0004|\u0005\u0006)$/.test(Buffer.from(source.read(offset, 4)).toString("latin1"));
}

function inside(source: ByteSource, overlay: FileRange): readonly ContainerHint[] {
  return archivesInside(source, overlay).map(({ kind, file }) => ({ kind, basis: "archive header in the overlay", file }));
}

const nsisMark = Buffer.concat([Buffer.from("efbeadde", "hex"), Buffer.from("NullsoftInst")]);

/** The installer's first header: flags, a fixed number, the name, its length, the length of everything from it on. */
function nsis(source: ByteSource, overlay: FileRange, head: FileRange): readonly ContainerHint[] {
  const mark = findBytes(source, head, nsisMark);
  if (mark === undefined || mark < 4) return [];
  const left = overlay.offset + overlay.size - (mark - 4);
  const declared = left < 28 ? left : Buffer.from(source.read(mark + 20, 4)).readUInt32LE(0);
  return [{ kind: "nsis", basis: "NSIS header in the overlay", file: { offset: mark - 4, size: declared === 0 ? left : Math.min(declared, left) } }];
}
