import { checkRange, type ByteReader } from "@rea/core";

import type { Findings } from "../findings.js";
import { decodeName } from "../name-text.js";
import type { MachHeader } from "./header.js";

/** One load command where it stands; its body is `[offset + 8, offset + size)`. */
export interface LoadCommand {
  readonly kind: number;
  readonly offset: number;
  readonly size: number;
}

/** The commands that fit into what the header declares and the file holds; stops at the first impossible size. */
export function readLoadCommands(reader: ByteReader, header: MachHeader, findings: Findings): readonly LoadCommand[] {
  const end = Math.min(header.size + header.commandBytes, reader.size);
  if (header.size + header.commandBytes > reader.size) {
    findings.malformed("load_commands", header.size, "the load commands reach past the end of the file");
  }
  const commands: LoadCommand[] = [];
  let offset = header.size;
  while (commands.length < header.commandCount) {
    const size = offset + 8 <= end ? reader.u32(offset + 4) : 0;
    if (size < 8 || offset + size > end) {
      findings.malformed("load_commands", offset, "a load command has an impossible size");
      return commands;
    }
    commands.push({ kind: reader.u32(offset), offset, size });
    offset += size;
  }
  return commands;
}

/** A string of a command (`lc_str`): its offset field counts from the command's start. Throws when it lies outside. */
export function commandString(reader: ByteReader, command: LoadCommand, field: number): string {
  commandRange(command, field, 4);
  const at = reader.u32(command.offset + field);
  commandRange(command, at, 0);
  return decodeName(reader.cstring(command.offset + at, command.size - at).bytes);
}

/** Throws the range error unless `length` bytes at `field` belong to the command. */
export function commandRange(command: LoadCommand, field: number, length: number): void {
  checkRange(field, length, command.size);
}

/** A 32-bit field of a command; throws when the command is too short for it. */
export function commandU32(reader: ByteReader, command: LoadCommand, field: number): number {
  commandRange(command, field, 4);
  return reader.u32(command.offset + field);
}

/** A 64-bit field of a command; throws when the command is too short for it. */
export function commandU64(reader: ByteReader, command: LoadCommand, field: number): bigint {
  commandRange(command, field, 8);
  return reader.u64(command.offset + field);
}
