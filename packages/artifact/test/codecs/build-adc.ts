import { stepsOf } from "./matches.js";

/** ADC codes of a text: runs of up to 128 literals, short and long matches. */
export function buildAdc(text: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  for (const { literals, length, distance } of stepsOf(text, { literals: 128, length: 67, distance: 65_536, shortest: 4 })) {
    if (literals.byteLength > 0) parts.push(Buffer.from([0x80 | (literals.byteLength - 1)]), literals);
    if (length === 0) continue;
    const back = distance - 1;
    if (length <= 18 && back < 1024) parts.push(Buffer.from([((length - 3) << 2) | (back >> 8), back & 0xff]));
    else parts.push(Buffer.from([0x40 | (length - 4), back >> 8, back & 0xff]));
  }
  return Buffer.concat(parts);
}
