import { address, parseAddress, ReaError, type ByteSource } from "@rea/core";
import { openImage, type BinaryImage, type RawOptions } from "@rea/binary";
import { supportedArchitectures } from "../disassembler/load-disassembler.js";
import type { WorkerTarget } from "./messages.js";

/** The image that a target means: the file, one slice of it, or raw code as the caller describes it. */
export function openTargetImage(target: WorkerTarget, source: ByteSource): BinaryImage {
  return openImage(source, { architecture: sliceOf(target), raw: rawOptions(target) });
}

/** The slice the target stands for, where its file holds several. */
export function sliceOf({ available_architectures: available, architecture }: WorkerTarget): string | undefined {
  return available.length > 1 ? (architecture ?? undefined) : undefined;
}

function rawOptions({ raw }: WorkerTarget): RawOptions | undefined {
  if (raw === null) return undefined;
  const architecture = supportedArchitectures.find((known) => known === raw.architecture);
  if (architecture === undefined) {
    throw new ReaError("capability_unavailable", {
      message: "The engine does not decode raw code of that architecture.",
      details: { provider_id: "rea-native", selection_reason: "unsupported" },
    });
  }
  return { architecture, base: parseAddress(raw.base) ?? address(0), endian: raw.endian };
}
