import { refuse, unlessRefused } from "./refusal.js";

const maximumChars = 16_384;

/** Signs that the legacy scheme writes out (Rust source `rustc_symbol_mangling::legacy`). */
const signs: ReadonlyMap<string, string> = new Map([
  ["SP", "@"], ["BP", "*"], ["RF", "&"], ["LT", "<"], ["GT", ">"], ["LP", "("], ["RP", ")"], ["C", ","],
]);

/**
 * Readable form of a Rust name in the legacy scheme: a nested Itanium name that ends in `17h` and a hash of sixteen hex
 * digits, which is left out. Undefined for other names.
 */
export function demangleRustLegacy(name: string): string | undefined {
  const found = /^_?_ZN(\d[\w.$]*)17h([0-9a-f]{16})E(?:\.llvm\.[0-9A-F]+)?$/.exec(name.slice(0, maximumChars + 1));
  const body = found?.[1];
  const hash = found?.[2];
  if (body === undefined || hash === undefined || new Set(hash).size < 5) return undefined;
  return unlessRefused(() => parts(body).map(readable).join("::"));
}

function parts(body: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < body.length; ) {
    const digits = /^\d+/.exec(body.slice(at, at + 8))?.[0] ?? refuse();
    at += digits.length;
    const part = body.slice(at, at + Number(digits));
    if (part.length !== Number(digits) || part === "") refuse();
    found.push(part);
    at += part.length;
  }
  return found;
}

function readable(part: string): string {
  // An identifier cannot start with a sign; the scheme puts a line before it.
  const plain = part.startsWith("_$") ? part.slice(1) : part;
  return plain
    .replace(/\.\.|\./g, (dots) => (dots === ".." ? "::" : "."))
    .replace(/\$(?:u([0-9a-f]{1,6})|([A-Z]{1,2}))\$/g, (_all, code: string | undefined, sign: string | undefined) =>
      code === undefined ? (signs.get(sign ?? "") ?? refuse()) : character(Number.parseInt(code, 16)),
    );
}

function character(code: number): string {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code > 0x10_ffff || (code >= 0xd800 && code < 0xe000)) refuse();
  return String.fromCodePoint(code);
}
