import { ReaError, sourceSlice, type ByteSource } from "@rea/core";
import { contentFormat } from "./detect.js";
import { readElf } from "./elf/index.js";
import type { BinaryImage } from "./image.js";
import { isUniversal, readMachO, readUniversal, selectSlice } from "./macho/index.js";
import { readPe } from "./pe/index.js";
import { rawImage, type RawOptions } from "./raw-image.js";

export interface OpenImageOptions {
  /** Slice of a universal file, by architecture or slice name; for other files the architecture it must have. */
  readonly architecture?: string | undefined;
  /** How to map a file without a known executable header; ignored for files that have one. */
  readonly raw?: RawOptions | undefined;
}

/**
 * Opens an executable by its content: ELF, PE, Mach-O, one slice of a universal Mach-O (by default the first of arm64,
 * x86_64, arm and x86, else the first in the file), or raw code where `raw` says how.
 *
 * Throws `artifact_operation_failed` (format) when the content is none of these or its header is cut short, and
 * `invalid_request` when the wanted architecture is not in the file.
 */
export function openImage(source: ByteSource, options: OpenImageOptions = {}): BinaryImage {
  if (isUniversal(source)) return openSlice(source, options.architecture);
  const image = openThin(source);
  if (image === undefined) {
    if (options.raw !== undefined) return rawImage(source, options.raw);
    throw new ReaError("artifact_operation_failed", {
      message: "The content is not an executable of a known format. Give an ELF, PE or Mach-O file.",
      details: { operation: "open_image", reason: "format" },
      action: "Inspect the file with inspect_artifact, or open it as raw code with an architecture and a base address.",
    });
  }
  if (options.architecture !== undefined) requireArchitecture(image, options.architecture);
  return image;
}

function openThin(source: ByteSource): BinaryImage | undefined {
  switch (contentFormat(source)) {
    case "elf":
      return readElf(source);
    case "pe":
      return readPe(source);
    case "mach-o":
      return readMachO(source);
    default:
      return undefined;
  }
}

function openSlice(source: ByteSource, wanted: string | undefined): BinaryImage {
  const slice = selectSlice(readUniversal(source).items, wanted, "open_image");
  return readMachO(sourceSlice(source, slice.offset, slice.size), { sourceOffset: slice.offset });
}

function requireArchitecture(image: BinaryImage, wanted: string): void {
  if (image.architecture === wanted) return;
  throw new ReaError("invalid_request", {
    message: "The file holds one image, and it is of another architecture. Leave architecture out to open it.",
    details: {
      operation: "open_image",
      issues: [{ path: "architecture", reason: "invalid_value", valid_keys: image.architecture === undefined ? [] : [image.architecture] }],
    },
  });
}
