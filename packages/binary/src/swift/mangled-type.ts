import { swiftTypeText } from "@rea/core";

import { decodeName } from "../name-text.js";
import type { MetadataMemory } from "../metadata-memory.js";
import type { ContextNames } from "./contexts.js";

const longest = 1024;
const zero = Uint8Array.of();

/**
 * The type a mangled name in reflection metadata stands for. Bytes 0x01–0x17 start a 32-bit relative reference, 0x18–0x1f
 * a pointer (Swift mangling, "symbolic references"); 0x01 and 0x02 lead to a context descriptor, directly or through a pointer.
 */
export function mangledType(memory: MetadataMemory, contexts: ContextNames, va: bigint): string | undefined {
  const pieces: (string | { readonly name: string })[] = [];
  let start = va;
  let at = va;
  const flush = () => {
    const text = at > start ? memory.bytes(start, Number(at - start)) : zero;
    if (text.length > 0) pieces.push(decodeName(text));
  };
  while (at - va < longest) {
    const byte = memory.bytes(at, 1)[0] ?? 0;
    if (byte === 0) break;
    if (byte > 0x1f) at += 1n;
    else {
      flush();
      pieces.push({ name: byte <= 0x17 ? referenceName(memory, contexts, { byte, at: at + 1n }) : "?" });
      at += 1n + BigInt(byte <= 0x17 ? 4 : memory.pointerSize);
      start = at;
    }
  }
  flush();
  return pieces.length === 0 ? undefined : swiftTypeText(pieces);
}

function referenceName(memory: MetadataMemory, contexts: ContextNames, { byte, at }: { byte: number; at: bigint }): string {
  const target = memory.relative(at);
  if (target === undefined || byte > 2) return "?";
  return contexts.textBehind(byte === 1 ? { va: target, symbol: undefined } : memory.pointer(target)) ?? "?";
}
