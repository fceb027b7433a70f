import type { ByteSource } from "@rea/core";

import { readCallFrames } from "../dwarf/index.js";
import { Findings } from "../findings.js";
import type { BinaryImage, BuildId, ImageHeader, Libraries, Table, UnwindRange } from "../image.js";
import { once } from "../once.js";
import { readAnomalies } from "./anomalies.js";
import { readBuildVersion, readSourceVersion, readUuid } from "./build-version.js";
import { codeDirectoryFlags, codeSignatureRange } from "./code-directory.js";
import { command } from "./command-names.js";
import { readCompactUnwind } from "./compact-unwind.js";
import { cpuOf, fileTypeName, flagNames, headerFlags, subtypeName } from "./constants.js";
import { readRunPaths } from "./dylibs.js";
import { mainEntry, readEntryPoints } from "./entry-points.js";
import { readFunctionStarts } from "./function-starts.js";
import { linkageOf, type Linkage } from "./linkage.js";
import { commandString } from "./load-commands.js";
import { MachOFile } from "./macho-file.js";
import { machoMitigations } from "./mitigations.js";
import { readOverlay } from "./overlay.js";
import { machoSections, machoSegments } from "./sections.js";
import { imageSymbols } from "./symbols.js";

/** A Mach-O image with what `inspectMacho` needs beyond the common model. */
export interface MachOImage extends BinaryImage {
  readonly format: "mach-o";
  readonly cpuSubtype: string;
  /** The file behind the model, for readers of this package. */
  readonly machO: MachOFile;
  readonly linkage: Linkage;
}

/**
 * Reads one thin Mach-O image; `source` holds its bytes alone and `sourceOffset` tells where they start in a universal
 * file. Throws `artifact_operation_failed` (reason `format`) when the Mach header is missing or cut off; everything
 * behind it is read on first use and reports damage as omissions.
 */
export function readMachO(source: ByteSource, options: { readonly sourceOffset?: number } = {}): MachOImage {
  const file = new MachOFile(source);
  const linkage = linkageOf(file);
  const symbols = once(() => imageSymbols(file, linkage.symbols(), linkage.dylibs().loaded));
  return {
    format: "mach-o",
    architecture: file.architecture,
    cpuSubtype: subtypeName(file.header.cpuType, file.header.cpuSubtype),
    bits: file.header.wide ? 64 : 32,
    endian: file.header.endian,
    imageBase: file.va(file.base),
    header: headerOf(file),
    source,
    sourceOffset: options.sourceOffset ?? 0,
    machO: file,
    linkage,
    segments: once(() => machoSegments(file)),
    sections: once(() => machoSections(file)),
    symbols,
    imports: linkage.imports,
    exports: linkage.exports,
    relocations: linkage.relocations,
    libraries: once(() => librariesOf(file, linkage)),
    entryPoints: once(() => {
      const findings = new Findings();
      const items = readEntryPoints(file, linkage.targetAt, findings);
      return { items, omissions: findings.list() };
    }),
    unwindRanges: once(() => unwindRanges(file)),
    buildIds: once(() => buildIds(file)),
    mitigations: once(() => {
      const findings = new Findings();
      const signatureFlags = codeDirectoryFlags(file, findings);
      const items = machoMitigations({ file, symbols: symbols().items, imports: linkage.imports().items, signatureFlags });
      return { items, omissions: findings.list() };
    }),
    signatures: once(() => {
      const range = codeSignatureRange(file);
      return { items: range === undefined ? [] : [{ kind: "macho-code-signature", file: range }], omissions: [] };
    }),
    anomalies: once(() => ({ items: readAnomalies(file, mainEntry(file, new Findings())), omissions: [] })),
    overlay: once(() => readOverlay(file)),
  };
}

function headerOf(file: MachOFile): ImageHeader {
  const dylinker = file.command(command.loadDylinker);
  return {
    machine: cpuOf(file.header.cpuType).name,
    type: fileTypeName(file.header.fileType),
    flags: flagNames(file.header.flags, headerFlags),
    interpreter:
      dylinker === undefined ? undefined : new Findings().attempt("header", dylinker.offset, () => commandString(file.reader, dylinker, 8)),
    subsystem: undefined,
    timestamp: undefined,
    file: { offset: 0, size: file.header.size },
  };
}

function librariesOf(file: MachOFile, linkage: Linkage): Libraries {
  const findings = new Findings();
  const { loaded, own, findings: found } = linkage.dylibs();
  return {
    needed: loaded.map(({ name, kind, currentVersion }) => ({ name, kind, version: currentVersion, delayed: kind === "lazy-dylib" })),
    runPaths: readRunPaths(file, findings).map((path) => ({ path, kind: "rpath" })),
    ownName: own?.name,
    omissions: [...found.list(), ...findings.list()],
  };
}

function unwindRanges(file: MachOFile): Table<UnwindRange> {
  const findings = new Findings();
  const starts = readFunctionStarts(file, findings) ?? [];
  const listed = starts.map((va): UnwindRange => {
    // Bit 0 of a Thumb function marks its instruction set.
    const start = file.architecture === "arm" ? va - (va & 1n) : va;
    return { start: file.va(start), end: undefined, source: "function-starts", primary: undefined, lsda: undefined };
  });
  const items = [...listed, ...readCompactUnwind(file, findings), ...ehFrames(file, findings)];
  return { items, omissions: findings.list() };
}

function ehFrames(file: MachOFile, findings: Findings): readonly UnwindRange[] {
  const section = file.sections.find(({ name }) => name === "__eh_frame");
  if (section === undefined || section.fileOffset === 0 || section.fileOffset > file.reader.size) return [];
  const available = file.reader.size - section.fileOffset;
  const size = section.size > BigInt(available) ? available : Number(section.size);
  const bits = file.header.wide ? 64 : 32;
  return readCallFrames({ reader: file.reader, kind: "eh_frame", offset: section.fileOffset, size, va: section.va, bits }, findings);
}

function buildIds(file: MachOFile): Table<BuildId> {
  const findings = new Findings();
  const uuid = readUuid(file, findings);
  const build = readBuildVersion(file, findings);
  const version = readSourceVersion(file, findings);
  const items: BuildId[] = [];
  if (uuid !== undefined) items.push({ kind: "macho-uuid", value: uuid.value, detail: undefined, file: { offset: uuid.offset, size: 16 } });
  for (const { tool, version: toolVersion } of build?.tools ?? []) {
    items.push({ kind: "build-tool", value: `${tool} ${toolVersion}`, detail: build?.platform, file: undefined });
  }
  if (version !== undefined) items.push({ kind: "source-version", value: version, detail: undefined, file: undefined });
  return { items, omissions: findings.list() };
}
