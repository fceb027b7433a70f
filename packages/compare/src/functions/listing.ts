import type { FunctionSide } from "./function-side.js";
import { isGeneratedName } from "./generated-name.js";
import type { ComparedLine } from "./line-comparison.js";

/** One instruction: what it is compared by, and what its absolute operands mean. */
export interface ListedInstruction extends ComparedLine {
  /** By operand place in the line: the name or string there; null for an address that nothing is known of. */
  readonly meanings: readonly (string | null)[];
  /** Numbers that may be addresses, since not all references of the function are there. */
  readonly doubtful: boolean;
}

interface Meanings {
  readonly known: ReadonlyMap<bigint, string>;
  /** Targets of references, by the address of the instruction. */
  readonly targets: ReadonlyMap<string, readonly bigint[]>;
  readonly end: bigint;
  readonly start: bigint;
  /** Whether every reference of the function is in `targets`. */
  readonly whole: boolean;
}

const line = /^(0x[0-9a-f]+)\s+(\S.*)$/u;
const literal = /0x[0-9a-f]+/gu;

/**
 * The listing of a dossier, independent of where the function lies: places inside it become distances from its start, places
 * outside become what the dossier knows of them. Lines that are no instructions are compared as they are.
 */
export function listedInstructions(side: FunctionSide, text: string): ListedInstruction[] {
  const lines = text.split("\n").filter((one) => one !== "");
  const meanings = meaningsOf(side, lines);
  return lines.map((one) => listed(one, meanings));
}

function listed(text: string, meanings: Meanings): ListedInstruction {
  const match = line.exec(text);
  const [, address, rest] = match ?? [];
  if (address === undefined || rest === undefined) return { key: text, shown: text, meanings: [], doubtful: false };
  // What follows two blanks and a semicolon is said about the instruction, not by it.
  const [instruction = ""] = rest.split("  ; ");
  const targets = meanings.targets.get(address) ?? [];
  const found: (string | null)[] = [];
  let doubtful = false;
  const isPage = /^adrp?\b/u.test(instruction);
  const key = instruction.replace(literal, (digits) => {
    const value = BigInt(digits);
    if (value >= meanings.start && value < meanings.end) return `+${hex(value - meanings.start)}`;
    const target = targets.find((one) => one === value || (one & 0xfffn) === value);
    if (target !== undefined || isPage || meanings.known.has(value)) {
      found.push(meanings.known.get(target ?? value) ?? null);
      return "‹place›";
    }
    if (!meanings.whole && value >= 0x1000n) doubtful = true;
    return digits;
  });
  return { key, shown: rest, meanings: found, doubtful };
}

function meaningsOf({ dossier, start }: FunctionSide, lines: readonly string[]): Meanings {
  const known = new Map<bigint, string>();
  const { referenced_names: names, referenced_strings: strings, outgoing_references: references, callees, basic_blocks: blocks } = dossier;
  if (strings.state === "available") for (const { address, value } of strings.value.items) known.set(BigInt(address), JSON.stringify(value));
  for (const facet of [names, callees]) {
    if (facet.state !== "available") continue;
    for (const { address, name } of facet.value.items) if (name !== null && !isGeneratedName(name)) known.set(BigInt(address), name);
  }
  const targets = new Map<string, bigint[]>();
  if (references.state === "available") {
    for (const { from, to } of references.value.items) targets.set(from, [...(targets.get(from) ?? []), BigInt(to)]);
  }
  const ends = blocks.state === "available" ? blocks.value.items.map(({ end }) => BigInt(end)) : [];
  const last = line.exec(lines.at(-1) ?? "")?.[1];
  if (last !== undefined) ends.push(BigInt(last) + 1n);
  return {
    known,
    targets,
    start,
    end: ends.reduce((most, end) => (end > most ? end : most), start),
    whole: references.state === "available" && !references.value.truncated,
  };
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
