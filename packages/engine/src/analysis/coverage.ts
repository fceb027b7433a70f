import { omission, type Omission } from "@rea/core";
import type { AnalysisCoverage } from "../program.js";
import type { CodeMap } from "./code-map.js";
import type { Explorer } from "./explorer.js";
import type { MemoryMap } from "./memory-map.js";
import { paddingBytes } from "./padding.js";
import type { Body } from "./partition.js";
import type { WorkBounds } from "./work-bounds.js";

interface CoverageInput {
  readonly memory: MemoryMap;
  readonly code: CodeMap;
  readonly explorer: Explorer;
  readonly bodies: readonly Body[];
  readonly bounds: WorkBounds;
  /** Starts that the bound of functions left out. */
  readonly functionsLeftOut: number;
  readonly limitations: readonly string[];
  /** Pointers in data that were found by value, and how many more were left out. */
  readonly values: { readonly found: number; readonly leftOut: number };
  /** What the image's mapping left out: code that lies past the end of a file cut short. */
  readonly unmapped: readonly Omission[];
  /** Entries of import stubs. */
  readonly stubs: ReadonlySet<number>;
}

/** What the analysis looked at, what it left out and why. */
export function describeCoverage(input: CoverageInput): AnalysisCoverage {
  const { code, explorer, bodies } = input;
  input.bounds.checkStop();
  const codeBytes = input.memory.code.reduce((sum, range) => sum + range.end - range.start, 0);
  const examinedCodeBytes = Math.min(codeBytes, claimedBytes(bodies, input.bounds) + paddingBytes(code, (rva) => input.stubs.has(rva), input.bounds));
  const unresolvedIndirectJumps = [...explorer.computed.unresolved.keys()]
    .filter((rva) => isClaimed(code, rva))
    .map((rva) => rva - delayAt(code, rva))
    .sort((a, b) => a - b);
  return {
    codeBytes,
    examinedCodeBytes,
    unresolvedIndirectJumps,
    omissions: [
      ...input.unmapped,
      ...unexaminedBytes(codeBytes - examinedCodeBytes),
      ...distantCode(input.memory.distantCode),
      ...unresolvedJumps(unresolvedIndirectJumps, code.base),
      ...reachedBounds(input, bodies.filter((body) => body.cut).length),
    ],
    limitations: [...standing, ...input.limitations, ...observations(explorer), ...valueNote(input.values.found)],
  };
}

const standing = [
  "Calls through registers and memory are followed only where the cell is an import or a relocated pointer.",
  "Functions that nothing in the file declares, calls or points to are not found.",
];

function observations(explorer: Explorer): string[] {
  const notes: string[] = [];
  if (explorer.overlapping > 0) {
    notes.push(`Control flow enters the middle of ${String(explorer.overlapping)} decoded instructions; both readings are kept.`);
  }
  if (explorer.undecodable > 0) {
    notes.push(`${String(explorer.undecodable)} paths end in bytes that are no instruction.`);
  }
  return notes;
}

function valueNote(found: number): string[] {
  if (found === 0) return [];
  return ["Pointers in data are recognised by their value: no loader moves this image, and no relocations say which words are addresses."];
}

function unexaminedBytes(count: number): Omission[] {
  if (count <= 0) return [];
  return [
    omission("code", "not_examined", {
      count,
      how_to_continue: "These bytes of executable sections belong to no function found; read_bytes shows them.",
    }),
  ];
}

function distantCode(count: number): Omission[] {
  if (count === 0) return [];
  return [
    omission("distant_code", "not_examined", {
      count,
      how_to_continue: "These executable ranges begin 2^53 bytes or more above the lowest mapped address; open their bytes as raw code.",
    }),
  ];
}

/** Distance from a branch to the instruction that its marks stand on. */
function delayAt(code: CodeMap, rva: number): number {
  const region = code.regionAt(rva);
  return region?.decoder.decode(rva - region.start) === true ? region.decoder.delay : 0;
}

/** So many addresses are named one by one. */
const namedJumps = 20;

function unresolvedJumps(jumps: readonly number[], base: bigint): Omission[] {
  if (jumps.length === 0) return [];
  const named = jumps.slice(0, namedJumps).map((rva) => `0x${(base + BigInt(rva)).toString(16)}`);
  const more = jumps.length - named.length;
  const rest = more > 0 ? ` and ${String(more)} more` : "";
  return [
    omission("indirect_jumps", "analysis_incomplete", {
      count: jumps.length,
      how_to_continue: `Targets of computed jumps are unknown; read the instructions before each jump, at ${named.join(", ")}${rest}.`,
    }),
  ];
}

function reachedBounds({ bounds, functionsLeftOut, values }: CoverageInput, cut: number): Omission[] {
  const { limits } = bounds;
  const found: Omission[] = [];
  if (bounds.exhausted) found.push(omission("instructions", "analysis_incomplete", { limit: limits.instructions }));
  if (functionsLeftOut > 0) {
    found.push(omission("functions", "analysis_incomplete", { count: functionsLeftOut, limit: limits.functions }));
  }
  if (cut > 0) {
    found.push(omission("function_instructions", "analysis_incomplete", { count: cut, limit: limits.functionInstructions }));
  }
  if (values.leftOut > 0) found.push(omission("data_pointers", "analysis_incomplete", { count: values.leftOut, limit: values.found }));
  return found;
}

/** Bytes of all bodies, each counted once although instructions may overlap. */
function claimedBytes(bodies: readonly Body[], bounds: WorkBounds): number {
  const ranges = bodies.flatMap((body) => body.ranges).sort(bounds.watchedOrder((a, b) => a.start - b.start));
  let total = 0;
  let covered = 0;
  for (const range of ranges) {
    total += Math.max(0, range.end - Math.max(range.start, covered));
    covered = Math.max(covered, range.end);
  }
  return total;
}

function isClaimed(code: CodeMap, rva: number): boolean {
  const region = code.regionAt(rva);
  return region !== undefined && region.claimed.has(rva - region.start);
}
