import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Program } from "../src/program.js";

/** What another disassembler prints: instruction starts, and direct calls and jumps as from → to. */
export interface Listing {
  readonly starts: ReadonlySet<number>;
  readonly calls: ReadonlyMap<number, number>;
  readonly jumps: ReadonlyMap<number, number>;
}

/** How direct calls and jumps are written for a machine. */
export type Machine = keyof typeof mnemonics;

const armConditions = "(?:eq|ne|hs|cs|lo|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)";
const mnemonics = {
  /** x86 in both widths, and A64: no name of one means something else in the other. Hints such as `,pn` may follow. */
  "x86 or A64": { call: /^(?:call[lq]?|bl)$/, jump: /^(?:j[a-z]+|loop(?:n?e)?|xbegin|b|b\.[a-z]{2}|cbn?z|tbn?z)(?:,p[nt])?$/ },
  "A32 or T32": { call: new RegExp(`^blx?${armConditions}?$`), jump: new RegExp(`^(?:b${armConditions}?(?:\\.[nw])?|cbn?z)$`) },
  "RISC-V": { call: /^jal$/, jump: /^(?:j|b(?:eq|ne|lt|ge)u?z?|b(?:le|gt)z)$/ },
  MIPS: { call: /^(?:jal|bal)$/, jump: /^(?:b|j|b(?:eq|ne)z?l?|b(?:le|ge|lt|gt)zl?|bc1[tf]l?)$/ },
  PowerPC: { call: /^bl$/, jump: /^b(?:c|eq|ne|lt|gt|le|ge|so|ns|un|nu|dn?z)?[+-]?$/ },
} as const;

/** Disassembles with `objdump` or `llvm-objdump`; addresses below 2^53. */
export function listWith(tool: string, file: string, machine: Machine = "x86 or A64"): Listing {
  const { call, jump } = mnemonics[machine];
  const wide = tool === "objdump" ? ["-w"] : [];
  const args = ["-d", "-z", "--no-show-raw-insn", ...wide, file];
  const text = execFileSync(tool, args, { maxBuffer: 1 << 30, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const starts = new Set<number>();
  const calls = new Map<number, number>();
  const jumps = new Map<number, number>();
  for (const line of text.split("\n")) {
    const row = /^\s*([0-9a-f]+):\s+(?!\.)(\S.*)$/.exec(line);
    if (row === null) continue;
    const at = Number.parseInt(row[1] ?? "", 16);
    starts.add(at);
    const edge = /^(?:(?:bnd|notrack|data16|addr32|rex\.\w*|lock|repz|repnz|[cdefgs]s) )*(\S+)\s+(?:[^<@;/*]*[,\s])?#?(?:0x)?([0-9a-f]+)(?:\s*$|\s+[<#@;/])/.exec((row[2] ?? "").replaceAll("\t", " "));
    if (edge === null) continue;
    const to = Number.parseInt(edge[2] ?? "", 16);
    if (call.test(edge[1] ?? "")) calls.set(at, to);
    else if (jump.test(edge[1] ?? "")) jumps.set(at, to);
  }
  return { starts, calls, jumps };
}

/** What an engine's reading of a function may differ in, and yet be right. */
export interface Tolerance {
  /** Bytes from a function's entry to where calls from the same module may enter it; they are calls of the function. */
  readonly localEntry?: number | undefined;
}

/**
 * Differences between the discovered functions and a listing of the same bytes, over all functions: instructions inside
 * their ranges, direct calls from them, and direct jumps that leave them. Empty means that both say exactly the same.
 */
export function edgeDifferences(program: Program, listing: Listing, { localEntry = 0 }: Tolerance = {}): readonly string[] {
  const va = (rva: number): number => Number(program.toVa(rva));
  const hex = (at: number): string => `0x${at.toString(16)}`;
  const sorted = [...listing.starts].sort((a, b) => a - b);
  const entries = new Set(program.functions.map(({ entry }) => va(entry)));
  const entered = (to: number): number => (entries.has(to - localEntry) ? to - localEntry : to);
  const wrong: string[] = [];
  for (const fn of program.functions) {
    const ranges = fn.ranges.map(({ start, end }) => [va(start), va(end)] as const);
    const own = new Set(program.instructionStarts(fn).map(va));
    const judged = ranges.flatMap(([start, end]) => between(sorted, start, end));
    for (const at of own) if (!listing.starts.has(at)) wrong.push(`${hex(at)} is no instruction of the listing`);
    for (const at of judged) if (!own.has(at)) wrong.push(`${hex(at)} of the listing is no instruction of ${hex(va(fn.entry))}`);
    const references = program.referencesFrom(fn).map(({ from, to, kind }) => ({ from: va(from), to: va(to), kind }));
    const isInside = (at: number): boolean => ranges.some(([start, end]) => at >= start && at < end);
    const edges = (kind: "call" | "jump", listed: ReadonlyMap<number, number>, counts: (to: number) => boolean): void => {
      // Calls and jumps through a cell whose content is known are no direct ones; no listing shows their target.
      const found = new Set(references.filter((one) => one.kind === kind && listed.has(one.from) && counts(one.to)).map(({ from, to }) => `${kind} at ${hex(from)} to ${hex(to)}`));
      const expected = new Set(judged.flatMap((from) => {
        const to = listed.get(from);
        return to === undefined || !counts(to) ? [] : [`${kind} at ${hex(from)} to ${hex(kind === "call" ? entered(to) : to)}`];
      }));
      for (const one of found) if (!expected.has(one)) wrong.push(`${one} is not in the listing`);
      for (const one of expected) if (!found.has(one)) wrong.push(`${one} is only in the listing`);
    };
    edges("call", listing.calls, () => true);
    edges("jump", listing.jumps, (to) => !isInside(to));
  }
  return wrong;
}

/** Values of a sorted list from `start` up to, not including, `end`. */
function between(sorted: readonly number[], start: number, end: number): readonly number[] {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  const first = low;
  while ((sorted[low] ?? Infinity) < end) low += 1;
  return sorted.slice(first, low);
}

/** True when a program of this name can be run. */
export function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((directory) => existsSync(`${directory}/${program}`));
}
