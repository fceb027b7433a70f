import type { Findings } from "../findings.js";
import { command } from "./command-names.js";
import { packedVersion } from "./dylibs.js";
import { commandRange, commandU32, commandU64, type LoadCommand } from "./load-commands.js";
import type { MachOFile } from "./macho-file.js";

export interface BuildVersion {
  readonly platform: string;
  readonly minimumOs: string;
  readonly sdk: string | undefined;
  readonly tools: readonly { readonly tool: string; readonly version: string }[];
}

const platforms: readonly string[] = [
  "PLATFORM_UNKNOWN",
  "PLATFORM_MACOS",
  "PLATFORM_IOS",
  "PLATFORM_TVOS",
  "PLATFORM_WATCHOS",
  "PLATFORM_BRIDGEOS",
  "PLATFORM_MACCATALYST",
  "PLATFORM_IOSSIMULATOR",
  "PLATFORM_TVOSSIMULATOR",
  "PLATFORM_WATCHOSSIMULATOR",
  "PLATFORM_DRIVERKIT",
  "PLATFORM_VISIONOS",
  "PLATFORM_VISIONOSSIMULATOR",
];

export function platformName(value: number): string {
  return platforms[value] ?? `PLATFORM_${String(value)}`;
}

const tools: ReadonlyMap<number, string> = new Map([
  [1, "TOOL_CLANG"],
  [2, "TOOL_SWIFT"],
  [3, "TOOL_LD"],
  [4, "TOOL_LLD"],
  [1024, "TOOL_METAL"],
]);

export function toolName(value: number): string {
  return tools.get(value) ?? `TOOL_${String(value)}`;
}

const minimumKinds: ReadonlyMap<number, string> = new Map([
  [command.versionMinMacosx, "PLATFORM_MACOS"],
  [command.versionMinIphoneos, "PLATFORM_IOS"],
  [command.versionMinTvos, "PLATFORM_TVOS"],
  [command.versionMinWatchos, "PLATFORM_WATCHOS"],
]);

/** `LC_BUILD_VERSION`, or the `LC_VERSION_MIN_*` before it. */
export function readBuildVersion(file: MachOFile, findings: Findings): BuildVersion | undefined {
  const build = file.command(command.buildVersion);
  if (build !== undefined) return findings.attempt("build_version", build.offset, () => buildVersion(file, build));
  const minimum = file.command(...minimumKinds.keys());
  if (minimum === undefined) return undefined;
  return findings.attempt("build_version", minimum.offset, () => ({
    platform: minimumKinds.get(minimum.kind) ?? "PLATFORM_UNKNOWN",
    minimumOs: packedVersion(commandU32(file.reader, minimum, 8)),
    sdk: sdkOf(commandU32(file.reader, minimum, 12)),
    tools: [],
  }));
}

function buildVersion(file: MachOFile, item: LoadCommand): BuildVersion {
  const { reader } = file;
  const count = Math.min(commandU32(reader, item, 20), Math.floor((item.size - 24) / 8));
  return {
    platform: platformName(commandU32(reader, item, 8)),
    minimumOs: packedVersion(commandU32(reader, item, 12)),
    sdk: sdkOf(commandU32(reader, item, 16)),
    tools: Array.from({ length: count }, (_, index) => ({
      tool: toolName(reader.u32(item.offset + 24 + index * 8)),
      version: packedVersion(reader.u32(item.offset + 28 + index * 8)),
    })),
  };
}

function sdkOf(value: number): string | undefined {
  return value === 0 ? undefined : packedVersion(value);
}

/** `A.B.C.D.E` packed as 24, 10, 10, 10 and 10 bits. */
export function sourceVersion(value: bigint): string {
  const parts = [value >> 40n, (value >> 30n) & 0x3ffn, (value >> 20n) & 0x3ffn, (value >> 10n) & 0x3ffn, value & 0x3ffn];
  while (parts.length > 2 && parts.at(-1) === 0n) parts.pop();
  return parts.map(String).join(".");
}

/** `LC_SOURCE_VERSION`; undefined when absent or zero. */
export function readSourceVersion(file: MachOFile, findings: Findings): string | undefined {
  const item = file.command(command.sourceVersion);
  const value = item === undefined ? undefined : findings.attempt("build_version", item.offset, () => commandU64(file.reader, item, 8));
  return value === undefined || value === 0n ? undefined : sourceVersion(value);
}

/** `LC_UUID` in the usual upper-case form. */
export function readUuid(file: MachOFile, findings: Findings): { readonly value: string; readonly offset: number } | undefined {
  const item = file.command(command.uuid);
  if (item === undefined) return undefined;
  return findings.attempt("uuid", item.offset, () => {
    commandRange(item, 8, 16);
    const hex = Buffer.from(file.reader.bytes(item.offset + 8, 16)).toString("hex").toUpperCase();
    const value = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
    return { value, offset: item.offset + 8 };
  });
}
