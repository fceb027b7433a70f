import { brokenData } from "../broken-data.js";

/** Reads a number of seven bits a byte, least first (the .xz file format, §1.2), and moves `at` behind it. */
export function variableInteger(bytes: Uint8Array, at: { value: number }): number {
  let value = 0;
  for (let place = 0; place < 9; place += 1) {
    const byte = bytes[at.value];
    if (byte === undefined) break;
    at.value += 1;
    value += (byte & 0x7f) * 2 ** (7 * place);
    if ((byte & 0x80) !== 0) continue;
    if ((byte === 0 && place > 0) || !Number.isSafeInteger(value)) break;
    return value;
  }
  throw brokenData("A number in the xz headers is malformed.");
}
