import { mask } from "./expression.js";

/** The value of a pure operation that is only known by name; undefined for others. */
export function evaluateIntrinsic(name: string, values: readonly bigint[]): bigint | undefined {
  return intrinsics[name]?.(values);
}

const intrinsics: Readonly<Record<string, ((values: readonly bigint[]) => bigint) | undefined>> = {
  rbit32: ([a = 0n]) => turned(a, 32),
  rbit64: ([a = 0n]) => turned(a, 64),
  rev16_64: ([a = 0n]) => ((a & 0x00ff00ff00ff00ffn) << 8n) | ((a >> 8n) & 0x00ff00ff00ff00ffn),
  crc32_8: ([a = 0n, b = 0n]) => checksum(a, b, { bits: 8, polynomial: 0xedb88320n }),
  crc32_16: ([a = 0n, b = 0n]) => checksum(a, b, { bits: 16, polynomial: 0xedb88320n }),
  crc32_32: ([a = 0n, b = 0n]) => checksum(a, b, { bits: 32, polynomial: 0xedb88320n }),
  crc32_64: ([a = 0n, b = 0n]) => checksum(a, b, { bits: 64, polynomial: 0xedb88320n }),
  crc32c_8: ([a = 0n, b = 0n]) => checksum(a, b, { bits: 8, polynomial: 0x82f63b78n }),
  crc32c_16: ([a = 0n, b = 0n]) => checksum(a, b, { bits: 16, polynomial: 0x82f63b78n }),
  crc32c_32: ([a = 0n, b = 0n]) => checksum(a, b, { bits: 32, polynomial: 0x82f63b78n }),
  crc32c_64: ([a = 0n, b = 0n]) => checksum(a, b, { bits: 64, polynomial: 0x82f63b78n }),
};

/** Bits in the other order. */
export function turned(value: bigint, bits: number): bigint {
  let result = 0n;
  for (let at = 0n; at < BigInt(bits); at += 1n) result = (result << 1n) | ((value >> at) & 1n);
  return result;
}

function checksum(before: bigint, value: bigint, { bits, polynomial }: { readonly bits: number; readonly polynomial: bigint }): bigint {
  let sum = (before ^ value) & mask(Math.max(32, bits));
  for (let at = 0; at < bits; at += 1) sum = (sum >> 1n) ^ ((sum & 1n) === 1n ? polynomial : 0n);
  return sum & mask(32);
}
