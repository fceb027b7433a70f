import { signed } from "../../ir/expression.js";
import { floatOf } from "../../ir/float-bits.js";
import { i32, intType } from "./c-type.js";
import { level, primary, type Printed } from "./printed.js";

/** An integer constant as C writes it. */
export function integerLiteral(value: bigint, bits: number, isSigned: boolean): Printed {
  if (bits > 64) return wideLiteral(value);
  const shown = isSigned ? signed(value, bits) : value;
  if (bits <= 32 && (isSigned || shown < 1n << 31n)) return number(shown, i32, bits === 1 ? 32 : bits);
  if (bits <= 32) return number(shown, intType(32, false), bits);
  if (shown >= -(1n << 31n) && shown < 1n << 31n) return number(shown, i32, 64);
  return { ...number(shown, intType(64, isSigned), 64) };
}

function number(value: bigint, type: Printed["type"], valid: number): Printed {
  const size = value < 0n ? -value : value;
  const suffix = type.kind === "int" && !type.signed ? (type.bits === 64 ? "ul" : "u") : size > 0x7fffffffn ? "l" : "";
  // The smallest number of 64 bits has no literal of its own.
  if (value === -(1n << 63n)) return { text: "(-0x7fffffffffffffffl - 1)", level: level.primary, type, valid };
  if (value === -(1n << 31n)) return { text: "(-0x7fffffff - 1)", level: level.primary, type, valid };
  const digits = isRound(size) ? `0x${size.toString(16)}` : size.toString();
  return { text: `${value < 0n ? "-" : ""}${digits}${suffix}`, level: value < 0n ? level.unary : level.primary, type, valid };
}

/** Masks and the like read better in hexadecimal. */
function isRound(size: bigint): boolean {
  return size >= 0x100n && (size > 0xffffn || (size & (size + 1n)) === 0n || (size & (size - 1n)) === 0n);
}

function wideLiteral(value: bigint): Printed {
  const high = value >> 64n;
  const low = BigInt.asUintN(64, value);
  const type = intType(128, false);
  if (high === 0n) return { text: `(rea_u128)0x${low.toString(16)}ul`, level: level.unary, type, valid: 128 };
  return primary(`rea_make128(0x${high.toString(16)}ul, 0x${low.toString(16)}ul)`, type);
}

/** A floating constant that reads back as the same number; undefined for what has no literal. */
export function floatLiteral(pattern: bigint, bits: number): string | undefined {
  const value = floatOf(bits, pattern);
  if (!Number.isFinite(value)) return undefined;
  const text = bits === 32 ? shortFloat(value) : String(value);
  const withPoint = /[.e]/.test(text) ? text : `${text}.0`;
  const shown = Object.is(value, -0) ? `-${withPoint}` : withPoint;
  return bits === 32 ? `${shown}f` : shown;
}

function shortFloat(value: number): string {
  for (let digits = 1; digits < 9; digits += 1) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === value) return text;
  }
  return String(value);
}

/** A C string literal. Octal escapes have three digits, so that no digit behind joins them. */
export function stringLiteral(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    const escaped = escapes[char];
    if (escaped !== undefined) text += escaped;
    else if (byte < 32 || byte >= 127) {
      text += `\\${byte.toString(8).padStart(3, "0")}`;
    } else text += char === "?" && text.endsWith("?") ? "\\?" : char;
  }
  return `"${text}"`;
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\", '"': '\\"', "\0": "\\000" };
