/** A number of a header field; undefined when it is malformed or beyond 2⁵³. Negative numbers exist in base 256 only. */
export function tarNumber(field: Uint8Array): number | undefined {
  const first = field[0] ?? 0;
  return (first & 0x80) === 0 ? octal(field) : base256(field);
}

/** Octal digits between blanks and NULs (POSIX ustar); nothing at all counts as zero. */
function octal(field: Uint8Array): number | undefined {
  const text = Buffer.from(field).toString("latin1");
  const end = text.indexOf("\0");
  const digits = (end < 0 ? text : text.slice(0, end)).trim();
  if (digits === "") return 0;
  return /^[0-7]+$/.test(digits) ? safe(BigInt(`0o${digits}`)) : undefined;
}

/** Two's complement, most significant byte first, the first bit being the mark (GNU tar, star). */
function base256(field: Uint8Array): number | undefined {
  const negative = ((field[0] ?? 0) & 0x40) !== 0;
  const value = field.reduce((sum, byte, index) => (sum << 8n) | BigInt(index === 0 ? byte & 0x7f : byte), 0n);
  return safe(negative ? value - (1n << BigInt(field.byteLength * 8 - 1)) : value);
}

function safe(value: bigint): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** A decimal number of a pax record or sparse map; undefined for anything else. */
export function decimal(text: Uint8Array | undefined): number | undefined {
  if (text === undefined || text.byteLength > 16) return undefined;
  const digits = Buffer.from(text).toString("latin1");
  return /^\d+$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : undefined;
}
