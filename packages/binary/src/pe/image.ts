import type { ByteSource } from "@rea/core";

import { Findings } from "../findings.js";
import type { BinaryImage, BuildId, ImageHeader, Libraries, Table } from "../image.js";
import { once } from "../once.js";
import { readAnomalies } from "./anomalies.js";
import { isManaged, managedHint } from "./clr.js";
import { dllCharacteristics, fileCharacteristics, flagNames, machineOf, subsystemName } from "./constants.js";
import { debugIds, extendedDllCharacteristics, isReproducible, readDebugDirectory, type DebugEntry } from "./debug-directory.js";
import { readExports } from "./exports.js";
import { readBoundImports, readDelayDescriptors, readImportDescriptors, readImports } from "./imports.js";
import { readLoadConfig } from "./load-config.js";
import { peMitigations } from "./mitigations.js";
import { authenticode, readOverlay } from "./overlay.js";
import { PeFile } from "./pe-file.js";
import { readBaseRelocations } from "./relocations.js";
import { readRichHeader, type RichHeader } from "./rich-header.js";
import { roleOf, type PeRole } from "./role.js";
import { peSections, peSegments } from "./sections.js";
import { readCoffSymbols } from "./symbols.js";
import { withStubs } from "./thunks.js";
import { readEntryPoints } from "./tls.js";
import { readUnwindRanges } from "./unwind.js";

/** A PE image with what only PE has. */
export interface PeImage extends BinaryImage {
  readonly format: "pe";
  readonly managed: boolean;
  /** What the file is made for, by its flags, subsystem and imports. */
  role(): PeRole;
}

/**
 * Reads a PE32 or PE32+ file. Throws `artifact_operation_failed` (reason `format`) when the DOS, COFF or optional header
 * is missing or cut off; everything behind them is read on first use and reports damage as omissions.
 */
export function readPe(source: ByteSource): PeImage {
  const file = new PeFile(source);
  const debug = once(() => tableOf((findings) => readDebugDirectory(file, findings)));
  const imports = once(() => importTables(file));
  const exports = once(() => readExports(file));
  const symbols = once(() => readCoffSymbols(file));
  const rich = once(() => readRichHeader(file));
  const stubbed = once(() => ({ items: withStubs(file, imports().items), omissions: imports().omissions }));
  return {
    format: "pe",
    architecture: file.architecture,
    bits: file.headers.plus ? 64 : 32,
    endian: "little",
    imageBase: file.va(0),
    header: headerOf(file, debug().items),
    source,
    sourceOffset: 0,
    managed: isManaged(file),
    role: once(() => roleOf(file, imports().libraries.map(({ name }) => name))),
    segments: once(() => peSegments(file)),
    sections: once(() => peSections(file)),
    symbols,
    imports: stubbed,
    exports,
    relocations: once(() => readBaseRelocations(file)),
    libraries: once((): Libraries => librariesOf(imports(), exports())),
    entryPoints: once(() => readEntryPoints(file)),
    unwindRanges: once(() => readUnwindRanges(file)),
    buildIds: once(() => buildIds(file, debug(), rich())),
    mitigations: once(() =>
      tableOf((findings) =>
        peMitigations({
          file,
          loadConfig: readLoadConfig(file, findings),
          extendedCharacteristics: extendedDllCharacteristics(file, debug().items),
          symbols: symbols().items,
          imports: imports().items,
        }),
      ),
    ),
    signatures: once(() => ({ items: [authenticode(file)].filter((item) => item !== undefined), omissions: [] })),
    anomalies: once(() => ({ items: readAnomalies(file, rich()), omissions: [] })),
    overlay: once(() => readOverlay(file)),
  };
}

function tableOf<T>(read: (findings: Findings) => readonly T[]): Table<T> {
  const findings = new Findings();
  const items = read(findings);
  return { items, omissions: findings.list() };
}

function importTables(file: PeFile) {
  const findings = new Findings();
  const descriptors = [...readImportDescriptors(file, findings), ...readDelayDescriptors(file, findings)];
  const bound = readBoundImports(file, findings);
  return { ...readImports(file, descriptors, findings), bound };
}

function librariesOf(imports: ReturnType<typeof importTables>, exports: ReturnType<typeof readExports>): Libraries {
  return {
    needed: [...imports.libraries, ...imports.bound],
    runPaths: [],
    ownName: exports.ownName,
    omissions: imports.omissions,
  };
}

function headerOf(file: PeFile, debug: readonly DebugEntry[]): ImageHeader {
  const { headers } = file;
  return {
    machine: machineOf(headers.machine).name,
    type: typeOf(headers.characteristics),
    flags: [...flagNames(headers.characteristics, fileCharacteristics), ...flagNames(headers.dllCharacteristics, dllCharacteristics)],
    interpreter: undefined,
    subsystem: subsystemName(headers.subsystem),
    timestamp: { raw: `0x${headers.timestamp.toString(16)}`, utc: utcOf(headers.timestamp, debug) },
    file: { offset: 0, size: Math.min(headers.sizeOfHeaders, file.reader.size) },
  };
}

function typeOf(characteristics: number): string {
  if ((characteristics & 0x2000) !== 0) return "IMAGE_FILE_DLL";
  return (characteristics & 0x0002) !== 0 ? "IMAGE_FILE_EXECUTABLE_IMAGE" : "IMAGE_FILE";
}

/** A reproducible build stores a digest in the time fields; 0 and all ones mean "not given". */
function utcOf(seconds: number, debug: readonly DebugEntry[]): string | undefined {
  if (seconds === 0 || seconds === 0xffffffff || isReproducible(debug)) return undefined;
  return new Date(seconds * 1000).toISOString();
}

function buildIds(file: PeFile, debug: Table<DebugEntry>, rich: RichHeader | undefined): Table<BuildId> {
  const findings = new Findings();
  const items = [...debugIds(file, debug.items, findings), ...richId(rich), linkerVersion(file), ...managedHint(file, findings)];
  return { items, omissions: [...debug.omissions, ...findings.list()] };
}

/** Value: `product.build×count` of every tool, in file order. */
function richId(rich: RichHeader | undefined): readonly BuildId[] {
  if (rich === undefined) return [];
  const value = rich.entries.map(({ productId, build, count }) => `${String(productId)}.${String(build)}×${String(count)}`).join(" ");
  const detail = `key 0x${rich.key.toString(16)}, checksum ${rich.checksumValid ? "valid" : "wrong"}`;
  return [{ kind: "rich-header", value, detail, file: { offset: rich.offset, size: rich.size } }];
}

function linkerVersion(file: PeFile): BuildId {
  const range = { offset: file.headers.peOffset + 26, size: 2 };
  return { kind: "linker-version", value: file.headers.linkerVersion, detail: "declared in the optional header", file: range };
}
