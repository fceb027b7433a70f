import { coverageOf, type ByteSource, type OperationResult } from "@rea/core";
import { isUniversal, readUniversal } from "./macho/index.js";
import { openImage } from "./open-image.js";

/** Slices of a universal Mach-O in file order, or the one image of any other executable: `list_architectures`. */
export function listArchitectures(source: ByteSource): OperationResult<"list_architectures"> {
  if (isUniversal(source)) return listSlices(source);
  const image = openImage(source);
  const whole = { offset: image.sourceOffset, size: source.size, alignment: null };
  return {
    architectures: [{ architecture: image.architecture ?? null, cpu_type: image.header.machine, cpu_subtype: subtypeOf(image), ...whole }],
    universal: false,
    coverage: coverageOf([]),
  };
}

function subtypeOf(image: object): string | null {
  return "cpuSubtype" in image && typeof image.cpuSubtype === "string" ? image.cpuSubtype : null;
}

function listSlices(source: ByteSource): OperationResult<"list_architectures"> {
  const slices = readUniversal(source);
  return {
    architectures: slices.items.map((slice) => ({
      architecture: slice.architecture ?? null,
      cpu_type: slice.cpuType,
      cpu_subtype: slice.cpuSubtype,
      offset: slice.offset,
      size: slice.size,
      alignment: slice.alignment,
    })),
    universal: true,
    coverage: coverageOf(slices.omissions),
  };
}

/** Names of the images in a file, as `architecture` inputs take them; empty where no name is known. */
export function availableArchitectures(source: ByteSource): readonly string[] {
  if (isUniversal(source)) return readUniversal(source).items.map((slice) => slice.name);
  const { architecture } = openImage(source);
  return architecture === undefined ? [] : [architecture];
}
