import { linesOf } from "./programs.js";

/** A call that DWARF describes (DWARF 5 §3.4): the address after it, and where instances of the called function begin. */
export interface CallSiteTruth {
  readonly after: number;
  readonly to: number[];
}

/** Direct calls of functions that have code in this file. */
export async function callSiteTruth(file: string): Promise<CallSiteTruth[]> {
  const instances = new Map<string, Set<number>>();
  const sites: { after: number; origin: string }[] = [];
  for await (const entry of entries(file)) {
    if (entry.tag === "DW_TAG_subprogram") noteInstance(entry, instances);
    const after = entry.attributes.get("DW_AT_call_return_pc");
    const origin = entry.attributes.get("DW_AT_call_origin");
    if (entry.tag === "DW_TAG_call_site" && after !== undefined && origin !== undefined) sites.push({ after: Number(after), origin });
  }
  return sites.flatMap(({ after, origin }) => {
    const to = [...(instances.get(origin) ?? [])];
    return to.length === 0 ? [] : [{ after, to }];
  });
}

interface Entry {
  readonly offset: string;
  readonly tag: string;
  readonly attributes: Map<string, string>;
}

async function* entries(file: string): AsyncGenerator<Entry> {
  let entry: Entry | undefined;
  for await (const line of linesOf(["llvm-dwarfdump-19", "--debug-info", file])) {
    const opened = /^(0x[0-9a-f]+):\s+(DW_TAG_\w+)/.exec(line);
    if (opened !== null) {
      if (entry !== undefined) yield entry;
      entry = { offset: opened[1] ?? "", tag: opened[2] ?? "", attributes: new Map() };
      continue;
    }
    const attribute = /^\s+(DW_AT_\w+)\s+\((0x[0-9a-f]+)/.exec(line);
    if (attribute !== null) entry?.attributes.set(attribute[1] ?? "", attribute[2] ?? "");
  }
  if (entry !== undefined) yield entry;
}

/** Code belongs to the entry itself and to what it is an instance of. */
function noteInstance({ offset, attributes }: Entry, instances: Map<string, Set<number>>): void {
  const lowPc = attributes.get("DW_AT_low_pc");
  if (lowPc === undefined) return;
  for (const place of [offset, attributes.get("DW_AT_abstract_origin"), attributes.get("DW_AT_specification")]) {
    if (place === undefined) continue;
    const known = instances.get(place) ?? new Set();
    instances.set(place, known.add(Number(lowPc)));
  }
}
