import type { ByteSource } from "@rea/core";
import { isFormatError } from "../findings.js";
import { PeFile } from "./pe-file.js";

const mostEntries = 4096;
const subdirectory = 0x8000_0000;

/**
 * The first language of a resource known by two names, such as `INTEGRITY` / `ELECTRONASAR`; letter case does not
 * count, as for the system. Undefined when there is none, it is larger than `most` bytes or the tree is damaged.
 */
export function namedPeResource(source: ByteSource, names: { readonly type: string; readonly name: string }, most = 1 << 20): Uint8Array | undefined {
  try {
    const file = new PeFile(source);
    const root = file.directory("resources")?.rva;
    if (root === undefined) return undefined;
    const type = entryNamed(file, { root, at: root }, names.type);
    const name = type === undefined ? undefined : entryNamed(file, { root, at: root + type }, names.name);
    const leaf = name === undefined ? undefined : firstEntry(file, root + name);
    return leaf === undefined ? undefined : dataOf(file, root + leaf, most);
  } catch (error) {
    if (isFormatError(error)) return undefined;
    throw error;
  }
}

// PE Format, "The .rsrc Section": 16 bytes of header, then entries of a name or number and an offset.
function entryNamed(file: PeFile, { root, at }: { readonly root: number; readonly at: number }, wanted: string): number | undefined {
  const named = Math.min(file.u16(at + 12), mostEntries);
  for (let index = 0; index < named; index += 1) {
    const entry = at + 16 + index * 8;
    const [name, offset] = [file.u32(entry), file.u32(entry + 4)];
    if (name < subdirectory || offset < subdirectory) continue;
    if (nameAt(file, root + name - subdirectory).toUpperCase() === wanted) return offset - subdirectory;
  }
  return undefined;
}

function nameAt(file: PeFile, rva: number): string {
  const length = file.u16(rva);
  if (length > 256) return "";
  return new TextDecoder("utf-16le").decode(file.reader.bytes(file.offsetOf(rva + 2, length * 2), length * 2));
}

function firstEntry(file: PeFile, at: number): number | undefined {
  const count = file.u16(at + 12) + file.u16(at + 14);
  const offset = count === 0 ? subdirectory : file.u32(at + 16 + 4);
  return offset < subdirectory ? offset : undefined;
}

function dataOf(file: PeFile, at: number, most: number): Uint8Array | undefined {
  const [rva, size] = [file.u32(at), file.u32(at + 4)];
  return size > most ? undefined : file.reader.bytes(file.offsetOf(rva, size), size);
}
