import type { EntryKind } from "../../format.js";
import { unixField } from "./extra-fields.js";
import type { CentralRecord, MemberFields } from "./records.js";

export interface Attributes {
  readonly kind: EntryKind;
  readonly executable: boolean | null;
  /** A link target that stands in an extra field instead of the data. */
  readonly linkTarget: Uint8Array | undefined;
  readonly limitation: string | undefined;
}

const unixHosts: ReadonlySet<number> = new Set([3, 19]);
const fileTypeMask = 0xf000;
const types: { readonly [type: number]: EntryKind | undefined } = {
  0xa000: "symlink",
  0x4000: "directory",
  0x1000: "special",
  0x2000: "special",
  0x6000: "special",
  0xc000: "special",
};

/** What a member is, by its Unix mode where the host has one, and by a slash at the end of its name. */
export function attributesOf(fields: MemberFields, central: CentralRecord | undefined): Attributes {
  const field = unixField(fields.extra);
  const mode = modeOf(central) ?? field.mode;
  const declared = mode === undefined ? undefined : types[mode & fileTypeMask];
  const named = fields.name.at(-1) === 0x2f;
  const linkTarget = declared === "symlink" ? field.linkTarget : undefined;
  const executable = mode === undefined ? null : (mode & 0o111) !== 0;
  const kind = named ? "directory" : (declared ?? "file");
  if ((kind === "directory" || kind === "special") && fields.bytes > 0) {
    const limitation = `The member is marked as a ${kind === "special" ? "device, pipe or socket" : "directory"} and has content.`;
    return { kind: "file", executable, linkTarget: undefined, limitation };
  }
  return { kind, executable: kind === "file" ? executable : null, linkTarget, limitation: undefined };
}

function modeOf(central: CentralRecord | undefined): number | undefined {
  if (central === undefined || !unixHosts.has(central.host)) return undefined;
  const mode = central.externalAttributes >>> 16;
  return mode === 0 ? undefined : mode;
}
