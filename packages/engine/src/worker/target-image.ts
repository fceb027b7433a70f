import { ReaError, type ByteSource } from "@rea/core";
import { openImage, type BinaryImage } from "@rea/binary";
import type { AnalysisOptions } from "../analysis/work-bounds.js";
import type { Program } from "../program.js";
import type { WorkerTarget } from "./messages.js";

/** The image that a target means: the file, one slice of it, or raw code as the caller describes it. */
export function openTargetImage(_target: WorkerTarget, source: ByteSource): BinaryImage {
  return openImage(source);
}

/** Analyses an image; stops with `cancelled` when asked to. */
export function analyse(_image: BinaryImage, _options: AnalysisOptions): Promise<Program> {
  return Promise.reject(
    new ReaError("capability_unavailable", { message: "Analysis is not available in this build.", details: {} }),
  );
}
