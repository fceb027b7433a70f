import { address, type Address } from "@rea/core";
import type { ElfFile } from "./elf-file.js";
import { dt, type DynamicInfo } from "./dynamic.js";
import { em } from "./machines.js";
import { programTypes } from "./program-headers.js";
import { sectionTypes } from "./section-headers.js";
import { arm64Stubs, armStubs, riscvStubs, x86_64Stubs, x86Stubs, type Stub, type StubCode } from "./plt-code.js";

/**
 * Code stubs by the slot they jump through. The code itself is read, so order and spacing of a PLT do not matter.
 * Sections named `.plt*` are searched; without section headers all executable segments are, and only stubs through a
 * slot of `slots` count.
 */
export function locateStubs(
  file: ElfFile,
  dynamic: DynamicInfo,
  slots: ReadonlySet<bigint>,
): ReadonlyMap<bigint, readonly Address[]> {
  const found = new Map<bigint, Address[]>();
  const got = globalOffsetTable(file, dynamic);
  for (const code of stubCode(file)) {
    for (const stub of decode(file, code, got)) {
      if (!slots.has(stub.slot)) continue;
      const known = found.get(stub.slot);
      if (known === undefined) found.set(stub.slot, [address(stub.va)]);
      else known.push(address(stub.va));
    }
  }
  return found;
}

function decode(file: ElfFile, code: StubCode, got: bigint): Iterable<Stub> {
  switch (file.header.machine) {
    case em.x86_64:
      return x86_64Stubs(code);
    case em.x86:
      return x86Stubs(code, got);
    case em.aarch64:
      return arm64Stubs(code);
    case em.arm:
      return file.header.endian === "little" ? armStubs(code) : [];
    case em.riscv:
      return file.header.bits === 64 ? riscvStubs(code) : [];
    default:
      return [];
  }
}

/** Keeps jumps through slots in ordinary code apart from stubs, as far as their place can. */
const segmentAlignment = 8n;
/** Linkers make up to four. */
const maximumSections = 16;
const searchBytes = 256 * 1024 * 1024;

function stubCode(file: ElfFile): readonly StubCode[] {
  if (file.sections.length === 0) return segmentCode(file);
  return file.sections
    .filter((section) => /^\.i?plt(\.|$)/.test(section.name) && section.type !== sectionTypes.noBits)
    .slice(0, maximumSections)
    .flatMap((section) => codeAt(file, section, section.size, 1n));
}

function segmentCode(file: ElfFile): readonly StubCode[] {
  return file.programs
    .filter((program) => program.type === programTypes.load && (program.flags & 1) !== 0)
    .flatMap((program) => codeAt(file, program, Math.min(program.fileSize, searchBytes), segmentAlignment));
}

function codeAt(
  file: ElfFile,
  { va, offset }: { readonly va: bigint; readonly offset: number },
  size: number,
  alignment: bigint,
): StubCode[] {
  const length = Math.max(0, Math.min(size, file.reader.size - offset));
  return length === 0 ? [] : [{ va, bytes: file.reader.bytes(offset, length), alignment }];
}

/** What position-independent x86 code keeps in EBX. */
function globalOffsetTable(file: ElfFile, dynamic: DynamicInfo): bigint {
  const named = file.sections.find((section) => section.name === ".got.plt") ?? file.sections.find((section) => section.name === ".got");
  return dynamic.value(dt.pltGot) ?? named?.va ?? 0n;
}
