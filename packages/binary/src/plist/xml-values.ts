import type { PlistValue } from "./property-list.js";

const epoch2001 = 978_307_200;
const mostDigits = 64;

/** Decimal or `0x` hexadecimal with an optional sign. */
export function xmlInteger(text: string, offset: number): PlistValue | undefined {
  const found = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|[0-9]+)\s*$/.exec(text);
  const digits = found?.[2];
  if (digits === undefined || digits.length > mostDigits) return undefined;
  const value = BigInt(digits);
  return { kind: "integer", offset, value: found?.[1] === "-" ? -value : value };
}

export function xmlReal(text: string, offset: number): PlistValue | undefined {
  const word = text.trim().toLowerCase();
  const special = /^([-+]?)(nan|inf|infinity)$/.exec(word);
  if (special !== null) {
    const size = special[2] === "nan" ? Number.NaN : Number.POSITIVE_INFINITY;
    return { kind: "real", offset, value: special[1] === "-" ? -size : size };
  }
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,6})?$/.test(word)) return undefined;
  return { kind: "real", offset, value: Number(word) };
}

/** `2026-01-31T12:00:00Z`. */
export function xmlDate(text: string, offset: number): PlistValue | undefined {
  const word = text.trim();
  if (!/^-?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(word)) return undefined;
  const milliseconds = Date.parse(word);
  return Number.isNaN(milliseconds) ? undefined : { kind: "date", offset, seconds: milliseconds / 1000 - epoch2001 };
}

/** RFC 3339 in UTC; undefined for a moment outside the years that it can write. */
export function dateText(secondsSince2001: number): string | undefined {
  const milliseconds = (secondsSince2001 + epoch2001) * 1000;
  if (!(milliseconds >= -62_135_596_800_000 && milliseconds < 253_402_300_800_000)) return undefined;
  return new Date(milliseconds).toISOString().replace(".000Z", "Z");
}
