import { address, type ByteSource, type Omission } from "@rea/core";
import { Findings } from "../findings.js";
import type { BinaryImage, ImageHeader, Table } from "../image.js";
import { decodeName } from "../name-text.js";
import { once } from "../once.js";
import { anomalyTable } from "./anomalies.js";
import { buildIdTable } from "./build-ids.js";
import { readDynamic } from "./dynamic.js";
import { readElfFile, type ElfFile } from "./elf-file.js";
import { entryPointTable } from "./entry-points.js";
import { elfTypes } from "./file-header.js";
import { readLibraries } from "./libraries.js";
import { exportTable, importTable, slotsBySymbol } from "./linkage.js";
import { fileTypeName, headerFlagNames, machineArchitecture, machineName } from "./machines.js";
import { elfMitigations } from "./mitigations.js";
import { readNotes } from "./notes.js";
import { elfOverlay, elfSignatures } from "./overlay.js";
import { locateStubs } from "./plt.js";
import { programTypes } from "./program-headers.js";
import { insideFile, sectionTable, segmentTable } from "./ranges.js";
import { readRelocations, relocationTable } from "./relocations.js";
import { symbolRows } from "./symbol-table.js";
import { readDynamicSymbols, readStaticSymbols } from "./symbols.js";
import { unwindTable } from "./unwind.js";
import { readVersions } from "./versions.js";

/**
 * Reads an ELF file into the image model (System V gABI with the GNU, Arm and Android additions). Header tables are
 * read at once, everything else on first use. Throws `artifact_operation_failed` (format) only when the file header is
 * cut short or is not ELF; every other damage shows as omissions.
 *
 * `sourceOffset` says where `source` starts in the file on disk.
 */
export function readElf(source: ByteSource, sourceOffset = 0): BinaryImage {
  const file = readElfFile(source);
  const { header } = file;
  const parts = elfParts(file);
  return {
    format: "elf",
    architecture: machineArchitecture(header.machine, header.bits),
    bits: header.bits,
    endian: header.endian,
    imageBase: address(lowestPage(file)),
    header: imageHeader(file),
    source,
    sourceOffset,
    ...parts,
  };
}

/** The tables, each computed once. */
function elfParts(file: ElfFile) {
  const dynamicFindings = new Findings();
  const dynamic = once(() => readDynamic(file, dynamicFindings));
  const staticFindings = new Findings();
  const symbolFindings = new Findings();
  const relocationFindings = new Findings();
  const staticSymbols = once(() => readStaticSymbols(file, staticFindings));
  const dynamicSymbols = once(() => readDynamicSymbols(file, dynamic(), symbolFindings));
  const versions = once(() => readVersions(file, dynamic(), symbolFindings));
  const relocations = once(() =>
    readRelocations({ file, dynamic: dynamic(), staticSymbols, dynamicSymbols }, relocationFindings),
  );
  const noteFindings = new Findings();
  const notes = once(() => readNotes(file, noteFindings));
  const relocatable = file.header.type === elfTypes.relocatable;
  const linkSymbols = () => (relocatable ? staticSymbols() : dynamicSymbols());
  const linkFindings = relocatable ? staticFindings : symbolFindings;
  const linkage = () => ({ file, dynamic: dynamic(), symbols: linkSymbols(), versions: versions(), relocations: relocations() });

  const segments = once(() => segmentTable(file));
  const sections = once(() => sectionTable(file));
  /** A table found through headers or a dynamic array that cannot be read is not known to be empty. */
  const found = <T>({ items, omissions }: Table<T>): Table<T> => {
    dynamic();
    return { items, omissions: distinct([...omissions, ...dynamicFindings.list(), ...sections().omissions]) };
  };

  return {
    segments,
    sections,
    symbols: once(() => found({
      items: [
        ...symbolRows(file, "symtab", staticSymbols(), undefined),
        ...symbolRows(file, "dynsym", dynamicSymbols(), versions()),
      ],
      omissions: [...staticFindings.list(), ...symbolFindings.list()],
    })),
    imports: once(() => {
      const slots = new Set([...slotsBySymbol(linkage()).values()].flatMap((places) => [...places]));
      return found(importTable({ ...linkage(), stubs: locateStubs(file, dynamic(), slots) }, linkFindings));
    }),
    exports: once(() => found(exportTable(linkage(), linkFindings))),
    relocations: once(() => found(relocationTable(file, relocations(), relocationFindings))),
    libraries: once(() => readLibraries(dynamic(), dynamicFindings)),
    entryPoints: once(() => entryPointTable(file, dynamic(), relocations(), new Findings())),
    unwindRanges: once(() => unwindTable(file, dynamic(), new Findings())),
    buildIds: once(() => buildIdTable(file, notes(), noteFindings)),
    mitigations: once(() => found({
      items: elfMitigations({
        file,
        dynamic: dynamic(),
        notes: notes(),
        symbols: [...staticSymbols(), ...dynamicSymbols()],
      }),
      omissions: [...noteFindings.list(), ...staticFindings.list(), ...symbolFindings.list()],
    })),
    signatures: once(() => ({ items: elfSignatures(file), omissions: [] })),
    anomalies: once(() => anomalyTable(file, dynamic(), new Findings())),
    overlay: once(() => elfOverlay(file)),
  };
}

function distinct(omissions: readonly Omission[]): Omission[] {
  return [...new Map(omissions.map((left) => [JSON.stringify(left), left])).values()];
}

const pageMask = ~0xfffn;

function lowestPage(file: ElfFile): bigint {
  let lowest: bigint | undefined;
  for (const program of file.programs) {
    if (program.type === programTypes.load && (lowest === undefined || program.va < lowest)) lowest = program.va;
  }
  return (lowest ?? 0n) & pageMask;
}

function imageHeader(file: ElfFile): ImageHeader {
  const { header } = file;
  return {
    machine: machineName(header.machine),
    type: fileTypeName(header.type),
    flags: headerFlagNames(header.machine, header.osAbi, header.flags),
    interpreter: interpreter(file),
    subsystem: undefined,
    timestamp: undefined,
    file: { offset: 0, size: header.size },
  };
}

function interpreter(file: ElfFile): string | undefined {
  const program = file.programs.find((entry) => entry.type === programTypes.interpreter);
  if (program === undefined) return undefined;
  const range = insideFile(file, program.offset, Math.min(program.fileSize, 4096));
  const bytes = file.reader.bytes(range.offset, range.size);
  const end = bytes.indexOf(0);
  return decodeName(end < 0 ? bytes : bytes.subarray(0, end));
}
