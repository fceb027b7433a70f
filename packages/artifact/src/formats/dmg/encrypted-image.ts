import type { ByteSource } from "@rea/core";
import type { Entry } from "../../format.js";

/** True for images that are encrypted as a whole: version 2 says so at the start, version 1 at the end. */
export function isEncrypted(source: ByteSource): boolean {
  if (source.size < 8) return false;
  const textAt = (offset: number): string => Buffer.from(source.read(offset, 8)).toString("latin1");
  return textAt(0) === "encrcdsa" || textAt(source.size - 8) === "cdsaencr";
}

const name = "encrypted image";

/** What is known of an encrypted image: that there is one. */
export function encryptedImage(source: ByteSource): Entry {
  return {
    name: { bytes: Buffer.from(name), text: name },
    kind: "volume",
    declaredBytes: null,
    compressedBytes: source.size,
    location: { offset: 0, length: source.size },
    encrypted: true,
    linkTarget: null,
    executable: null,
    checks: [],
    limitations: [],
    content: { reason: "encrypted", why: "The image is encrypted as a whole." },
  };
}
