import { findBytes } from "../byte-search.js";
import type { BinaryImage } from "../image.js";
import type { ContainerHint } from "./container-hint.js";

const isoMarkAt = 32_769;

/** Marks of packers, and of the two layouts of AppImage files. */
export function packerHints(image: BinaryImage): readonly ContainerHint[] {
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
  return [...hints, ...discImage(image)];
}

/** The program stands in the system area of a disc image, as in AppImage files of the first kind. */
function discImage({ source }: BinaryImage): readonly ContainerHint[] {
  if (source.size < isoMarkAt + 5 || Buffer.from(source.read(isoMarkAt, 5)).toString("latin1") !== "CD001") return [];
  return [{ kind: "iso9660", basis: "volume descriptors of ISO 9660 in the same file", file: { offset: 0, size: source.size } }];
}
