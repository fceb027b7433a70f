import type { ByteReader } from "@rea/core";

import { platformName, sourceVersion, toolName } from "./build-version.js";
import { command } from "./command-names.js";
import { packedVersion } from "./dylibs.js";
import { commandRange, commandString, commandU32, commandU64, type LoadCommand } from "./load-commands.js";
import { decodeName } from "../name-text.js";

export type CommandFields = Readonly<Record<string, string | number | readonly CommandFields[]>>;

type Describe = (fields: FieldReader) => CommandFields;

/** Fields of one command by offset from its start; every read outside the command throws the range error. */
class FieldReader {
  readonly #reader: ByteReader;
  readonly item: LoadCommand;

  constructor(reader: ByteReader, item: LoadCommand) {
    this.#reader = reader;
    this.item = item;
  }

  u32(field: number): number {
    return commandU32(this.#reader, this.item, field);
  }

  /** A 64-bit count or offset as a number, beyond 2^53 as a decimal string. */
  u64(field: number): number | string {
    const value = commandU64(this.#reader, this.item, field);
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
  }

  big(field: number): bigint {
    return commandU64(this.#reader, this.item, field);
  }

  address(field: number): string {
    return `0x${this.big(field).toString(16)}`;
  }

  text(field: number): string {
    return commandString(this.#reader, this.item, field);
  }

  hex(field: number, length: number): string {
    commandRange(this.item, field, length);
    return Buffer.from(this.#reader.bytes(this.item.offset + field, length)).toString("hex");
  }

  fixed(field: number, length: number): string {
    commandRange(this.item, field, length);
    return decodeName(this.#reader.cstring(this.item.offset + field, length).bytes);
  }

  version(field: number): string {
    return packedVersion(this.u32(field));
  }
}

const dylib: Describe = (at) => ({
  name: at.text(8),
  timestamp: at.u32(12),
  current_version: at.version(16),
  compatibility_version: at.version(20),
});
const linkedit: Describe = (at) => ({ data_offset: at.u32(8), data_size: at.u32(12) });
const named = (key: string): Describe => (at) => ({ [key]: at.text(8) });
const minimum: Describe = (at) => ({ version: at.version(8), sdk: at.version(12) });
const encryption: Describe = (at) => ({ crypt_offset: at.u32(8), crypt_size: at.u32(12), crypt_id: at.u32(16) });
const dyldInfo: Describe = (at) => ({
  rebase_offset: at.u32(8),
  rebase_size: at.u32(12),
  bind_offset: at.u32(16),
  bind_size: at.u32(20),
  weak_bind_offset: at.u32(24),
  weak_bind_size: at.u32(28),
  lazy_bind_offset: at.u32(32),
  lazy_bind_size: at.u32(36),
  export_offset: at.u32(40),
  export_size: at.u32(44),
});
const dysymtab: Describe = (at) => ({
  local_index: at.u32(8),
  local_count: at.u32(12),
  external_index: at.u32(16),
  external_count: at.u32(20),
  undefined_index: at.u32(24),
  undefined_count: at.u32(28),
  indirect_offset: at.u32(56),
  indirect_count: at.u32(60),
  external_relocation_offset: at.u32(64),
  external_relocation_count: at.u32(68),
  local_relocation_offset: at.u32(72),
  local_relocation_count: at.u32(76),
});
const buildVersion: Describe = (at) => ({
  platform: platformName(at.u32(8)),
  minimum_os: at.version(12),
  sdk: at.version(16),
  tools: Array.from({ length: Math.min(at.u32(20), Math.floor((at.item.size - 24) / 8)) }, (_, index) => ({
    tool: toolName(at.u32(24 + index * 8)),
    version: at.version(28 + index * 8),
  })),
});
const segment: Describe = (at) => ({ name: at.fixed(8, 16), sections: at.u32(at.item.size >= 72 && at.item.kind === command.segment64 ? 64 : 48) });
const thread: Describe = (at) => ({ flavor: at.u32(8), words: at.u32(12) });
const linkerOptions: Describe = (at) => ({ count: at.u32(8), bytes: at.item.size - 12 });

const descriptions: ReadonlyMap<number, Describe> = new Map<number, Describe>([
  [command.segment, segment],
  [command.segment64, segment],
  [command.symtab, (at) => ({ symbol_offset: at.u32(8), symbol_count: at.u32(12), string_offset: at.u32(16), string_size: at.u32(20) })],
  [command.dysymtab, dysymtab],
  [command.thread, thread],
  [command.unixThread, thread],
  [command.loadDylib, dylib],
  [command.loadWeakDylib, dylib],
  [command.reexportDylib, dylib],
  [command.lazyLoadDylib, dylib],
  [command.loadUpwardDylib, dylib],
  [command.idDylib, dylib],
  [command.loadDylinker, named("name")],
  [command.idDylinker, named("name")],
  [command.dyldEnvironment, named("name")],
  [command.subFramework, named("umbrella")],
  [command.subUmbrella, named("sub_umbrella")],
  [command.subClient, named("client")],
  [command.subLibrary, named("sub_library")],
  [command.rpath, named("path")],
  [command.routines, (at) => ({ init_address: `0x${at.u32(8).toString(16)}`, init_module: at.u32(12) })],
  [command.routines64, (at) => ({ init_address: at.address(8), init_module: at.u64(16) })],
  [command.twolevelHints, (at) => ({ offset: at.u32(8), count: at.u32(12) })],
  [command.prebindChecksum, (at) => ({ checksum: at.u32(8) })],
  [command.uuid, (at) => ({ uuid: at.hex(8, 16) })],
  [command.codeSignature, linkedit],
  [command.segmentSplitInfo, linkedit],
  [command.functionStarts, linkedit],
  [command.dataInCode, linkedit],
  [command.dylibCodeSignDrs, linkedit],
  [command.linkerOptimizationHint, linkedit],
  [command.dyldExportsTrie, linkedit],
  [command.dyldChainedFixups, linkedit],
  [command.atomInfo, linkedit],
  [command.encryptionInfo, encryption],
  [command.encryptionInfo64, encryption],
  [command.dyldInfo, dyldInfo],
  [command.dyldInfoOnly, dyldInfo],
  [command.versionMinMacosx, minimum],
  [command.versionMinIphoneos, minimum],
  [command.versionMinTvos, minimum],
  [command.versionMinWatchos, minimum],
  [command.main, (at) => ({ entry_offset: at.u64(8), stack_size: at.u64(16) })],
  [command.sourceVersion, (at) => ({ version: sourceVersion(at.big(8)) })],
  [command.linkerOption, linkerOptions],
  [command.note, (at) => ({ owner: at.fixed(8, 16), data_offset: at.u64(24), data_size: at.u64(32) })],
  [command.buildVersion, buildVersion],
  [command.filesetEntry, (at) => ({ address: at.address(8), file_offset: at.u64(16), name: at.text(24) })],
]);

/** Typed fields of a known command; undefined for commands whose layout is not described here. */
export function commandFields(reader: ByteReader, item: LoadCommand): CommandFields | undefined {
  return descriptions.get(item.kind)?.(new FieldReader(reader, item));
}
