import { openImage, payloadHintSteps, type BinaryImage, type ContainerHint } from "@rea/binary";
import { isReaError, type ByteSource } from "@rea/core";
import type { Turns } from "../walk/turns.js";
import type { FoundHint } from "./found-hint.js";

/** Longer runs of zeros than this are not taken for padding without a look. */
const paddingBytes = 64 * 1024;

/** What a program carries; nothing for one that is too damaged to be read. */
export async function programHints(source: ByteSource, turns: Turns): Promise<readonly FoundHint[]> {
  try {
    const image = openImage(source);
    const steps = payloadHintSteps(image);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return [...step.value.flatMap(placed), ...unknownOverlay(image, step.value)];
      await turns.take();
    }
  } catch (error) {
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    return [];
  }
}

/** A runtime by itself is nothing that is carried. */
function placed({ kind, basis, file }: ContainerHint): readonly FoundHint[] {
  return file === undefined || kind === "electron" ? [] : [{ format: kind, offset: file.offset, length: file.size, basis }];
}

/** Data behind the program that nothing else was said of. */
function unknownOverlay(image: BinaryImage, hints: readonly ContainerHint[]): readonly FoundHint[] {
  const overlay = image.overlay();
  if (overlay === undefined || isZero(image.source, overlay)) return [];
  const inside = ({ offset, size }: { readonly offset: number; readonly size: number }): boolean => offset + size > overlay.offset && offset < overlay.offset + overlay.size;
  const known = hints.some(({ file }) => file !== undefined && inside(file)) || image.signatures().items.some(({ file }) => inside(file));
  return known ? [] : [{ format: "unknown", offset: overlay.offset, length: overlay.size, basis: "bytes behind everything the headers account for" }];
}

function isZero(source: ByteSource, { offset, size }: { readonly offset: number; readonly size: number }): boolean {
  return size <= paddingBytes && source.read(offset, size).every((byte) => byte === 0);
}
