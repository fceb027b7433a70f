import type { Findings } from "../findings.js";
import { runBindOpcodes, type BindStream } from "./dyld-bind.js";
import { runRebaseOpcodes } from "./dyld-rebase.js";
import type { Fixup, FixupTable } from "./fixups.js";
import type { LoadCommand } from "./load-commands.js";
import type { MachOFile } from "./macho-file.js";

const binds: readonly (readonly [field: number, stream: BindStream])[] = [
  [16, "bind"],
  [24, "weak-bind"],
  [32, "lazy-bind"],
];

/** `LC_DYLD_INFO`: runs the four opcode streams. Each may hold at most as many pointers as the mapped image has. */
export function readDyldInfo(file: MachOFile, info: LoadCommand, findings: Findings): FixupTable {
  const items: Fixup[] = [];
  const limit = pointersOf(file);
  const counts: Record<string, number> = {};
  const run = (name: string, field: number, read: (range: { offset: number; size: number }) => void): void => {
    const before = items.length;
    findings.attempt("fixups", info.offset, () => {
      const range = file.dataRange(info, field);
      if (range !== undefined) findings.attempt("fixups", range.offset, () => { read(range); });
    });
    counts[name] = items.length - before;
  };
  run("rebases", 8, (range) => { runRebaseOpcodes(file, range, { items, limit }); });
  for (const [field, stream] of binds) {
    run(`${stream.replace("-", "_")}s`, field, (range) => { runBindOpcodes(file, stream, range, { items, limit: items.length + limit }); });
  }
  return { kind: "dyld_info", items, imports: [], summary: counts };
}

/** Pointers fit into the file-backed part of the segments or into their zero-fill, which is bounded as well. */
function pointersOf(file: MachOFile): number {
  return Math.floor(file.reader.size / file.pointerSize) + 4096;
}
