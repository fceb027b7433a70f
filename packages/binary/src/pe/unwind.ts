import type { Address } from "@rea/core";

import { readCallFrames } from "../dwarf/index.js";
import { Findings } from "../findings.js";
import type { Table, UnwindRange } from "../image.js";
import { listedFunctions } from "./code-tables.js";
import { withFunclets } from "./funclets.js";
import { readLoadConfig } from "./load-config.js";
import type { PeFile } from "./pe-file.js";
import { armUnwindLength } from "./unwind-arm.js";

/** Everything the file says about where functions are: exception directory, GNU frames, tables of the load configuration. */
export function readUnwindRanges(file: PeFile): Table<UnwindRange> {
  const findings = new Findings();
  const config = readLoadConfig(file, findings);
  const listed = config === undefined ? [] : listedFunctions(file, config, findings);
  return { items: [...withFunclets(file, readPdata(file, findings), findings), ...gnuFrames(file, findings), ...listed], omissions: findings.list() };
}

/** 32-bit MinGW unwinds through `.eh_frame`. */
function gnuFrames(file: PeFile, findings: Findings): readonly UnwindRange[] {
  const section = file.sections.find(({ name }) => name === ".eh_frame");
  if (section === undefined || !section.stored) return [];
  const size = Math.min(section.virtualSize, section.backedSize);
  const bits = file.headers.plus ? 64 : 32;
  return readCallFrames({ reader: file.reader, kind: "eh_frame", offset: section.fileOffset, size, va: file.va(section.rva), bits }, findings);
}

/** The exception directory (.pdata) of x64, arm64 and Thumb images; other machines have none that this reads. */
function readPdata(file: PeFile, findings: Findings): readonly UnwindRange[] {
  const directory = file.directory("exceptions");
  const items: UnwindRange[] = [];
  const reading = readerOf(file);
  if (directory === undefined || reading === undefined) return items;
  const offset = file.fileOffset(directory.rva);
  const fits = file.place(directory.rva)?.available ?? 0;
  if (fits < directory.size) findings.malformed("unwind", offset, "the exception directory is longer than its section");
  const count = Math.floor(Math.min(fits, directory.size) / reading.entrySize);
  for (let index = 0; index < count; index += 1) {
    const entryRva = directory.rva + index * reading.entrySize;
    const range = findings.attempt("unwind", offset + index * reading.entrySize, () => reading.read(entryRva));
    if (range !== undefined) items.push(range);
  }
  return items;
}

interface EntryReader {
  readonly entrySize: number;
  readonly read: (entryRva: number) => UnwindRange | undefined;
}

function readerOf(file: PeFile): EntryReader | undefined {
  switch (file.architecture) {
    case "x86_64":
      return { entrySize: 12, read: (rva) => x64Entry(file, rva) };
    case "arm64":
    case "arm":
      return { entrySize: 8, read: (rva) => armEntry(file, rva) };
    default:
      return undefined;
  }
}

/** x64 exception handling, "struct RUNTIME_FUNCTION"; all-zero entries are padding. */
function x64Entry(file: PeFile, rva: number): UnwindRange | undefined {
  const begin = file.u32(rva);
  const end = file.u32(rva + 4);
  if (begin === 0) return undefined;
  const info = x64UnwindInfo(file, file.u32(rva + 8));
  return {
    start: file.va(begin),
    end: end > begin ? file.va(end) : undefined,
    source: "pdata",
    primary: info.primaryRva === undefined || info.primaryRva === begin ? undefined : file.va(info.primaryRva),
    lsda: info.lsda,
  };
}

interface UnwindInfo {
  readonly primaryRva: number | undefined;
  readonly lsda: Address | undefined;
}

const nothing: UnwindInfo = { primaryRva: undefined, lsda: undefined };
const handlerFlags = 0x3;
const chainFlag = 0x4;
const longestChain = 32;

/** "struct UNWIND_INFO": follows chained entries to the one that begins the function. */
function x64UnwindInfo(file: PeFile, infoRva: number): UnwindInfo {
  let primaryRva: number | undefined;
  let rva = infoRva;
  for (let depth = 0; depth < longestChain; depth += 1) {
    // Bit 0: the field names another RUNTIME_FUNCTION instead of unwind data.
    const indirect = (rva & 1) === 1;
    const place = indirect ? undefined : file.place(rva);
    if (!indirect && (place === undefined || place.available < 4)) return { ...nothing, primaryRva };
    const entryRva = indirect ? rva - 1 : afterCodes(file, rva);
    const flags = indirect ? chainFlag : file.aside.u8(place?.offset ?? 0) >> 3;
    if ((flags & chainFlag) === 0) {
      const handled = depth === 0 && (flags & handlerFlags) !== 0;
      return { primaryRva, lsda: handled ? file.va(entryRva + 4) : undefined };
    }
    primaryRva = file.aside.u32(file.offsetOf(entryRva, 4));
    rva = file.aside.u32(file.offsetOf(entryRva + 8, 4));
  }
  return nothing;
}

/** The unwind codes are 2 bytes each, padded to an even count. */
function afterCodes(file: PeFile, infoRva: number): number {
  const count = file.aside.u8(file.offsetOf(infoRva + 2, 1));
  return infoRva + 4 + (count + (count & 1)) * 2;
}

/** ARM64 and ARM exception handling, ".pdata records". */
function armEntry(file: PeFile, rva: number): UnwindRange | undefined {
  const word = file.u32(rva);
  if (word === 0) return undefined;
  // Thumb code has bit 0 of the address set.
  const begin = file.architecture === "arm" ? word - (word & 1) : word;
  const { length, lsdaRva } = armUnwindLength(file, file.u32(rva + 4));
  return {
    start: file.va(begin),
    end: length === undefined ? undefined : file.va(begin + length),
    source: "pdata",
    primary: undefined,
    lsda: lsdaRva === undefined ? undefined : file.va(lsdaRva),
  };
}
