const buffer = new DataView(new ArrayBuffer(8));

/** The number whose IEEE 754 pattern of 32 or 64 bits this is. */
export function floatOf(bits: number, pattern: bigint): number {
  if (bits === 32) {
    buffer.setUint32(0, Number(BigInt.asUintN(32, pattern)));
    return buffer.getFloat32(0);
  }
  buffer.setBigUint64(0, BigInt.asUintN(64, pattern));
  return buffer.getFloat64(0);
}

/** The pattern of a number rounded to that width. */
export function patternOf(bits: number, value: number): bigint {
  if (bits === 32) {
    buffer.setFloat32(0, value);
    return BigInt(buffer.getUint32(0));
  }
  buffer.setFloat64(0, value);
  return buffer.getBigUint64(0);
}
