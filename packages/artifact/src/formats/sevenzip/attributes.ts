import type { EntryKind } from "../../format.js";

const windowsDirectory = 0x10;
const windowsReparsePoint = 0x400;
const unixExtension = 0x8000;
const fileTypeMask = 0xf000;
const types: { readonly [type: number]: EntryKind | undefined } = {
  0xa000: "symlink",
  0x4000: "directory",
  0x1000: "special",
  0x2000: "special",
  0x6000: "special",
  0xc000: "special",
};

export interface Attributes {
  readonly kind: EntryKind;
  readonly executable: boolean | null;
  readonly limitation: string | undefined;
}

/** What a member is, by its attributes: Windows flags, and a Unix mode in the upper half where bit 15 says so. */
export function attributesOf(value: number | undefined, hasContent: boolean): Attributes {
  const attributes = value ?? 0;
  const mode = (attributes & unixExtension) === 0 ? undefined : attributes >>> 16;
  const declared = mode === undefined ? undefined : types[mode & fileTypeMask];
  const kind = declared ?? ((attributes & windowsDirectory) === 0 ? "file" : "directory");
  const executable = mode === undefined ? null : (mode & 0o111) !== 0;
  if (hasContent && (kind === "directory" || kind === "special")) {
    return { kind: "file", executable, limitation: `The member is marked as a ${kind === "special" ? "device, pipe or socket" : "directory"} and has content.` };
  }
  const isReparsePoint = mode === undefined && (attributes & windowsReparsePoint) !== 0;
  const limitation = isReparsePoint ? "The member is a Windows reparse point (a link); its content is the link's data." : undefined;
  return { kind, executable: kind === "file" ? executable : null, limitation };
}
