import { createHash } from "node:crypto";
import { isFormatError } from "../findings.js";
import type { MachoDirectory } from "./macho-directory.js";
import type { SignatureBlob } from "./super-blob.js";

/** What a code directory seals beside the code itself. */
export interface SpecialSlot {
  readonly slot: number;
  readonly name: string;
  readonly declared: string | null;
  readonly calculated: string | null;
  /** `missing`: sealed, and not there. `unsealed`: there, and not sealed. `not_checked`: the sealed thing is not at hand. */
  readonly verdict: "holds" | "broken" | "missing" | "unsealed" | "not_checked";
}

/** Files of the bundle around an image; undefined where there is none, "unknown" where nobody looked. */
export interface BundleFiles {
  readonly infoPlist: Uint8Array | "absent" | "unknown";
  readonly codeResources: Uint8Array | "absent" | "unknown";
}

const names: { readonly [slot: number]: string | undefined } = {
  1: "Info.plist",
  2: "requirements",
  3: "CodeResources",
  4: "application",
  5: "entitlements",
  6: "disk-image",
  7: "entitlements-der",
  8: "launch-constraint-self",
  9: "launch-constraint-parent",
  10: "launch-constraint-responsible",
  11: "library-constraint",
};

const mostSlots = 32;

/** Compares what the directory seals with the parts of the signature and with the files of the bundle. */
export function checkSlots(directory: MachoDirectory, blobs: readonly SignatureBlob[], files: BundleFiles): SpecialSlot[] {
  const slots: SpecialSlot[] = [];
  const last = Math.max(7, Math.min(directory.specialSlots, mostSlots));
  for (let slot = 1; slot <= last; slot += 1) {
    const declared = slot <= directory.specialSlots ? declaredHash(directory, slot) : null;
    const found = sealed(slot, blobs, files);
    if (declared === null && !(found instanceof Uint8Array && isBlobSlot(slot))) continue;
    slots.push(slotOf({ slot, declared, found, directory }));
  }
  return slots;
}

function slotOf({ slot, declared, found, directory }: { slot: number; declared: string | null; found: Sealed; directory: MachoDirectory }): SpecialSlot {
  const named = { slot, name: names[slot] ?? `slot ${String(slot)}`, declared };
  const { hash } = directory;
  if (declared === null) return { ...named, calculated: null, verdict: "unsealed" };
  if (found === "absent") return { ...named, calculated: null, verdict: "missing" };
  if (found === "unknown" || hash === undefined) return { ...named, calculated: null, verdict: "not_checked" };
  const calculated = createHash(hash.algorithm).update(found).digest("hex").slice(0, hash.kept * 2);
  return { ...named, calculated, verdict: calculated === declared ? "holds" : "broken" };
}

/** Null for a slot that seals nothing: all zeros, or outside the directory. */
function declaredHash(directory: MachoDirectory, slot: number): string | null {
  try {
    const hex = directory.slotHash(-slot);
    return /^0*$/u.test(hex) ? null : hex;
  } catch (error) {
    if (isFormatError(error)) return null;
    throw error;
  }
}

type Sealed = Uint8Array | "absent" | "unknown";

function isBlobSlot(slot: number): boolean {
  return slot !== 1 && slot !== 3 && slot !== 4 && slot !== 6;
}

function sealed(slot: number, blobs: readonly SignatureBlob[], files: BundleFiles): Sealed {
  if (slot === 1) return files.infoPlist;
  if (slot === 3) return files.codeResources;
  if (!isBlobSlot(slot)) return "unknown";
  return blobs.find((blob) => blob.slot === slot)?.bytes ?? "absent";
}
