import type { Findings } from "../findings.js";
import { command } from "./command-names.js";
import { commandString, commandU32, type LoadCommand } from "./load-commands.js";
import type { MachOFile } from "./macho-file.js";

/** A dynamic library as a `dylib_command` names it. */
export interface Dylib {
  readonly name: string;
  readonly kind: string;
  readonly currentVersion: string;
  readonly compatibilityVersion: string;
  readonly timestamp: number;
}

const kinds: ReadonlyMap<number, string> = new Map([
  [command.loadDylib, "load-dylib"],
  [command.loadWeakDylib, "weak-dylib"],
  [command.reexportDylib, "reexport-dylib"],
  [command.lazyLoadDylib, "lazy-dylib"],
  [command.loadUpwardDylib, "upward-dylib"],
  [command.idDylib, "id-dylib"],
]);

/** The libraries in load order, which two-level ordinals count from 1, and the image's own name among them. */
export function readDylibs(file: MachOFile, findings: Findings): { readonly loaded: readonly Dylib[]; readonly own: Dylib | undefined } {
  const loaded: Dylib[] = [];
  let own: Dylib | undefined;
  for (const item of file.commands) {
    const kind = kinds.get(item.kind);
    if (kind === undefined) continue;
    const dylib = findings.attempt("libraries", item.offset, () => readDylib(file, item, kind)) ?? unreadable(kind);
    if (item.kind === command.idDylib) own = dylib;
    else loaded.push(dylib);
  }
  return { loaded, own };
}

/** Keeps the ordinals of the libraries behind a damaged command right. */
function unreadable(kind: string): Dylib {
  return { name: "", kind, currentVersion: "0.0.0", compatibilityVersion: "0.0.0", timestamp: 0 };
}

function readDylib(file: MachOFile, item: LoadCommand, kind: string): Dylib {
  const { reader } = file;
  return {
    name: commandString(reader, item, 8),
    kind,
    timestamp: commandU32(reader, item, 12),
    currentVersion: packedVersion(commandU32(reader, item, 16)),
    compatibilityVersion: packedVersion(commandU32(reader, item, 20)),
  };
}

/** `X.Y.Z` packed as 16, 8 and 8 bits. */
export function packedVersion(value: number): string {
  return `${String(value >>> 16)}.${String((value >>> 8) & 0xff)}.${String(value & 0xff)}`;
}

/** Directories that `@rpath` stands for. */
export function readRunPaths(file: MachOFile, findings: Findings): readonly string[] {
  return file.commands.flatMap((item) => {
    if (item.kind !== command.rpath) return [];
    const path = findings.attempt("run paths", item.offset, () => commandString(file.reader, item, 8));
    return path === undefined ? [] : [path];
  });
}

/** Library of a two-level ordinal; 0, 255, 254 and 253 are not libraries but rules of lookup. */
export function libraryOf(loaded: readonly Dylib[], ordinal: number): string | undefined {
  const name = loaded[ordinal - 1]?.name;
  return name === "" ? undefined : name;
}
