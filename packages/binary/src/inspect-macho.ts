import { coverageOf, formatAddress, ReaError, sourceSlice, type ByteSource, type OperationResult } from "@rea/core";

import { Findings } from "./findings.js";
import { bounded, countOf, Display } from "./inspect/display.js";
import { isUniversal, readMachO, readUniversal, selectSlice, type MachOImage } from "./macho/index.js";
import { readBuildVersion, readUuid } from "./macho/build-version.js";
import { codeSignatureRange } from "./macho/code-directory.js";
import { commandFields, type CommandFields } from "./macho/command-fields.js";
import { command, commandName } from "./macho/command-names.js";
import { cpuOf, fileTypeName, flagNames, headerFlags, sectionAttributes, sectionTypeName, segmentFlags, sliceName, subtypeName } from "./macho/constants.js";
import { readRunPaths, type Dylib } from "./macho/dylibs.js";
import { mainEntry } from "./macho/entry-points.js";
import { readFunctionStarts } from "./macho/function-starts.js";
import { commandU32, type LoadCommand } from "./macho/load-commands.js";
import { isZeroFill, type MachOFile } from "./macho/macho-file.js";
import type { MachSection, MachSegment } from "./macho/segments.js";

type Result = OperationResult<"inspect_macho">;

const mostCommands = 10_000;

/**
 * Describes one Mach-O image, or the chosen slice of a universal file, as `inspect_macho` returns it, with every text of
 * the file escaped. Offsets count from the start of the file, also for a slice; what a command itself declares stays as
 * declared. Throws `artifact_operation_failed` (reason `format`) for
 * other files and `invalid_request` for an architecture the file does not have.
 */
export function inspectMacho(source: ByteSource, params: { readonly architecture?: string | undefined } = {}): Result {
  const { image, slice, available, omissions } = openSlice(source, params.architecture);
  const file = image.machO;
  const findings = new Findings();
  const display = new Display(image);
  const commands = bounded(file.commands, mostCommands, "load_commands");
  const segments = bounded(file.segments, mostCommands, "segments");
  const { loaded, own, findings: dylibFindings } = image.linkage.dylibs();
  const fixups = image.linkage.fixups();
  const entry = mainEntry(file, findings);
  const result = {
    architecture: sliceName(file.header.cpuType, file.header.cpuSubtype),
    available_architectures: available,
    slice,
    header: headerOf(file),
    load_commands: commands.items.map((item) => loadCommand(file, item, display, findings)),
    segments: segments.items.map((segment) => segmentOf(segment, display)),
    dylibs: [...(own === undefined ? [] : [own]), ...loaded].map((dylib) => dylibOf(dylib, display)),
    rpaths: readRunPaths(file, findings).map((path) => display.text(path)),
    build_version: buildVersionOf(file, findings),
    uuid: readUuid(file, findings)?.value ?? null,
    entry_point: entry === undefined ? null : formatAddress(entry),
    fixups: { kind: fixups.kind, summary: { ...fixups.summary } },
    function_starts_count: readFunctionStarts(file, findings)?.length ?? null,
    encryption: encryptionOf(file, display, findings),
    code_signature: codeSignatureOf(file, display),
  };
  const cut = display.omissions([...commands.omissions, ...segments.omissions], "inspect_macho");
  const all = [...omissions, ...cut, ...file.omissions, ...dylibFindings.list(), ...fixups.findings.list(), ...findings.list()];
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

function loadCommand(file: MachOFile, item: LoadCommand, display: Display, findings: Findings): Result["load_commands"][number] {
  const fields = findings.attempt("load_commands", item.offset, () => commandFields(file.reader, item));
  return {
    command: commandName(item.kind),
    offset: display.offset(item.offset),
    size: item.size,
    fields: fields === undefined ? null : shownFields(fields, display),
  };
}

function shownFields(fields: CommandFields, display: Display): Record<string, unknown> {
  const shown = (value: CommandFields[string]): unknown => {
    if (typeof value === "string") return display.text(value);
    return typeof value === "number" ? value : value.map((item) => shownFields(item, display));
  };
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, shown(value)]));
}

function segmentOf(segment: MachSegment, display: Display): Result["segments"][number] {
  return {
    name: display.text(segment.name),
    address: formatAddress(segment.va),
    virtual_size: countOf(segment.virtualSize),
    file_offset: Math.min(display.offset(segment.fileOffset), Number.MAX_SAFE_INTEGER),
    file_size: segment.fileSize,
    max_protection: protection(segment.maximumProtection),
    initial_protection: protection(segment.initialProtection),
    flags: [...flagNames(segment.flags, segmentFlags)],
    sections: segment.sections.map((section) => sectionOf(section, display)),
  };
}

function sectionOf(section: MachSection, display: Display): Result["segments"][number]["sections"][number] {
  return {
    name: display.text(section.name),
    segment: display.text(section.segmentName),
    address: formatAddress(section.va),
    size: countOf(section.size),
    file_offset: isZeroFill(section) ? null : display.offset(section.fileOffset),
    type: sectionTypeName(section.type),
    attributes: [...flagNames(section.flags, sectionAttributes)],
  };
}

function protection(bits: number): string {
  return `${(bits & 1) !== 0 ? "r" : "-"}${(bits & 2) !== 0 ? "w" : "-"}${(bits & 4) !== 0 ? "x" : "-"}`;
}

function dylibOf(dylib: Dylib, display: Display): Result["dylibs"][number] {
  return {
    name: display.text(dylib.name),
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

function encryptionOf(file: MachOFile, display: Display, findings: Findings): Result["encryption"] {
  const item = file.command(command.encryptionInfo, command.encryptionInfo64);
  if (item === undefined) return null;
  const read = findings.attempt("encryption", item.offset, () => ({
    crypt_id: commandU32(file.reader, item, 16),
    file_offset: display.offset(commandU32(file.reader, item, 8)),
    size: commandU32(file.reader, item, 12),
  }));
  return read ?? null;
}

function codeSignatureOf(file: MachOFile, display: Display): Result["code_signature"] {
  const range = codeSignatureRange(file);
  return range === undefined ? null : { file_offset: display.offset(range.offset), size: range.size };
}
