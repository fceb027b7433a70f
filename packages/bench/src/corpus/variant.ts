import type { SourceSet } from "./source-set.js";
import { toolchains, type Toolchain } from "./toolchains.js";

/** Files that answer for one figure together. */
export type Group = "unwind" | "no unwind" | "PE" | "Mach-O" | "Go" | "given" | "given, no unwind";

/** One way to build one set of sources. */
export interface Variant {
  readonly name: string;
  readonly group: Group;
  readonly source: SourceSet;
  readonly toolchain: Toolchain;
  readonly level: string;
  readonly unwind: boolean;
  /** Relocations and call sites are written down as well. */
  readonly references: boolean;
  /** Linked for one address, with nothing in the file that tells pointers from numbers. */
  readonly fixed: boolean;
}

const noUnwind = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"];

/** Every way to build the sources that makes sense, and is told apart by its name. */
export function variantsOf(source: SourceSet): readonly Variant[] {
  return toolchains.flatMap((toolchain) => levels(source, toolchain).flatMap((level) => builds(source, toolchain, level)));
}

function levels(source: SourceSet, toolchain: Toolchain): readonly string[] {
  if (!source.freestanding && !toolchain.hosted) return [];
  const ownHeaders = source.language === "c" || source.freestanding || toolchain.hostedCxx === true;
  if (!ownHeaders || (source.language === "c++" && toolchain.cxx === undefined)) return [];
  return toolchain.format === "elf" ? source.levels : source.levels.filter((level) => level !== "-O3");
}

function builds(source: SourceSet, toolchain: Toolchain, level: string): readonly Variant[] {
  const name = `${source.name}.${toolchain.id}${level.slice(1)}`;
  const base = { source, toolchain, level, fixed: false };
  if (toolchain.format !== "elf") {
    // clang writes C++ for Windows on ARM64 in a way its own assembler does not read.
    if (source.language === "c++" && toolchain.id === "win-arm64") return [];
    const group = toolchain.format === "pe" ? "PE" : "Mach-O";
    return [{ ...base, name, group, unwind: true, references: false }];
  }
  const withTables: Variant = { ...base, name, group: "unwind", unwind: true, references: level === "-O2" };
  const hasTwin = source.language === "c" && level === "-O2";
  if (!hasTwin) return [withTables];
  const bare = { ...base, group: "no unwind", unwind: false, references: false } as const;
  const fixed = source.kind === "program" ? [{ ...bare, name: `${name}fixed`, fixed: true }] : [];
  return [withTables, { ...bare, name: `${name}nofde` }, ...fixed];
}

/** Options for one source file, without input and output. */
export function compileFlags({ source, level, unwind, references, fixed, toolchain }: Variant): readonly string[] {
  const position = toolchain.format === "elf" ? ["-fPIC"] : [];
  return [
    level,
    ...(source.kind === "library" ? position : []),
    ...(unwind ? [] : noUnwind),
    ...(references ? ["-g"] : []),
    ...(fixed ? ["-fno-pie"] : []),
    "-w",
    ...source.flags,
  ];
}

