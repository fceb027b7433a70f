import { address, type Address } from "@rea/core";
import type { BinaryImage } from "@rea/binary";
import { withCodeAddresses } from "../code-addresses.js";

const cellBytes = 8;
const mostBytes = 0x100_0000;

/**
 * The image with function addresses as those of code. Under version 1 of the 64-bit ELF ABI a function's address is that
 * of a descriptor in `.opd` whose first cell holds the address of the code; images without that section stay as they are.
 */
export function withoutDescriptors(image: BinaryImage): BinaryImage {
  const section = image.sections().items.find(({ name }) => name === ".opd");
  if (section?.va === undefined || section.file === undefined) return image;
  const { va: start, file } = section;
  const size = Math.max(0, Math.min(file.size, mostBytes, image.source.size - file.offset));
  const bytes = size === 0 ? new Uint8Array(0) : image.source.read(file.offset, size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const relocated = new Map<bigint, Address>();
  for (const { va, target } of image.relocations().items) if (target !== undefined) relocated.set(va, target);
  return withCodeAddresses(image, {
    codeOf: (va) => {
      const offset = Number(va - start);
      if (!(offset >= 0 && offset + cellBytes <= size)) return va;
      return relocated.get(va) ?? address(view.getBigUint64(offset, image.endian === "little"));
    },
  });
}
