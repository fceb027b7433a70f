import type { FileRange } from "../image.js";
import { command } from "./command-names.js";
import { isZeroFill, type MachOFile } from "./macho-file.js";

const linkeditKinds: readonly number[] = [
  command.codeSignature,
  command.segmentSplitInfo,
  command.functionStarts,
  command.dataInCode,
  command.dylibCodeSignDrs,
  command.linkerOptimizationHint,
  command.dyldExportsTrie,
  command.dyldChainedFixups,
  command.atomInfo,
];

/** Bytes after everything the load commands account for. */
export function readOverlay(file: MachOFile): FileRange | undefined {
  const end = Math.min(file.reader.size, accountedEnd(file));
  return end < file.reader.size ? { offset: end, size: file.reader.size - end } : undefined;
}

function accountedEnd(file: MachOFile): number {
  let end = file.header.size + file.header.commandBytes;
  const extend = (offset: number, size: number): void => {
    if (size > 0) end = Math.max(end, offset + size);
  };
  for (const segment of file.segments) extend(segment.fileOffset, segment.fileSize);
  for (const section of file.sections) {
    if (!isZeroFill(section)) extend(section.fileOffset, Number(section.size));
    extend(section.relocationOffset, section.relocationCount * 8);
  }
  for (const item of file.commands) {
    if (linkeditKinds.includes(item.kind) && item.size >= 16) extend(file.reader.u32(item.offset + 8), file.reader.u32(item.offset + 12));
    if (item.kind === command.symtab && item.size >= 24) extendSymtab(file, item.offset, extend);
  }
  return end;
}

function extendSymtab(file: MachOFile, at: number, extend: (offset: number, size: number) => void): void {
  const { reader } = file;
  extend(reader.u32(at + 8), reader.u32(at + 12) * (file.header.wide ? 16 : 12));
  extend(reader.u32(at + 16), reader.u32(at + 20));
}
