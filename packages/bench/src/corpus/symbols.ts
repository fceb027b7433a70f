import { linesOf, output } from "./programs.js";
import type { Format } from "./toolchains.js";

export interface TextSymbols {
  readonly text: readonly [number, number];
  /** Function symbols inside the section; size 0 where the format has none. */
  readonly functions: readonly { readonly start: number; readonly size: number; readonly name: string }[];
  /** Other symbols inside it: assembly code, markers. */
  readonly others: readonly number[];
}

/** What the symbol table of a linked file says of its code section, as other programs read it. */
export function textSymbols(file: string, format: Format): Promise<TextSymbols> {
  switch (format) {
    case "elf":
      return elfSymbols(file);
    case "pe":
      return peSymbols(file);
    case "macho":
      return machoSymbols(file);
  }
}

const hex = (text: string | undefined): number => Number.parseInt(text ?? "0", 16);

async function elfSymbols(file: string): Promise<TextSymbols> {
  const sections = await output(["readelf", "-SW", file]);
  const section = /\[\s*(\d+)\] \.text\s+PROGBITS\s+([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)/.exec(sections);
  if (section === null) throw new Error("the linked file has no .text");
  const start = hex(section[2]);
  const functions: { start: number; size: number; name: string }[] = [];
  const others: number[] = [];
  for await (const line of linesOf(["readelf", "-sW", file])) {
    const row = /^\s*\d+: ([0-9a-f]+)\s+(\d+|0x[0-9a-f]+) (\w+)\s+\w+\s+\w+(?:\s+\[.*\])?\s+(\w+) (\S*)/.exec(line);
    if (row === null || row[4] !== section[1] || row[3] === "SECTION" || row[3] === "FILE") continue;
    const name = row[5] ?? "";
    const at = hex(row[1]);
    if (row[3] === "FUNC" || row[3] === "IFUNC") functions.push({ start: at, size: Number(row[2]), name });
    // `$x` and `$d` of ARM64 mark kinds of content.
    else if (!name.startsWith("$")) others.push(at);
  }
  return { text: [start, start + hex(section[3])], functions, others };
}

async function peSymbols(file: string): Promise<TextSymbols> {
  const { index, text } = await section(file, ".text");
  const functions: { start: number; size: number; name: string }[] = [];
  const others: number[] = [];
  for await (const line of linesOf(["llvm-objdump-19", "-t", file])) {
    const row = /\(sec\s+(-?\d+)\)\(fl 0x[0-9a-f]+\)\(ty\s+([0-9a-f]+)\)\(scl\s+(\d+)\) \(nx \d+\) 0x([0-9a-f]+) (.*)$/.exec(line);
    if (Number(row?.[1]) !== index + 1) continue;
    const at = text[0] + hex(row?.[4]);
    const name = row?.[5] ?? "";
    if (row?.[2] === "20") functions.push({ start: at, size: 0, name });
    else if (!name.startsWith(".text")) others.push(at);
  }
  return { text, functions, others };
}

async function machoSymbols(file: string): Promise<TextSymbols> {
  const { text } = await section(file, "__text");
  const functions: { start: number; size: number; name: string }[] = [];
  for await (const line of linesOf(["llvm-nm-19", "--defined-only", file])) {
    const row = /^([0-9a-f]+) [tT] (.*)$/.exec(line);
    const at = hex(row?.[1]);
    if (row !== null && at >= text[0] && at < text[1]) functions.push({ start: at, size: 0, name: row[2] ?? "" });
  }
  return { text, functions, others: [] };
}

async function section(file: string, name: string): Promise<{ readonly index: number; readonly text: readonly [number, number] }> {
  for (const line of (await output(["llvm-objdump-19", "-h", file])).split("\n")) {
    const row = /^\s*(\d+) (\S+)\s+([0-9a-f]+) ([0-9a-f]+)/.exec(line);
    if (row?.[2] === name) return { index: Number(row[1]), text: [hex(row[4]), hex(row[4]) + hex(row[3])] };
  }
  throw new Error(`the linked file has no ${name}`);
}
