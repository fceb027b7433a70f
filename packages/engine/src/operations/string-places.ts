import { isAmongLiterals } from "../analysis/objc-literals.js";
import type { Program, StringRecord } from "../program.js";

/** How far back a string that covers an address is looked for: strings may overlap where one is the end of another. */
const looksBack = 16;

/** The text that starts at an address: a whole string, or the tail of one that several references share. */
export function stringAt(program: Program, rva: number): string | undefined {
  const { strings, image } = program;
  const last = lastAtOrBefore(strings, rva);
  if (strings[last]?.rva === rva) return strings[last].text();
  if (isAmongLiterals(image, program.toVa(rva))) return undefined;
  for (let index = last; index >= 0 && index > last - looksBack; index -= 1) {
    const record = strings[index];
    if (record === undefined || isAmongLiterals(image, program.toVa(record.rva))) return undefined;
    if (rva < record.rva + record.byteLength) return tail(record, rva - record.rva);
  }
  return undefined;
}

function lastAtOrBefore(strings: readonly StringRecord[], rva: number): number {
  let low = 0;
  let high = strings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const record = strings[middle];
    if (record !== undefined && record.rva <= rva) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function tail(record: StringRecord, offset: number): string | undefined {
  switch (record.encoding) {
    case "ascii":
      return record.text().slice(offset);
    case "utf-16le":
    case "utf-16be":
      return offset % 2 === 0 ? record.text().slice(offset / 2) : undefined;
    case "utf-8": {
      const bytes = Buffer.from(record.text(), "utf8");
      const inside = ((bytes[offset] ?? 0) & 0xc0) === 0x80;
      return inside ? undefined : bytes.subarray(offset).toString("utf8");
    }
  }
}
