import type { Architecture } from "@rea/binary";
import type { Disassembler } from "../disassembler/disassembler.js";
import type { FunctionRecord, Program, Reference } from "../program.js";
import { flowShape } from "./flow-shape.js";
import { Hash64, hashList } from "./hash64.js";
import { maskAddresses } from "./masked-addresses.js";
import { operationReader } from "./operation-reader.js";
import { OperationSketch } from "./operation-sketch.js";

/** What functions are described with. */
export interface FingerprintSource {
  readonly program: Program;
  readonly architecture: Architecture;
  readonly disassembler: Disassembler;
  readonly read: (rva: number, length: number) => Uint8Array;
  /** Hash of the string at an address; undefined where there is none. */
  readonly stringAt: (rva: number) => number | undefined;
  /** Hash of the name of what is imported at an address. */
  readonly importAt: (rva: number) => number | undefined;
  /** Position of a function in the whole list, by its entry. */
  readonly positionOf: (entry: number) => number | undefined;
}

export interface CodeFingerprint {
  readonly instructions: number;
  readonly blocks: number;
  readonly edges: number;
  readonly code: string;
  readonly operations: string;
  readonly flow: string;
  readonly sketch: string;
  readonly strings: string;
  readonly imports: string;
  readonly constants: string;
  readonly calls: string;
  readonly meanings: string;
}

const mostCalls = 2000;
/** Smaller constants are in every program. */
const tellingConstant = 0x100;

/** What one function is like, independent of where it lies. A function without a body here has an empty description. */
export function fingerprintFunction(fn: FunctionRecord, source: FingerprintSource): CodeFingerprint {
  const { program } = source;
  const references = program.referencesFrom(fn);
  const blocks = fn.external ? [] : program.blocks(fn);
  const meant = meanings(references, source);
  return {
    blocks: blocks.length,
    edges: blocks.reduce((sum, block) => sum + block.successors.length, 0),
    flow: flowShape(blocks, fn.entry),
    ...meant,
    ...instructionHashes(fn, references, source),
  };
}

function instructionHashes(
  fn: FunctionRecord,
  references: readonly Reference[],
  source: FingerprintSource,
): Pick<CodeFingerprint, "instructions" | "code" | "operations" | "sketch" | "constants"> {
  const { program, architecture, disassembler } = source;
  const starts = fn.external ? [] : program.instructionStarts(fn);
  const [code, operations, sketch, constants] = [new Hash64(), new Hash64(), new OperationSketch(), new Set<number>()];
  const byPlace = grouped(references);
  for (const { start, end } of fn.external ? [] : fn.ranges) {
    const bytes = source.read(start, end - start);
    const reader = operationReader(disassembler, bytes);
    try {
      const inside = starts.filter((rva) => rva >= start && rva < end);
      inside.forEach((rva, index) => {
        const next = inside[index + 1] ?? end;
        const from = rva - start;
        const made = byPlace.get(rva) ?? [];
        // `slice` of a Buffer shares its memory, and the addresses are cleared in a copy.
        const own = new Uint8Array(bytes.subarray(from, Math.min(next - start, from + disassembler.longest)));
        maskAddresses(architecture, { bytes: own, rva, base: program.base, references: made });
        code.bytes(own, 0, own.byteLength).number(own.byteLength);
        const operation = reader.at(from);
        operations.number(operation);
        sketch.add(operation);
        const { constant } = reader;
        if (constant !== undefined && made.length === 0 && Math.abs(constant) >= tellingConstant) constants.add(constant >>> 0);
      });
    } finally {
      reader.close();
    }
  }
  return { instructions: starts.length, code: code.digest(), operations: operations.digest(), sketch: sketch.digest(), constants: hashList(constants) };
}

function grouped(references: readonly Reference[]): ReadonlyMap<number, readonly Reference[]> {
  const groups = new Map<number, Reference[]>();
  for (const reference of references) {
    const group = groups.get(reference.from);
    if (group === undefined) groups.set(reference.from, [reference]);
    else group.push(reference);
  }
  return groups;
}

/** What the references out of a function mean: strings, imports, and the functions it calls in order. */
function meanings(references: readonly Reference[], source: FingerprintSource): Pick<CodeFingerprint, "strings" | "imports" | "calls" | "meanings"> {
  const [strings, imports, all] = [new Set<number>(), new Set<number>(), new Hash64()];
  const calls: number[] = [];
  for (const { to, kind } of references) {
    const imported = source.importAt(to);
    const text = imported === undefined ? source.stringAt(to) : undefined;
    if (imported !== undefined) imports.add(imported);
    if (text !== undefined) strings.add(text);
    all.text(kind).number(imported ?? text ?? 0);
    const position = kind === "call" || kind === "jump" ? source.positionOf(to) : undefined;
    if (position !== undefined && calls.length < mostCalls) calls.push(position);
  }
  return { strings: hashList(strings), imports: hashList(imports), calls: calls.join(","), meanings: all.digest() };
}
