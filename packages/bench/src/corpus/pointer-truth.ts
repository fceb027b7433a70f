import { output, linesOf } from "./programs.js";

/** Words of data that the linker filled with an address, and the sections of which that is told. */
export interface PointerTruth {
  readonly sections: [number, number][];
  readonly cells: { at: number; to: number }[];
}

const hex = (text: string | undefined): number => Number.parseInt(text ?? "0", 16);

/** Relocations of whole words (psABI x86-64 §4.4.1, AAELF64 §5.7.5) that were kept in a linked file for its data. */
export async function pointerTruth(file: string): Promise<PointerTruth> {
  const sections = await dataSections(file);
  const cells: { at: number; to: number }[] = [];
  for await (const line of linesOf(["readelf", "-rW", file])) {
    const row = /^([0-9a-f]+)\s+[0-9a-f]+\s+R_(?:X86_64_64|AARCH64_ABS64)\s+([0-9a-f]+)\s+\S+ ([+-]) ([0-9a-f]+)$/.exec(line);
    const at = hex(row?.[1]);
    const symbol = hex(row?.[2]);
    if (row === null || symbol === 0 || !sections.some(([start, end]) => at >= start && at < end)) continue;
    cells.push({ at, to: symbol + hex(row[4]) * (row[3] === "-" ? -1 : 1) });
  }
  return { sections, cells };
}

/** Sections of data for which the linker kept relocations. */
async function dataSections(file: string): Promise<[number, number][]> {
  const list = await output(["readelf", "-SW", file]);
  const told = new Set([...list.matchAll(/\] \.rela(\.\S+)\s/g)].map(([, name]) => name));
  const found = [...list.matchAll(/\] (\.\S+)\s+(?:PROGBITS|\w+_ARRAY)\s+([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) \S+\s+([A-Z]*)\s/g)].flatMap(([, name, va, size, flags = ""]): [number, number][] => {
    const isData = told.has(name) && flags.includes("A") && !flags.includes("X") && !/^\.(?:eh_frame|gcc_except_table)/.test(name ?? "");
    return isData ? [[hex(va), hex(va) + hex(size)]] : [];
  });
  return found.sort((a, b) => a[0] - b[0]);
}
