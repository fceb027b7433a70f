import { refuse } from "../refusal.js";
import { typeIdentifier, typeName } from "./names.js";
import { qualifier, withQualifiers, type TypeNode } from "./node.js";
import { isDigit, type QualifierMode, type Reader } from "./reader.js";

const builtin: ReadonlyMap<string, string> = new Map([
  ["X", "void"], ["D", "char"], ["C", "signed char"], ["E", "unsigned char"], ["F", "short"], ["G", "unsigned short"],
  ["H", "int"], ["I", "unsigned int"], ["J", "long"], ["K", "unsigned long"], ["M", "float"], ["N", "double"],
  ["O", "long double"], ["_N", "bool"], ["_J", "__int64"], ["_K", "unsigned __int64"], ["_W", "wchar_t"], ["_Q", "char8_t"],
  ["_S", "char16_t"], ["_U", "char32_t"], ["_P", "auto"], ["_T", "decltype(auto)"],
]);

const pointers: ReadonlyMap<string, readonly [sign: "*" | "&", qualifiers: number]> = new Map([
  ["A", ["&", qualifier.none]],
  ["P", ["*", qualifier.none]],
  ["Q", ["*", qualifier.const]],
  ["R", ["*", qualifier.volatile]],
  ["S", ["*", qualifier.const | qualifier.volatile]],
]);

const tags: ReadonlyMap<string, string> = new Map([["T", "union"], ["U", "struct"], ["V", "class"], ["W4", "enum"]]);

export function readType(reader: Reader, mode: QualifierMode): TypeNode {
  return reader.enter(() => {
    const isGiven = mode === "given" || (mode === "marked" && reader.take("?"));
    const qualifiers = isGiven ? readQualifiers(reader).qualifiers : qualifier.none;
    return withQualifiers(unqualified(reader), qualifiers);
  });
}

function unqualified(reader: Reader): TypeNode {
  if (reader.take("$$Q")) return pointer(reader, "&&", qualifier.none);
  if (reader.take("$$T")) return named("std::nullptr_t");
  if (reader.take("$$A8@@")) return reader.rules.functionType(reader, true);
  if (reader.take("$$A6")) return reader.rules.functionType(reader, false);
  const first = reader.next();
  const two = first === "W" || first === "_" ? first + reader.next() : first;
  const tag = tags.get(two);
  if (tag !== undefined) return named(`${tag} ${typeName(reader)}`);
  if (first === "Y") return arrayType(reader);
  if (first === "?") return customType(reader);
  const [sign, qualifiers] = pointers.get(two) ?? [];
  if (sign !== undefined) return isMemberPointer(reader, sign) ? memberPointer(reader, qualifiers ?? 0) : pointer(reader, sign, qualifiers ?? 0);
  return named(builtin.get(two) ?? refuse());
}

function named(text: string): TypeNode {
  return { kind: "named", text, qualifiers: qualifier.none };
}

function customType(reader: Reader): TypeNode {
  const name = typeIdentifier(reader);
  reader.expect("@");
  return named(name);
}

function pointer(reader: Reader, sign: "*" | "&" | "&&", qualifiers: number): TypeNode {
  if (reader.take("6")) {
    return { kind: "pointer", sign, qualifiers, owner: undefined, of: reader.rules.functionType(reader, false) };
  }
  const extra = readExtraQualifiers(reader);
  return { kind: "pointer", sign, qualifiers: qualifiers | extra, owner: undefined, of: readType(reader, "given") };
}

/** `8`, or qualifiers that are only given for members; looks ahead. */
function isMemberPointer(reader: Reader, sign: "*" | "&"): boolean {
  if (sign === "&") return false;
  if (isDigit(reader.peek())) return reader.peek() === "8";
  return /^E?I?F?[QRST]/.test(reader.text.slice(reader.at, reader.at + 4));
}

function memberPointer(reader: Reader, own: number): TypeNode {
  const qualifiers = own | readExtraQualifiers(reader);
  if (reader.take("8")) {
    const owner = typeName(reader);
    return { kind: "pointer", sign: "*", qualifiers, owner, of: reader.rules.functionType(reader, true) };
  }
  const given = readQualifiers(reader);
  const owner = typeName(reader);
  return { kind: "pointer", sign: "*", qualifiers, owner, of: withQualifiers(readType(reader, "none"), given.qualifiers) };
}

const mostDimensions = 64n;

function arrayType(reader: Reader): TypeNode {
  const rank = reader.unsigned();
  if (rank === 0n || rank > mostDimensions) refuse();
  const sizes = Array.from({ length: Number(rank) }, () => reader.unsigned());
  const given = reader.take("$$C") ? readQualifiers(reader) : undefined;
  if (given?.isMember === true) refuse();
  return { kind: "array", sizes, qualifiers: given?.qualifiers ?? qualifier.none, of: readType(reader, "none") };
}

/** `A`–`D`, or `Q`–`T` for what belongs to a class: none, const, volatile, both. */
export function readQualifiers(reader: Reader): { readonly qualifiers: number; readonly isMember: boolean } {
  const char = reader.next();
  const index = "ABCDQRST".indexOf(char);
  if (index < 0) refuse();
  return { qualifiers: index & (qualifier.const | qualifier.volatile), isMember: index > 3 };
}

/** `E`, `I` and `F`, each at most once and in this order. */
export function readExtraQualifiers(reader: Reader): number {
  const ptr64 = reader.take("E") ? qualifier.ptr64 : qualifier.none;
  const restrict = reader.take("I") ? qualifier.restrict : qualifier.none;
  const unaligned = reader.take("F") ? qualifier.unaligned : qualifier.none;
  return ptr64 | restrict | unaligned;
}
