import { Findings } from "../findings.js";
import type { Relocation, Table } from "../image.js";
import type { PeFile } from "./pe-file.js";

const blockHeader = 8;
const absolute = 0;
const highAdjust = 4;

/** PE Format § "The .reloc Section": one item per fix-up, padding entries left out. */
export function readBaseRelocations(file: PeFile): Table<Relocation> {
  const directory = file.directory("baseRelocations");
  const findings = new Findings();
  const items: Relocation[] = [];
  if (directory === undefined) return { items, omissions: [] };
  const offset = file.fileOffset(directory.rva);
  findings.attempt("relocations", offset, () => {
    const end = directory.rva + directory.size;
    for (let rva = directory.rva; rva + blockHeader <= end; ) {
      const size = file.u32(rva + 4);
      if (size < blockHeader) {
        // A zero block ends the table by custom of linkers that pad the section.
        if (size !== 0) findings.malformed("relocations", file.fileOffset(rva), "a block is shorter than its header");
        return;
      }
      const available = file.place(rva)?.available ?? 0;
      readBlock(file, { rva, end: Math.min(rva + size, end, rva + available) }, items);
      rva += size;
    }
  });
  return { items, omissions: findings.list() };
}

function readBlock(file: PeFile, block: { readonly rva: number; readonly end: number }, items: Relocation[]): void {
  const page = file.u32(block.rva);
  const offset = file.offsetOf(block.rva, block.end - block.rva);
  const end = offset + block.end - block.rva;
  for (let at = offset + blockHeader; at + 2 <= end; at += 2) {
    const entry = file.reader.u16(at);
    const type = entry >> 12;
    if (type === absolute) continue;
    items.push(relocationOf(file, type, page + (entry & 0xfff)));
    // The second half of this type is the low word of the address, not an entry of its own.
    if (type === highAdjust) at += 2;
  }
}

function relocationOf(file: PeFile, type: number, rva: number): Relocation {
  const target = pointedTo(file, type, rva);
  return {
    va: file.va(rva),
    type: typeName(type, file.architecture),
    section: file.sectionAt(rva)?.name ?? "",
    symbol: undefined,
    target: target === undefined ? undefined : file.va(target),
    addend: undefined,
  };
}

/** RVA that the pointer at `rva` holds at the preferred base. */
function pointedTo(file: PeFile, type: number, rva: number): number | undefined {
  const wide = type === 10;
  if (!wide && type !== 3) return undefined;
  const place = file.place(rva);
  if (place === undefined || place.available < (wide ? 8 : 4)) return undefined;
  return file.rvaOf(wide ? file.aside.u64(place.offset) : BigInt(file.aside.u32(place.offset)));
}

const commonTypes: ReadonlyMap<number, string> = new Map([
  [1, "IMAGE_REL_BASED_HIGH"],
  [2, "IMAGE_REL_BASED_LOW"],
  [3, "IMAGE_REL_BASED_HIGHLOW"],
  [4, "IMAGE_REL_BASED_HIGHADJ"],
  [9, "IMAGE_REL_BASED_MIPS_JMPADDR16"],
  [10, "IMAGE_REL_BASED_DIR64"],
]);

function typeName(type: number, architecture: PeFile["architecture"]): string {
  const riscv = architecture === "riscv64";
  if (type === 5) return architecture === "arm" ? "IMAGE_REL_BASED_ARM_MOV32" : riscv ? "IMAGE_REL_BASED_RISCV_HIGH20" : "IMAGE_REL_BASED_MIPS_JMPADDR";
  if (type === 7) return riscv ? "IMAGE_REL_BASED_RISCV_LOW12I" : "IMAGE_REL_BASED_THUMB_MOV32";
  if (type === 8 && riscv) return "IMAGE_REL_BASED_RISCV_LOW12S";
  return commonTypes.get(type) ?? `IMAGE_REL_BASED_${String(type)}`;
}
