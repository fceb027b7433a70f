import { Findings } from "../findings.js";
import type { ExportedSymbol, Table } from "../image.js";
import type { DataDirectory } from "./headers.js";
import type { PeFile } from "./pe-file.js";
import { isExecutableRva } from "./sections.js";

export interface PeExports extends Table<ExportedSymbol> {
  /** The DLL's own name. */
  readonly ownName: string | undefined;
}

interface ExportTables {
  readonly directory: DataDirectory;
  readonly base: number;
  readonly functionsRva: number;
  readonly functionCount: number;
  readonly namesRva: number;
  readonly ordinalsRva: number;
  readonly nameCount: number;
}

/** PE Format § "The .edata Section": one item per name, then one per address without a name, in ordinal order. */
export function readExports(file: PeFile): PeExports {
  const directory = file.directory("exports");
  const findings = new Findings();
  const items: ExportedSymbol[] = [];
  if (directory === undefined) return { items, omissions: findings.list(), ownName: undefined };
  const tables = findings.attempt("exports", file.fileOffset(directory.rva), () => readTables(file, directory, findings));
  if (tables === undefined) return { items, omissions: findings.list(), ownName: undefined };
  const named = readNames(file, tables, findings);
  findings.attempt("exports", file.fileOffset(directory.rva), () => {
    for (let index = 0; index < tables.functionCount; index += 1) {
      const rva = file.u32(tables.functionsRva + index * 4);
      if (rva === 0) continue;
      for (const name of named.get(index) ?? [undefined]) items.push(exportOf(file, tables, { index, rva, name }));
    }
  });
  file.strings.report(findings, "exports");
  const ownName = ownNameOf(file, directory, findings);
  return { items, omissions: findings.list(), ownName };
}

function ownNameOf(file: PeFile, directory: DataDirectory, findings: Findings): string | undefined {
  return findings.attempt("exports", file.fileOffset(directory.rva), () => {
    const nameRva = file.u32(directory.rva + 12);
    return nameRva === 0 ? undefined : file.name(nameRva);
  });
}

function readTables(file: PeFile, directory: DataDirectory, findings: Findings): ExportTables {
  const at = directory.rva;
  const functionsRva = file.u32(at + 28);
  const namesRva = file.u32(at + 32);
  const ordinalsRva = file.u32(at + 36);
  const clamp = (declared: number, rva: number, size: number): number => {
    const fits = Math.floor((file.place(rva)?.available ?? 0) / size);
    if (fits < declared) findings.malformed("exports", file.fileOffset(at), "a table is longer than its section");
    return Math.min(fits, declared);
  };
  const declaredNames = file.u32(at + 24);
  return {
    directory,
    base: file.u32(at + 16),
    functionsRva,
    functionCount: clamp(file.u32(at + 20), functionsRva, 4),
    namesRva,
    ordinalsRva,
    nameCount: Math.min(clamp(declaredNames, namesRva, 4), clamp(declaredNames, ordinalsRva, 2)),
  };
}

/** Names by index into the address table; one address may have several. */
function readNames(file: PeFile, tables: ExportTables, findings: Findings): ReadonlyMap<number, readonly string[]> {
  const { directory } = tables;
  const named = new Map<number, string[]>();
  let outside = 0;
  for (let index = 0; index < tables.nameCount; index += 1) {
    const ordinal = file.u16(tables.ordinalsRva + index * 2);
    if (ordinal >= tables.functionCount) {
      outside += 1;
      continue;
    }
    const name = findings.attempt("export names", file.fileOffset(directory.rva), () => file.name(file.u32(tables.namesRva + index * 4)));
    if (name === undefined) break;
    const names = named.get(ordinal);
    if (names === undefined) named.set(ordinal, [name]);
    else names.push(name);
  }
  if (outside > 0) findings.malformed("export names", file.fileOffset(tables.ordinalsRva), "a name has no address entry");
  return named;
}

interface ExportEntry {
  readonly index: number;
  readonly rva: number;
  readonly name: string | undefined;
}

function exportOf(file: PeFile, tables: ExportTables, { index, rva, name }: ExportEntry): ExportedSymbol {
  const { directory } = tables;
  const forwarded = rva >= directory.rva && rva < directory.rva + directory.size;
  return {
    name,
    va: forwarded ? undefined : file.va(rva),
    ordinal: tables.base + index,
    version: undefined,
    forwarder: forwarded ? file.name(rva) : undefined,
    binding: "global",
    type: forwarded ? "other" : isExecutableRva(file, rva) ? "function" : "object",
    file: { offset: file.offsetOf(tables.functionsRva + index * 4, 4), size: 4 },
  };
}
