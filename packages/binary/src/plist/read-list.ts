import { readBinaryList } from "./binary-list.js";
import { listText } from "./list-text.js";
import { openStepListSteps } from "./openstep-list.js";
import type { PlistSteps, PropertyList } from "./property-list.js";
import { xmlListSteps } from "./xml-list.js";

/**
 * Reads a property list in any of its three forms, whatever state it is in: what cannot be read is `unreadable` in its
 * place, and `findings` says why. Undefined when the bytes are no property list. Never throws for damage; work and memory
 * are linear in the bytes.
 */
export function readPropertyList(bytes: Uint8Array): PropertyList | undefined {
  const steps = propertyListSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps. A binary list is there after the first one and read further when its values are asked for. */
export function* propertyListSteps(bytes: Uint8Array): PlistSteps {
  if (isBinaryList(bytes)) return readBinaryList(bytes);
  const text = listText(bytes);
  return isXmlList(text.units.slice(0, leadingUnits)) ? yield* xmlListSteps(text) : yield* openStepListSteps(text);
}

const leadingUnits = 16 * 1024;

function isXmlList(leading: string): boolean {
  return /^\s*<[?!A-Za-z]/.test(leading) && /<(?:plist|dict|array)[\s>/]|<!DOCTYPE\s+plist\b/.test(leading);
}

/** By the first bytes alone. */
export function isBinaryList(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 7)).toString("latin1") === "bplist0";
}
