import { ReaError, type Omission } from "@rea/core";

import type { BinaryImage } from "../src/image.js";

// Damage is thrown and caught thousands of times here; deep stacks would be most of the work.
Error.stackTraceLimit = 4;

/** Every table of an image; none may throw. */
export function tablesOf(image: BinaryImage): readonly { readonly omissions: readonly Omission[] }[] {
  image.overlay();
  return [
    image.segments(),
    image.sections(),
    image.symbols(),
    image.imports(),
    image.exports(),
    image.relocations(),
    image.libraries(),
    image.entryPoints(),
    image.unwindRanges(),
    image.buildIds(),
    image.mitigations(),
    image.signatures(),
    image.anomalies(),
  ];
}

/** Reads every table of an image and returns all that was left out. */
export function readEverything(image: BinaryImage): readonly Omission[] {
  return tablesOf(image).flatMap(({ omissions }) => omissions);
}

/** The omissions, or undefined when the headers themselves were refused with a typed error; anything else throws. */
export function readOrRefuse(open: () => BinaryImage): readonly Omission[] | undefined {
  let image: BinaryImage;
  try {
    image = open();
  } catch (error) {
    if (error instanceof ReaError && error.code === "artifact_operation_failed") return undefined;
    throw error;
  }
  return readEverything(image);
}
