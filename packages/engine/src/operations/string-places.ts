import type { Program, StringRecord } from "../program.js";

/** The text that starts at an address: a whole string, or the tail of one that several references share. */
export function stringAt({ strings }: Program, rva: number): string | undefined {
  const record = strings[lastAtOrBefore(strings, rva)];
  if (record === undefined || rva >= record.rva + record.byteLength) return undefined;
  if (rva === record.rva) return record.text();
  return tail(record, rva - record.rva);
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
