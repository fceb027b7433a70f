import { architectures, isReaError, ReaError, type ByteSource } from "@rea/core";
import { availableArchitectures, detectFormat, openImage, type BinaryImage, type PeImage } from "@rea/binary";
import type { DetectedFile, DetectFile } from "./resolve-target.js";

/** Judges a file by its content, as the binary readers see it. Reads headers only. */
export const detectTarget: DetectFile = (source, request) => {
  const { raw, operation } = request;
  const detected = detectFormat(source, request.name);
  if (raw !== null && raw !== undefined) return rawTarget(raw, detected.kind === "executable", operation);
  const plain = plainFile(detected.kind, detected.format, detected.reason ?? null);
  if (detected.kind !== "executable") return refuseSlice(plain, request.architecture, operation);
  try {
    return { ...plain, ...imageFacts(source, request) };
  } catch (error) {
    if (!isReaError(error) || error.code !== "artifact_operation_failed") throw error;
    // The magic is an executable's, the header is not: readable bytes, nothing to run.
    return plainFile("artifact", "file", "The executable header is damaged.");
  }
};

function plainFile(kind: DetectedFile["kind"], format: string, note: string | null): DetectedFile {
  return { kind, format, architecture: null, available_architectures: [], role: null, managed: false, raw: null, note };
}

type ImageFacts = Pick<DetectedFile, "architecture" | "available_architectures" | "role" | "managed">;

function imageFacts(source: ByteSource, request: Parameters<DetectFile>[1]): ImageFacts {
  const available_architectures = availableArchitectures(source);
  const image = openWanted(source, request);
  const architecture = image.architecture ?? null;
  const pe = isPe(image) ? { role: image.role(), managed: image.managed } : { role: null, managed: false };
  return { architecture, available_architectures, ...pe };
}

function openWanted(source: ByteSource, { architecture, operation }: Parameters<DetectFile>[1]): BinaryImage {
  if (architecture === undefined) return openImage(source);
  const image = imageOf(source, architecture, operation);
  // The engine finds the slice again by its architecture, so a second one of the same architecture cannot be meant.
  const found = imageOf(source, image.architecture ?? architecture, operation);
  if (found.sourceOffset !== image.sourceOffset) throw noSlice(operation);
  return image;
}

function imageOf(source: ByteSource, architecture: string, operation: string): BinaryImage {
  try {
    return openImage(source, { architecture });
  } catch (error) {
    if (isReaError(error) && error.code === "invalid_request") throw noSlice(operation);
    throw error;
  }
}

function isPe(image: BinaryImage): image is PeImage {
  return image.format === "pe";
}

function rawTarget(raw: NonNullable<DetectedFile["raw"]>, hasHeader: boolean, operation: string): DetectedFile {
  if (hasHeader) throw invalid(operation, "raw_architecture", "absent, because the file has an executable header");
  const architecture = architectures.find((name) => name === raw.architecture);
  if (architecture === undefined) throw invalid(operation, "raw_architecture", architectures.join(", "));
  return { ...plainFile("executable", "file", null), architecture, available_architectures: [architecture], raw };
}

function refuseSlice(file: DetectedFile, wanted: string | undefined, operation: string): DetectedFile {
  if (wanted !== undefined) throw noSlice(operation);
  return file;
}

function noSlice(operation: string): ReaError {
  return invalid(operation, "architecture", "an architecture that the file holds; see list_architectures");
}

function invalid(operation: string, path: string, expected: string): ReaError<"invalid_request"> {
  return new ReaError("invalid_request", {
    message: `${operation} cannot use ${path} for this file. Leave it out, or give ${expected}.`,
    details: { operation, issues: [{ path, reason: "invalid_value", expected }] },
  });
}
