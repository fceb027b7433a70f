import { output, partialOutput } from "./llvm-tools.js";

/** Tables of GNU readelf's wide text, in the order it prints them. */
export interface ReadelfSection {
  readonly name: string;
  readonly type: string;
  readonly va: bigint;
  readonly offset: number;
  readonly size: number;
}

export function readelfSections(file: string): readonly ReadelfSection[] {
  const line = /^ {2}\[ *\d+\] (.*?) +([A-Z0-9_a-z<>:+. ]+?) +([0-9a-f]{8,16}) ([0-9a-f]{6,}) ([0-9a-f]{6,}) [0-9a-f]{2,}/;
  return rows(output("readelf", ["-S", "-W", file]), line)
    .map(([, name = "", type = "", va = "", offset = "", size = ""]) => ({
      name,
      type,
      va: BigInt(`0x${va}`),
      offset: Number.parseInt(offset, 16),
      size: Number.parseInt(size, 16),
    }))
    .slice(1);
}

export interface ReadelfSymbol {
  readonly table: string;
  readonly value: bigint;
  readonly size: bigint;
  readonly type: string;
  readonly binding: string;
  readonly section: string;
  readonly name: string;
}

/** Symbols of `.symtab` and `.dynsym`, entry 0 left out; names carry `@VERSION` or `@@VERSION`. */
export function readelfSymbols(file: string): readonly ReadelfSymbol[] {
  const found: ReadelfSymbol[] = [];
  let table = "";
  for (const line of output("readelf", ["-s", "-W", file]).split("\n")) {
    table = /^Symbol table '\.(symtab|dynsym)'/.exec(line)?.[1] ?? table;
    const match = /^ *(\d+): ([0-9a-f]+) +(0x[0-9a-f]+|\d+) (\S+) +(\S+) +\S+ +(?:\[.*?\] +)?(\S+) ?(.*)$/.exec(line);
    if (match === null || match[1] === "0") continue;
    const [, , value = "", size = "", type = "", binding = "", section = "", name = ""] = match;
    const plain = name.replace(/ \(\d+\)$/, "");
    found.push({ table, value: BigInt(`0x${value}`), size: BigInt(size), type, binding, section, name: plain });
  }
  return found;
}

export interface ReadelfRelocation {
  readonly va: bigint;
  readonly type: string;
}

/** readelf adds a width to names that have none in the ELF supplement for AArch64. */
const documented: { readonly [name: string]: string | undefined } = {
  R_AARCH64_TLS_DTPMOD64: "R_AARCH64_TLS_DTPMOD",
  R_AARCH64_TLS_DTPREL64: "R_AARCH64_TLS_DTPREL",
  R_AARCH64_TLS_TPREL64: "R_AARCH64_TLS_TPREL",
};

/**
 * Every relocation in printing order. GNU readelf prints RELR tables in another form and Android's not at all;
 * `llvm-readelf` decodes both. A type that readelf does not know is `unrecognized`.
 */
export function readelfRelocations(file: string, program: string): readonly ReadelfRelocation[] {
  const line = /^([0-9a-f]{8,16}) +[0-9a-f]{8,16} +(R_\S+|unrecognized)/;
  return rows(output(program, ["-r", "-W", file]), line).map(([, va = "", type = ""]) => ({
    va: BigInt(`0x${va}`),
    type: documented[type] ?? type,
  }));
}

/** Places that RELR tables relocate, as `llvm-readelf` decodes them. */
export function readelfPackedPlaces(file: string): readonly bigint[] {
  const line = /^(?:[0-9a-f]{4}: +[0-9a-f]{16} | {20,})([0-9a-f]{16})(?: |$)/;
  return rows(output("llvm-readelf-19", ["-r", "-W", file]), line).map(([, va = ""]) => BigInt(`0x${va}`));
}

export function readelfDynamic(file: string, tag: string): readonly string[] {
  return rows(output("readelf", ["-d", "-W", file]), new RegExp(`\\(${tag}\\).*\\[(.*)\\]`)).map(([, value = ""]) => value);
}

/** Ranges of `.eh_frame` and `.debug_frame` as `start..end`. */
export function readelfFrames(file: string): readonly string[] {
  const line = /^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)$/;
  // readelf reports failure for a file whose separate debug file is absent, after printing everything.
  return rows(partialOutput("readelf", ["--debug-dump=frames", "-W", file]).text, line).map(
    ([, start = "", end = ""]) => `${BigInt(`0x${start}`).toString(16)}..${BigInt(`0x${end}`).toString(16)}`,
  );
}

function rows(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  return text.split("\n").flatMap((line) => {
    const match = pattern.exec(line);
    return match === null ? [] : [match];
  });
}
