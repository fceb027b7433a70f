import { ReaError } from "./errors.js";

declare const addressBrand: unique symbol;

/** A virtual address, 0 ≤ value < 2^64. */
export type Address = bigint & { readonly [addressBrand]: true };

const limit = 1n << 64n;

function isAddress(value: bigint): value is Address {
  return value >= 0n && value < limit;
}

/** Brands a number as an address; throws `artifact_operation_failed` outside 0..2^64. */
export function address(value: bigint | number): Address {
  const candidate = BigInt(value);
  if (isAddress(candidate)) return candidate;
  throw new ReaError("artifact_operation_failed", {
    message: "An address lies outside the 64-bit range.",
    details: { operation: "address", reason: "format" },
  });
}

/** `"0x…"`, lowercase, without leading zeros. */
export function formatAddress(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** Reads `"0x…"` (upper-case hex and leading zeros accepted); undefined when the text is not an address below 2^64. */
export function parseAddress(text: string): Address | undefined {
  if (!/^0[xX][0-9a-fA-F]{1,32}$/.test(text)) return undefined;
  const value = BigInt(text);
  return isAddress(value) ? value : undefined;
}
