import { constant, mask } from "../../../ir/expression.js";
import { make } from "../../../ir/simplify.js";
import { field, isSet, type A64Machine } from "./a64-machine.js";

/** The floating number that eight bits stand for: sign, three bits of exponent, four of fraction. */
export function expandedFloat(imm: number, bits: number): bigint {
  const [fraction, exponentBits] = bits === 32 ? [23, 8] : [52, 11];
  const sign = BigInt(imm >> 7);
  const high = (imm >> 6) & 1;
  const low = BigInt((imm >> 4) & 3);
  const repeated = high === 1 ? mask(exponentBits - 3) : 0n;
  const exponent = (BigInt(1 - high) << BigInt(exponentBits - 1)) | (repeated << 2n) | low;
  return (sign << BigInt(bits - 1)) | (exponent << BigInt(fraction)) | (BigInt(imm & 15) << BigInt(fraction - 4));
}

/** A value repeated over 128 bits. */
export function repeated(value: bigint, lane: number): bigint {
  let whole = 0n;
  for (let at = 0; at < 128; at += lane) whole |= (value & mask(lane)) << BigInt(at);
  return whole;
}

/** `movi`, `mvni`, `fmov` of a number to all lanes; `orr` and `bic` with one. */
export function liftVectorImmediate(m: A64Machine, word: number): boolean {
  const isWhole = isSet(word, 30);
  const inverts = isSet(word, 29);
  const mode = field(word, 12, 4);
  const imm = (field(word, 16, 3) << 5) | field(word, 5, 5);
  const target = field(word, 0, 5);
  if (isSet(word, 11)) return false;
  const changes = (mode & 1) === 1 && mode < 12;
  const value = numberOf(imm, mode, inverts);
  if (value === undefined || (mode === 15 && inverts && !isWhole)) return false;
  const bits = isWhole ? 128 : 64;
  if (changes) {
    const before = m.vector(target, bits);
    const number = value & mask(bits);
    m.setVector(target, m.let(inverts ? make("and", bits, [before, constant(bits, ~number)]) : make("or", bits, [before, constant(bits, number)])));
  } else m.setVector(target, constant(bits, inverts && mode < 14 ? ~value : value));
  return true;
}

function numberOf(imm: number, mode: number, inverts: boolean): bigint | undefined {
  const byte = BigInt(imm);
  if (mode < 8) return repeated(byte << BigInt((mode >> 1) * 8), 32);
  if (mode < 12) return repeated(byte << BigInt(((mode >> 1) & 1) * 8), 16);
  if (mode === 12) return repeated((byte << 8n) | 0xffn, 32);
  if (mode === 13) return repeated((byte << 16n) | 0xffffn, 32);
  if (mode === 15) return repeated(expandedFloat(imm, inverts ? 64 : 32), inverts ? 64 : 32);
  if (!inverts) return repeated(byte, 8);
  let whole = 0n;
  for (let at = 0; at < 8; at += 1) if ((imm >> at) & 1) whole |= 0xffn << BigInt(at * 8);
  return repeated(whole, 64);
}
