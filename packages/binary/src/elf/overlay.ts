import type { FileRange, SignatureLocation } from "../image.js";
import type { ElfFile } from "./elf-file.js";
import { insideFile } from "./ranges.js";
import { sectionTypes } from "./section-headers.js";

/** What follows the last byte that a header, segment or section accounts for. */
export function elfOverlay(file: ElfFile): FileRange | undefined {
  const { header } = file;
  let end = Math.min(header.size, file.reader.size);
  const account = (offset: number, size: number): void => {
    const range = insideFile(file, offset, size);
    if (range.size > 0) end = Math.max(end, range.offset + range.size);
  };
  account(header.programs.offset, file.programs.length * header.programs.stride);
  account(header.sections.offset, file.sections.length * header.sections.stride);
  for (const program of file.programs) account(program.offset, program.fileSize);
  for (const section of file.sections) {
    if (section.type !== sectionTypes.noBits && section.type !== sectionTypes.nothing) account(section.offset, section.size);
  }
  return end < file.reader.size ? { offset: end, size: file.reader.size - end } : undefined;
}

const moduleMagic = "~Module signature appended~\n";

/** A Linux kernel module carries a PKCS #7 signature, a 12-byte trailer and a text behind its sections. */
export function elfSignatures(file: ElfFile): readonly SignatureLocation[] {
  const trailer = moduleMagic.length + 12;
  const { reader } = file;
  if (reader.size < trailer) return [];
  const magicAt = reader.size - moduleMagic.length;
  if (Buffer.from(reader.bytes(magicAt, moduleMagic.length)).toString("latin1") !== moduleMagic) return [];
  const bytes = reader.bytes(magicAt - 4, 4);
  const size = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, false);
  const offset = magicAt - 12 - size;
  return offset < 0 ? [] : [{ kind: "kernel-module-signature", file: { offset, size } }];
}
