import type { PeFile } from "./pe-file.js";

export interface ArmUnwind {
  /** Code bytes; undefined for the reserved form. */
  readonly length: number | undefined;
  readonly lsdaRva: number | undefined;
}

/**
 * Length of the code an unwind word describes: packed in the word itself, or in the .xdata record it points to
 * ("ARM64 exception handling", "ARM exception handling"; Microsoft Learn).
 */
export function armUnwindLength(file: PeFile, word: number): ArmUnwind {
  const unit = file.architecture === "arm" ? 2 : 4;
  switch (word & 3) {
    case 0:
      return xdata(file, word, unit);
    case 1:
    case 2:
      return { length: ((word >>> 2) & 0x7ff) * unit, lsdaRva: undefined };
    default:
      return { length: undefined, lsdaRva: undefined };
  }
}

function xdata(file: PeFile, rva: number, unit: number): ArmUnwind {
  const header = file.aside.u32(file.offsetOf(rva, 4));
  const length = (header & 0x3ffff) * unit;
  if (((header >>> 20) & 1) === 0) return { length, lsdaRva: undefined };
  return { length, lsdaRva: rva + handlerOffset(file, rva, header) + 4 };
}

/** Offset of the exception handler's RVA: header word(s), epilogue scopes unless packed, unwind code words. */
function handlerOffset(file: PeFile, rva: number, header: number): number {
  const thumb = file.architecture === "arm";
  const countShift = thumb ? 23 : 22;
  const wordShift = thumb ? 28 : 27;
  const packedEpilogue = ((header >>> 21) & 1) === 1;
  const shortCount = (header >>> countShift) & 0x1f;
  const shortWords = header >>> wordShift;
  const extended = shortCount === 0 && shortWords === 0;
  const second = extended ? file.aside.u32(file.offsetOf(rva + 4, 4)) : 0;
  const epilogues = extended ? second & 0xffff : shortCount;
  const words = extended ? (second >>> 16) & 0xff : shortWords;
  return (extended ? 8 : 4) + (packedEpilogue ? 0 : epilogues * 4) + words * 4;
}
