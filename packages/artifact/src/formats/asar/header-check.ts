import { memorySource } from "@rea/core";
import type { DeclaredCheck } from "../../format.js";
import { asarHeader } from "./asar-header.js";

const fixedBytes = 16;

/** A declared SHA-256 of an archive's header, as Electron compares it before it opens the archive. */
export function asarHeaderCheck(hex: string, declaredBy: string): DeclaredCheck {
  return { kind: "part", algorithm: "sha256", hex, declaredBy, headBytes: fixedBytes, part: headerJson };
}

/** Electron hashes the JSON text of the header without the sizes in front of it. */
function headerJson(head: Uint8Array): { readonly offset: number; readonly length: number } | undefined {
  if (head.byteLength < fixedBytes) return undefined;
  const declared = Buffer.from(head).readUInt32LE(12);
  return asarHeader(memorySource(head)) === undefined ? undefined : { offset: fixedBytes, length: declared };
}
