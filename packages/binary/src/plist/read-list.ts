import { readBinaryList } from "./binary-list.js";
import { listText } from "./list-text.js";
import { readOpenStepList } from "./openstep-list.js";
import type { PropertyList } from "./property-list.js";
import { readXmlList } from "./xml-list.js";

/**
 * Reads a property list in any of its three forms, whatever state it is in: what cannot be read is `unreadable` in its
 * place, and `findings` says why. Undefined when the bytes are no property list. Never throws for damage; work and memory
 * are linear in the bytes.
 */
export function readPropertyList(bytes: Uint8Array): PropertyList | undefined {
  if (isBinaryList(bytes)) return readBinaryList(bytes);
  const text = listText(bytes);
  return isXmlList(text.units.slice(0, leadingUnits)) ? readXmlList(text) : readOpenStepList(text);
}

const leadingUnits = 16 * 1024;

function isXmlList(leading: string): boolean {
  return /^\s*<[?!A-Za-z]/.test(leading) && /<(?:plist|dict|array)[\s>/]|<!DOCTYPE\s+plist\b/.test(leading);
}

/** By the first bytes alone. */
export function isBinaryList(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 7)).toString("latin1") === "bplist0";
}
