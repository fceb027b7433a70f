import { ReaError } from "@rea/core";
import type { PngRefusal } from "./png-refusal.js";

/** `name` says which of the images: left or right. */
export function pngFormatError(name: string, operation: string): PngRefusal {
  return (problem, offset) =>
    new ReaError("artifact_operation_failed", {
      message: `The ${name} image cannot be read: ${problem}. Give an intact PNG file.`,
      details: { operation, reason: "format", ...(offset === undefined ? {} : { offset }) },
      action: "Take the screenshot again, or write the image anew with a program that makes PNG files.",
    });
}
