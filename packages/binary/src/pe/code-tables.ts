import type { Findings } from "../findings.js";
import type { UnwindRange } from "../image.js";
import type { LoadConfig } from "./load-config.js";
import type { PeFile } from "./pe-file.js";

/**
 * Starts of functions that the load configuration lists: valid targets of indirect calls (control flow guard) and
 * registered exception handlers (x86). Entries are RVAs; guard entries carry extra bytes that GuardFlags counts.
 */
export function listedFunctions(file: PeFile, config: LoadConfig, findings: Findings): readonly UnwindRange[] {
  const extra = config.guardFlags >>> 28;
  return [
    ...readTable(file, { va: config.guardTable, count: config.guardCount, entrySize: 4 + extra }, findings),
    ...(file.architecture === "x86" ? readTable(file, { va: config.safeSehTable, count: config.safeSehCount, entrySize: 4 }, findings) : []),
  ];
}

interface CodeTable {
  readonly va: bigint;
  readonly count: bigint;
  readonly entrySize: number;
}

function readTable(file: PeFile, table: CodeTable, findings: Findings): readonly UnwindRange[] {
  const rva = table.va === 0n || table.count === 0n ? undefined : file.rvaOf(table.va);
  if (rva === undefined) return [];
  const fits = Math.floor((file.place(rva)?.available ?? 0) / table.entrySize);
  if (table.count > BigInt(fits)) findings.malformed("unwind", file.fileOffset(rva), "a table of functions is longer than its section");
  const count = table.count > BigInt(fits) ? fits : Number(table.count);
  return Array.from({ length: count }, (_, index): UnwindRange => {
    const start = file.va(file.u32(rva + index * table.entrySize));
    return { start, end: undefined, source: "function-starts", primary: undefined, lsda: undefined };
  });
}
