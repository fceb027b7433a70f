import { crc32 } from "node:zlib";
import type { EntryName } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import { unicodePath } from "./extra-fields.js";
import type { CentralRecord, LocalHeader, MemberFields } from "./records.js";
import { flagBits } from "./signatures.js";

/** IBM code page 437 from 0x80 on; below it is ASCII. */
const page437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

export interface MemberName {
  readonly name: EntryName;
  readonly limitation: string | undefined;
  /** What readings of the name there are beside the one taken. */
  readonly conflict: string | undefined;
}

/** Systems whose archivers write UTF-8 without saying so: Unix and macOS. */
const utf8Hosts: ReadonlySet<number> = new Set([3, 19]);

/**
 * The name of a member. In order: the UTF-8 flag; a Unicode path field that belongs to the name; UTF-8 by custom of Unix
 * hosts; code page 437 (APPNOTE appendix D).
 */
export function memberName(fields: MemberFields, host: number | undefined): MemberName {
  const plain = plainName(fields, host);
  const path = unicodePath(fields.extra);
  if (path === undefined) return { ...plain, conflict: undefined };
  if (crc32(fields.name) !== path.nameCrc) {
    return { ...plain, conflict: "The Unicode path field's CRC-32 is not that of the name, so the field belongs to another name." };
  }
  const { text } = utf8Name(path.name);
  const conflict = text === undefined || readsAlike(fields, plain.name, text) ? undefined : "The Unicode path field holds another name than the header.";
  if ((fields.flags & flagBits.utf8) !== 0 && plain.name.text !== undefined) return { ...plain, conflict };
  return { name: { bytes: Uint8Array.from(fields.name), text: text ?? plain.name.text }, limitation: undefined, conflict };
}

function plainName(fields: MemberFields, host: number | undefined): { readonly name: EntryName; readonly limitation: string | undefined } {
  // A copy: the record's memory is a window of the container.
  const bytes = Uint8Array.from(fields.name);
  if (isAscii(bytes)) return { name: { bytes, text: fields.name.toString("latin1") }, limitation: undefined };
  const name = utf8Name(bytes);
  if ((fields.flags & flagBits.utf8) !== 0) return { name, limitation: undefined };
  if (host !== undefined && utf8Hosts.has(host) && name.text !== undefined) {
    return { name, limitation: "The name is read as UTF-8, which its header does not declare; by the specification it is in code page 437." };
  }
  return { name: { bytes, text: fromPage437(bytes) }, limitation: undefined };
}

/** Archivers write a plain name that stands for the Unicode one with signs in the place of letters. */
function readsAlike(fields: MemberFields, plain: EntryName, unicode: string): boolean {
  if (plain.text === unicode) return true;
  if ((fields.flags & flagBits.utf8) !== 0) return false;
  const plainAscii = isAscii(fields.name);
  if (plainAscii && !/[?_]|#[UL][0-9a-fA-F]{4}/.test(fields.name.toString("latin1"))) return false;
  return slashes(fields.name.toString("latin1")) === slashes(unicode);
}

function slashes(text: string): number {
  return text.split("/").length;
}

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false;
  return true;
}

function fromPage437(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : (page437[byte - 0x80] ?? "");
  return text;
}

/** True when central record and local header name the member by different bytes, of the header or of a Unicode field. */
export function namesDiffer(central: CentralRecord, local: LocalHeader): boolean {
  return !central.name.equals(local.name);
}

/** True when only one header has a Unicode path, or they have different ones, while the names are the same. */
export function unicodePathsDiffer(central: CentralRecord, local: LocalHeader): boolean {
  const ours = unicodePath(central.extra);
  const theirs = unicodePath(local.extra);
  if (ours === undefined || theirs === undefined) return ours !== theirs;
  return !ours.name.equals(theirs.name);
}
