import { demangleItanium } from "./itanium/index.js";
import { demangleRustLegacy } from "./rust-legacy.js";
import { demangleRustV0 } from "./rust-v0.js";

const maximumChars = 8192;

/**
 * Readable form of a mangled name: C++ by the Itanium ABI, Rust in both its schemes. Undefined for other names and for any
 * that is not understood to its end, so that what comes back is never a guess. Bounded in depth, steps and length: a
 * hostile name is not understood. C++ reads as LLVM's demangler writes it; Rust is shown without hashes.
 */
export function demangle(name: string): string | undefined {
  if (!looksMangled(name) || name.length > maximumChars) return undefined;
  return demangleRustLegacy(name) ?? demangleRustV0(name) ?? demangleItanium(name);
}

/** True for names that start as mangled ones do; cheap. */
export function looksMangled(name: string): boolean {
  return name.charCodeAt(0) === 0x5f && /^__?[ZR]/.test(name);
}
