import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

// gcc names constants .LC and tables .L4, clang names tables .LJTI0_0 or LJTI0_0.
const label = /^\.?L(?!C\d|FB|V|str)[A-Za-z_]*\d+(?:_\d+)?:/;
const entry = /^\s+\.(?:long|quad|word|hword|byte|2byte|short|xword)\s+\(?\.?L(?!C\d|FB|V)[A-Za-z_]*\d+(?:_\d+)?(?:_set_\d+)?(?:\s*-.*|\)?\s*)$/;
const between = /^\s*(?:$|\.(?:p2align|align|balign|loc|data_region|set)|[#;@]|\/\/)/;

/** Counts tables of jump targets in an assembly file: a local label followed by two or more entries that name local labels. */
export async function countSwitchTables(assembly: string): Promise<number> {
  let tables = 0;
  let entries = 0;
  let open = false;
  let debug = false;
  for await (const line of createInterface({ input: createReadStream(assembly) })) {
    const section = /^\s+\.(?:section\s+(\S+)|text|data|bss)/.exec(line);
    if (section !== null) debug = section[1] !== undefined && /debug|DWARF/.test(section[1]);
    if (debug || between.test(line)) continue;
    if (label.test(line)) {
      open = true;
      entries = 0;
    } else if (open && entry.test(line)) {
      entries += 1;
      if (entries === 2) tables += 1;
    } else open = false;
  }
  return tables;
}
