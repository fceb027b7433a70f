import { ByteReader, type ByteSource } from "@rea/core";
import { elfTypes, readElfHeader } from "./elf/file-header.js";
import { isFormatError } from "./findings.js";
import { readUniversal } from "./macho/index.js";

/**
 * Whether the header an executable starts with is whole. A header that declares structures beyond the end of the file
 * is no executable: nothing could load it. The answer is the reason, or undefined when the header is whole.
 */
export function headerProblem(source: ByteSource, format: "elf" | "mach-o" | "mach-o-universal" | "pe"): string | undefined {
  try {
    if (format === "elf") return elfProblem(source);
    if (format === "pe") return peProblem(source);
    if (format === "mach-o") return machoProblem(source);
    readUniversal(source);
    return undefined;
  } catch (error) {
    if (!isFormatError(error)) throw error;
    return format === "mach-o-universal" && error instanceof Error ? error.message : "The executable header is cut short.";
  }
}

function elfProblem(source: ByteSource): string | undefined {
  const { header } = readElfHeader(source);
  const beyond = (place: { readonly offset: number; readonly count: number; readonly stride: number }): boolean =>
    place.count > 0 && place.offset + place.count * place.stride > source.size;
  if (beyond(header.programs)) return "The ELF program header table reaches past the end of the file.";
  const needsSections = header.type === elfTypes.relocatable || header.programs.count === 0;
  if (needsSections && header.sections.count === 0) return "The ELF header declares neither segments nor sections.";
  return needsSections && beyond(header.sections) ? "The ELF section header table reaches past the end of the file." : undefined;
}

function peProblem(source: ByteSource): string | undefined {
  const reader = new ByteReader(source);
  const coff = reader.u32(0x3c) + 4;
  const magic = reader.u16(coff + 20);
  if (magic !== 0x10b && magic !== 0x20b) return "The PE optional header is missing.";
  const sections = coff + 20 + reader.u16(coff + 16);
  const end = sections + reader.u16(coff + 2) * 40;
  return end > source.size ? "The PE section table reaches past the end of the file." : undefined;
}

function machoProblem(source: ByteSource): string | undefined {
  const big = source.read(0, 1)[0] === 0xfe;
  const reader = new ByteReader(source, big ? "big" : "little");
  const size = reader.u32(0) === 0xfeedfacf ? 32 : 28;
  const commands = reader.u32(20);
  return size + commands > source.size ? "The Mach-O load commands reach past the end of the file." : undefined;
}
