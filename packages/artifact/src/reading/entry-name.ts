import type { EntryName } from "../format.js";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A name declared to be UTF-8, or by custom taken for it. */
export function utf8Name(bytes: Uint8Array): EntryName {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return { bytes, text: /^[ -~]*$/.test(latin) ? latin : decoded(bytes) };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
