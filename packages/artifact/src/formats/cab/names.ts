import type { EntryName } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";

/** The name's bytes are UTF-8; otherwise they are of a code page nobody declares. */
const utf8Attribute = 0x80;
const windows = new TextDecoder("windows-1252");

export interface CabName {
  readonly name: EntryName;
  readonly limitation: string | undefined;
}

/** A file's name, with the slashes of a path in place of the backslashes that cabinets write. */
export function cabName(bytes: Uint8Array, attributes: number): CabName {
  const isAscii = bytes.every((byte) => byte < 0x80);
  const declared = (attributes & utf8Attribute) !== 0;
  const text = isAscii || declared ? utf8Name(bytes).text : windows.decode(bytes);
  const limitation = isAscii || declared ? undefined : "The name is in a code page that is not declared and was read as Windows-1252.";
  if (text?.includes("\\") !== true) return { name: { bytes, text }, limitation };
  return { name: { bytes, text: text.replaceAll("\\", "/"), stored: text }, limitation };
}
