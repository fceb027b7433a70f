const polynomial = 0xedb88320;
const one = 0x80000000;
/** x⁸, the step of one byte. */
const byteStep = 0x00800000;

/** Product of two polynomials over GF(2) modulo that of CRC-32, bits reflected. */
function product(left: number, right: number): number {
  let sum = 0;
  let shifted = right;
  for (let bit = 31; bit >= 0; bit -= 1) {
    if (((left >>> bit) & 1) !== 0) sum ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial;
  }
  return sum >>> 0;
}

/** x to the power of 8 times `bytes`. */
function power(bytes: number): number {
  let result = one;
  let square = byteStep;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = product(result, square);
    square = product(square, square);
  }
  return result;
}

/** The CRC-32 of two contents joined, from that of each and the second one's length in bytes. */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  return (product(power(secondBytes), first) ^ second) >>> 0;
}
