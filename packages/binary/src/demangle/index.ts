import { demangleItanium } from "./itanium/index.js";
import { demangleMsvc } from "./msvc/index.js";
import { demangleRustLegacy } from "./rust-legacy.js";
import { demangleRustV0 } from "./rust-v0.js";

const maximumChars = 8192;

/**
 * Readable form of a mangled name: C++ by the Itanium ABI and as Microsoft's compiler writes it, Rust in both its schemes. Undefined for other names and for any
 * that is not understood to its end, so that what comes back is never a guess. Bounded in depth, steps and length: a
 * hostile name is not understood. C++ reads as LLVM's demangler writes it; Rust is shown without hashes.
 */
export function demangle(name: string): string | undefined {
  if (!looksMangled(name) || name.length > maximumChars) return undefined;
  return demangleRustLegacy(name) ?? demangleRustV0(name) ?? demangleItanium(name) ?? demangleMsvc(name);
}

/** True for names that start as mangled ones do; cheap. */
export function looksMangled(name: string): boolean {
  const first = name.charCodeAt(0);
  if (first === 0x5f) return /^__?[ZR]/.test(name);
  return first === 0x3f || (first === 0x2e && name.startsWith(".?A"));
}
