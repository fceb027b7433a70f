import { linesOf } from "./programs.js";

/** One relocation of the code section: the field it fills and the address the instruction refers to. */
export interface RelocationTruth {
  readonly at: number;
  readonly to: number;
  readonly code: boolean;
}

/**
 * Types whose meaning is an address, with the distance from S + A to it (System V psABI, x86-64 §4.4.1; AAELF64 §5.7).
 * Fields counted from the next instruction are taken where they end the instruction, which others are left out for.
 */
const types: ReadonlyMap<string, number> = new Map([
  ["R_X86_64_PLT32", 4],
  ["R_X86_64_PC32", 4],
  ["R_X86_64_32", 0],
  ["R_X86_64_32S", 0],
  ["R_X86_64_64", 0],
  ["R_AARCH64_CALL26", 0],
  ["R_AARCH64_JUMP26", 0],
  ["R_AARCH64_ADD_ABS_LO12_NC", 0],
  ["R_AARCH64_LDST8_ABS_LO12_NC", 0],
  ["R_AARCH64_LDST16_ABS_LO12_NC", 0],
  ["R_AARCH64_LDST32_ABS_LO12_NC", 0],
  ["R_AARCH64_LDST64_ABS_LO12_NC", 0],
  ["R_AARCH64_LDST128_ABS_LO12_NC", 0],
]);

/** References that the linker was told of, from a file linked with its relocations kept; definitions elsewhere are left out. */
export async function relocationTruth(file: string, text: readonly [number, number]): Promise<RelocationTruth[]> {
  const found: RelocationTruth[] = [];
  // Relocations of debugging information count from the start of their own section.
  let ofCode = false;
  for await (const line of linesOf(["readelf", "-rW", file])) {
    const section = /^Relocation section '(.*?)'/.exec(line)?.[1];
    if (section !== undefined) ofCode = section.startsWith(".rela.text");
    if (!ofCode) continue;
    const row = /^([0-9a-f]+)\s+[0-9a-f]+\s+(R_\w+)\s+([0-9a-f]+)\s+\S+(?: ([+-]) ([0-9a-f]+))?/.exec(line);
    const distance = types.get(row?.[2] ?? "");
    if (row === null || distance === undefined) continue;
    const at = Number.parseInt(row[1] ?? "", 16);
    const symbol = Number.parseInt(row[3] ?? "", 16);
    if (at < text[0] || at >= text[1] || symbol === 0) continue;
    const addend = Number.parseInt(row[5] ?? "0", 16) * (row[4] === "-" ? -1 : 1);
    const to = symbol + addend + distance;
    found.push({ at, to, code: to >= text[0] && to < text[1] });
  }
  return found;
}
