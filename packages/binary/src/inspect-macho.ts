import { coverageOf, formatAddress, ReaError, sourceSlice, type ByteSource, type OperationResult } from "@rea/core";

import { Findings } from "./findings.js";
import { isUniversal, readMachO, readUniversal, selectSlice, type MachOImage } from "./macho/index.js";
import { readBuildVersion, readUuid } from "./macho/build-version.js";
import { codeSignatureRange } from "./macho/code-directory.js";
import { commandFields } from "./macho/command-fields.js";
import { command, commandName } from "./macho/command-names.js";
import { cpuOf, fileTypeName, flagNames, headerFlags, sectionAttributes, sectionTypeName, segmentFlags, sliceName, subtypeName } from "./macho/constants.js";
import { readRunPaths, type Dylib } from "./macho/dylibs.js";
import { mainEntry } from "./macho/entry-points.js";
import { readFunctionStarts } from "./macho/function-starts.js";
import { commandU32 } from "./macho/load-commands.js";
import { isZeroFill, type MachOFile } from "./macho/macho-file.js";
import type { MachSection, MachSegment } from "./macho/segments.js";

type Result = OperationResult<"inspect_macho">;

/**
 * Describes one Mach-O image, or the chosen slice of a universal file, as `inspect_macho` returns it. Offsets count from
 * the start of the slice, which `slice` places in the file. Throws `artifact_operation_failed` (reason `format`) for
 * other files and `invalid_request` for an architecture the file does not have.
 */
export function inspectMacho(source: ByteSource, params: { readonly architecture?: string | undefined } = {}): Result {
  const { image, slice, available, omissions } = openSlice(source, params.architecture);
  const file = image.machO;
  const findings = new Findings();
  const { loaded, own, findings: dylibFindings } = image.linkage.dylibs();
  const fixups = image.linkage.fixups();
  const entry = mainEntry(file, findings);
  const result = {
    architecture: sliceName(file.header.cpuType, file.header.cpuSubtype),
    available_architectures: available,
    slice,
    header: headerOf(file),
    load_commands: loadCommands(file, findings),
    segments: file.segments.map((segment) => segmentOf(segment, findings)),
    dylibs: [...(own === undefined ? [] : [own]), ...loaded].map(dylibOf),
    rpaths: [...readRunPaths(file, findings)],
    build_version: buildVersionOf(file, findings),
    uuid: readUuid(file, findings)?.value ?? null,
    entry_point: entry === undefined ? null : formatAddress(entry),
    fixups: { kind: fixups.kind, summary: { ...fixups.summary } },
    function_starts_count: readFunctionStarts(file, findings)?.length ?? null,
    encryption: encryptionOf(file, findings),
    code_signature: codeSignatureOf(file),
  };
  const all = [...omissions, ...file.omissions, ...dylibFindings.list(), ...fixups.findings.list(), ...findings.list()];
  return { ...result, coverage: coverageOf(all), limitations: limitationsOf(all.length) };
}

function limitationsOf(omissions: number): string[] {
  const signature = "The code signature is located, not read; inspect_signature reads it.";
  return omissions === 0 ? [signature] : [signature, "Parts of the image could not be read; coverage names them."];
}

interface OpenedSlice {
  readonly image: MachOImage;
  readonly slice: { readonly offset: number; readonly size: number };
  readonly available: string[];
  readonly omissions: Result["coverage"]["omissions"];
}

function openSlice(source: ByteSource, wanted: string | undefined): OpenedSlice {
  if (isUniversal(source)) {
    const { items, omissions } = readUniversal(source);
    const { offset, size } = selectSlice(items, wanted, "inspect_macho");
    const image = readMachO(sourceSlice(source, offset, size), { sourceOffset: offset });
    return { image, slice: { offset, size }, available: items.map(({ name }) => name), omissions: [...omissions] };
  }
  const image = readMachO(source);
  const { cpuType, cpuSubtype } = image.machO.header;
  const name = sliceName(cpuType, cpuSubtype);
  if (wanted !== undefined && wanted !== name && wanted !== image.architecture) throw noSuchArchitecture(name);
  return { image, slice: { offset: 0, size: source.size }, available: [name], omissions: [] };
}

function noSuchArchitecture(name: string): ReaError {
  return new ReaError("invalid_request", {
    message: "The file holds one image, and it is of another architecture. Leave architecture out or name the right one.",
    details: { operation: "inspect_macho", issues: [{ path: "architecture", reason: "invalid_value", valid_keys: [name] }] },
  });
}

function headerOf({ header }: MachOFile): Result["header"] {
  return {
    magic: header.magic,
    cpu_type: cpuOf(header.cpuType).name,
    cpu_subtype: subtypeName(header.cpuType, header.cpuSubtype),
    file_type: fileTypeName(header.fileType),
    command_count: header.commandCount,
    command_bytes: header.commandBytes,
    flags: [...flagNames(header.flags, headerFlags)],
  };
}

function loadCommands(file: MachOFile, findings: Findings): Result["load_commands"] {
  return file.commands.map((item) => ({
    command: commandName(item.kind),
    offset: item.offset,
    size: item.size,
    fields: findings.attempt("load_commands", item.offset, () => commandFields(file.reader, item)) ?? null,
  }));
}

function segmentOf(segment: MachSegment, findings: Findings): Result["segments"][number] {
  return {
    name: segment.name,
    address: formatAddress(segment.va),
    virtual_size: sizeOf(segment.virtualSize, segment.headerOffset, findings),
    file_offset: segment.fileOffset,
    file_size: segment.fileSize,
    max_protection: protection(segment.maximumProtection),
    initial_protection: protection(segment.initialProtection),
    flags: [...flagNames(segment.flags, segmentFlags)],
    sections: segment.sections.map((section) => sectionOf(section, findings)),
  };
}

function sectionOf(section: MachSection, findings: Findings): Result["segments"][number]["sections"][number] {
  return {
    name: section.name,
    segment: section.segmentName,
    address: formatAddress(section.va),
    size: sizeOf(section.size, section.headerOffset, findings),
    file_offset: isZeroFill(section) ? null : section.fileOffset,
    type: sectionTypeName(section.type),
    attributes: [...flagNames(section.flags, sectionAttributes)],
  };
}

/** Sizes beyond 2^53 are shown as the largest safe number and reported. */
function sizeOf(size: bigint, offset: number, findings: Findings): number {
  if (size <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(size);
  findings.malformed("segments", offset, "a size exceeds 2^53");
  return Number.MAX_SAFE_INTEGER;
}

function protection(bits: number): string {
  return `${(bits & 1) !== 0 ? "r" : "-"}${(bits & 2) !== 0 ? "w" : "-"}${(bits & 4) !== 0 ? "x" : "-"}`;
}

function dylibOf(dylib: Dylib): Result["dylibs"][number] {
  return {
    name: dylib.name,
    kind: dylib.kind,
    current_version: dylib.currentVersion,
    compatibility_version: dylib.compatibilityVersion,
    timestamp: dylib.timestamp,
  };
}

function buildVersionOf(file: MachOFile, findings: Findings): Result["build_version"] {
  const build = readBuildVersion(file, findings);
  if (build === undefined) return null;
  return { platform: build.platform, minimum_os: build.minimumOs, sdk: build.sdk ?? null, tools: build.tools.map((tool) => ({ ...tool })) };
}

function encryptionOf(file: MachOFile, findings: Findings): Result["encryption"] {
  const item = file.command(command.encryptionInfo, command.encryptionInfo64);
  if (item === undefined) return null;
  const read = findings.attempt("encryption", item.offset, () => ({
    crypt_id: commandU32(file.reader, item, 16),
    file_offset: commandU32(file.reader, item, 8),
    size: commandU32(file.reader, item, 12),
  }));
  return read ?? null;
}

function codeSignatureOf(file: MachOFile): Result["code_signature"] {
  const range = codeSignatureRange(file);
  return range === undefined ? null : { file_offset: range.offset, size: range.size };
}
