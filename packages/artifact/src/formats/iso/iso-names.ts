import type { EntryName } from "../../format.js";
import { utf8Name } from "../../reading/entry-name.js";
import type { TreeKind } from "./volume-descriptors.js";

const slash = 0x2f;
const wide = new TextDecoder("utf-16be", { fatal: true, ignoreBOM: true });

/** A name as people see it: without version, and without the dot of a file that has no suffix. */
export function isoName(identifier: Uint8Array, kind: TreeKind): EntryName {
  const plain = kind === "joliet" ? jolietName(identifier) : utf8Name(identifier);
  const text = plain.text?.replace(/;\d{1,5}$/, "").replace(/(?<=.)\.$/, "");
  return text === undefined ? plain : { bytes: Buffer.from(text), text };
}

function jolietName(identifier: Uint8Array): EntryName {
  try {
    return { bytes: identifier, text: wide.decode(identifier) };
  } catch {
    return { bytes: identifier, text: undefined };
  }
}

/** A name below a directory. What is not text makes no path of text. */
export function below(parent: EntryName, name: EntryName): EntryName {
  if (parent.bytes.byteLength === 0) return name;
  const text = parent.text === undefined || name.text === undefined ? undefined : `${parent.text}/${name.text}`;
  return { bytes: Buffer.concat([parent.bytes, Buffer.of(slash), name.bytes]), text };
}
