import { ReaError, type ByteSource } from "@rea/core";
import { hasElfMagic, readElf } from "./elf/index.js";
import type { BinaryImage } from "./image.js";

/** Opens an executable; throws `artifact_operation_failed` (format) when the content is none this package reads. */
export function openImage(source: ByteSource): BinaryImage {
  if (hasElfMagic(source)) return readElf(source);
  throw new ReaError("artifact_operation_failed", {
    message: "The content is not an executable of a known format.",
    details: { operation: "open_image", reason: "format" },
  });
}
