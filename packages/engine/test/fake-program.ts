import { address, memorySource, omission, type Omission } from "@rea/core";
import type { BinaryImage, Segment } from "@rea/binary";
import { AnnotationLog } from "../src/annotations/annotation-log.js";
import { AnnotationStore } from "../src/annotations/annotation-store.js";
import type { AnnotationQuery } from "../src/operations/annotate.js";
import { initialCursor } from "../src/operations/cursor.js";
import { MappedMemory } from "../src/operations/mapped-memory.js";
import { ProgramNames } from "../src/operations/program-names.js";
import type { ProgramQuery } from "../src/operations/query.js";
import type { BasicBlock, DecodedInstruction, FunctionRecord, NameRecord, Program, Reference, StringRecord } from "../src/program.js";
import { SearchCache } from "../src/search/search-cache.js";

/**
 * A hand-made program at 0x400000: `main` calls `helper` twice and an import, `helper` exists twice by name, one
 * function has no name, and the string table holds what escaping and cutting have to deal with. All addresses are RVAs.
 */
const base = 0x400000n;

export const functions: readonly FunctionRecord[] = [
  fn({ entry: 0x1000, end: 0x1020, name: "main", nameSource: "symbol", sources: ["entry", "symbol"] }),
  fn({ entry: 0x1020, end: 0x1028, name: "helper", nameSource: "symbol", sources: ["symbol"] }),
  fn({ entry: 0x1030, end: 0x1034, name: "helper", nameSource: "symbol", sources: ["symbol"] }),
  fn({ entry: 0x1040, end: 0x1044, name: "sub_401040", nameSource: "generated", sources: ["prologue"] }),
  { ...fn({ entry: 0x1050, end: 0x1056, name: "puts", nameSource: "import", sources: ["call-target"] }), external: true, thunk: true, thunkTarget: "puts" },
];

const listing: readonly DecodedInstruction[] = [
  instruction(0x1000, 4, "sub rsp, 0x8"),
  instruction(0x1004, 7, "lea rdi, [rip+0xff5]", { operands: ["rdi", "[rip+0xff5]"] }),
  instruction(0x100b, 5, "call 0x401050", { flow: "call" }),
  instruction(0x1010, 5, "call 0x401020", { flow: "call" }),
  instruction(0x1015, 6, "call qword ptr [rip+0x1fe5]", { flow: "indirect_call" }),
  instruction(0x101b, 2, "call rax", { flow: "indirect_call" }),
  instruction(0x101d, 3, "ret", { flow: "return" }),
  instruction(0x1020, 5, "jmp 0x401030", { flow: "jump" }),
  instruction(0x1025, 3, "nop"),
  instruction(0x1030, 4, "ret", { flow: "return" }),
  instruction(0x1040, 4, "ret", { flow: "return" }),
  instruction(0x1050, 6, "jmp qword ptr [rip+0x1fa8]", { flow: "indirect_jump" }),
];

const references: readonly Reference[] = [
  { from: 0x1004, to: 0x2000, kind: "address", operandIndex: 1 },
  { from: 0x100b, to: 0x1050, kind: "call", operandIndex: 0 },
  { from: 0x1010, to: 0x1020, kind: "call", operandIndex: 0 },
  { from: 0x1015, to: 0x3000, kind: "read", operandIndex: 0 },
  { from: 0x1020, to: 0x1030, kind: "jump", operandIndex: 0 },
  { from: 0x1050, to: 0x3000, kind: "read", operandIndex: 0 },
  { from: 0x3008, to: 0x1040, kind: "address", operandIndex: undefined },
];

export const names: readonly NameRecord[] = [
  name(0x1000, "main"),
  name(0x1020, "helper"),
  name(0x1030, "helper"),
  { rva: 0x1050, name: "puts", kind: "function", binding: "global", source: "import-stub", library: "libc.so.6" },
  { rva: 0x2000, name: "greeting\u202e", kind: "object", binding: "local", source: "symtab", library: undefined },
  { rva: 0x3000, name: "puts", kind: "function", binding: "global", source: "import-slot", library: "libc.so.6" },
];

export const longText = `${"x".repeat(1023)}\u{1f600}tail`;
export const strings: readonly StringRecord[] = [
  string(0x2000, "usage: hello %s [file]\n"),
  string(0x2040, "https://example.org/report"),
  string(0x2080, "Grüße\u202eolleh", "utf-8"),
  string(0x20c0, "HELLO \\u{202e} wide", "utf-16le"),
  string(0x2100, longText, "utf-8"),
];

export interface FakeOptions {
  readonly omissions?: readonly Omission[];
  readonly author?: { readonly name: string; readonly version: string };
  readonly stateFile?: string;
  readonly cursor?: bigint;
  readonly checkpoint?: () => void;
}

/** A query over the fake program; annotations go to `stateFile`. */
export function fakeQuery(options: FakeOptions = {}): ProgramQuery & AnnotationQuery {
  const image = fakeImage();
  const memory = new MappedMemory(image);
  const annotations = new AnnotationStore(new AnnotationLog(options.stateFile ?? "/nonexistent/annotations.ndjson"), "x86_64");
  const program = fakeProgram(image, options.omissions ?? []);
  return {
    image,
    memory,
    annotations,
    cursor: options.cursor === undefined ? initialCursor(image, memory) : address(options.cursor),
    author: options.author ?? { name: "test", version: "1" },
    checkpoint: options.checkpoint ?? (() => undefined),
    program,
    names: new ProgramNames(program, annotations),
    searches: new SearchCache(),
  };
}

export const incomplete = omission("code after the work bound", "analysis_incomplete", { count: 12 });

function fakeProgram(image: BinaryImage, omissions: readonly Omission[]): Program {
  const inside = (fn: FunctionRecord, rva: number): boolean => fn.ranges.some(({ start, end }) => rva >= start && rva < end);
  const startsOf = (fn: FunctionRecord): number[] => listing.map(({ rva }) => rva).filter((rva) => inside(fn, rva));
  const entriesCalledFrom = (fn: FunctionRecord): number[] =>
    unique(references.filter(({ from, to, kind }) => inside(fn, from) && kind !== "read" && isEntry(to) && !inside(fn, to)).map(({ to }) => to));
  const items = [...listing.map(({ rva }) => rva), ...strings.map(({ rva }) => rva)].sort((a, b) => a - b);
  return {
    image,
    base,
    toRva: (va) => (va >= base && va < base + 0x100000n ? Number(va - base) : undefined),
    toVa: (rva) => base + BigInt(rva),
    functions,
    functionAt: (rva) => functions.find(({ entry }) => entry === rva),
    functionContaining: (rva) => functions.find((fn) => inside(fn, rva)),
    entriesNamed: (wanted) => {
      const given = names.filter((record) => record.name === wanted && functions.some(({ entry }) => entry === record.rva));
      return unique([...functions.filter((fn) => fn.name === wanted).map(({ entry }) => entry), ...given.map(({ rva }) => rva)]);
    },
    blocks: (fn): BasicBlock[] => [{ start: fn.entry, end: fn.entry + fn.size, instructionCount: startsOf(fn).length, successors: [] }],
    instructionStarts: startsOf,
    decodeAt: (rva) => listing.find((item) => item.rva === rva),
    classify: (rva) => {
      if (listing.some((item) => item.rva === rva)) return "instruction";
      return listing.some((item) => rva > item.rva && rva < item.rva + item.length) ? "mid_instruction" : "data";
    },
    instructionCovering: (rva) => listing.find((item) => rva >= item.rva && rva < item.rva + item.length)?.rva,
    neighbour: (rva, direction) =>
      direction === "next" ? items.find((item) => item > rva) : items.filter((item) => item < rva).at(-1),
    referencesTo: (rva) => references.filter(({ to }) => to === rva),
    referencesFrom: (fn) => references.filter(({ from }) => inside(fn, from)),
    referencesAt: (rva) => references.filter(({ from }) => from === rva),
    callers: (fn) => unique(functions.filter((other) => entriesCalledFrom(other).includes(fn.entry)).map(({ entry }) => entry)),
    callees: entriesCalledFrom,
    names,
    namesAt: (rva) => names.filter((item) => item.rva === rva),
    strings,
    coverage: {
      codeBytes: 0x100,
      examinedCodeBytes: 0x3a,
      unresolvedIndirectJumps: [],
      omissions,
      limitations: ["Indirect calls are not followed."],
    },
  };
}

function fakeImage(): BinaryImage {
  const nothing = { items: [], omissions: [] };
  const bytes = new Uint8Array(0x4000).fill(0xcc);
  return {
    format: "elf",
    architecture: "x86_64",
    bits: 64,
    endian: "little",
    imageBase: address(base),
    header: {
      machine: "EM_X86_64",
      type: "ET_EXEC",
      flags: [],
      interpreter: undefined,
      subsystem: undefined,
      timestamp: undefined,
      file: { offset: 0, size: 64 },
    },
    source: memorySource(bytes),
    sourceOffset: 0x10000,
    segments: () => ({ items: segments(), omissions: [] }),
    sections: () => ({
      items: [
        {
          name: ".text",
          va: address(base + 0x1000n),
          virtualSize: 0x100n,
          file: { offset: 0x1000, size: 0x100 },
          flags: [],
          kind: "code",
          segment: undefined,
        },
      ],
      omissions: [],
    }),
    symbols: () => nothing,
    imports: () => nothing,
    exports: () => nothing,
    relocations: () => nothing,
    libraries: () => ({ needed: [], runPaths: [], ownName: undefined, omissions: [] }),
    entryPoints: () => ({ items: [{ va: address(base + 0x1000n), kind: "entry" }], omissions: [] }),
    unwindRanges: () => nothing,
    buildIds: () => nothing,
    mitigations: () => nothing,
    signatures: () => nothing,
    anomalies: () => nothing,
    overlay: () => undefined,
  };
}

function segments(): Segment[] {
  const flags = { readable: true, flags: [] };
  return [
    { name: "LOAD", va: address(base + 0x1000n), virtualSize: 0x1000n, file: { offset: 0x1000, size: 0x1000 }, writable: false, executable: true, ...flags },
    { name: "LOAD", va: address(base + 0x2000n), virtualSize: 0x1000n, file: { offset: 0x2000, size: 0x1000 }, writable: false, executable: false, ...flags },
    { name: "LOAD", va: address(base + 0x3000n), virtualSize: 0x1000n, file: { offset: 0x3000, size: 0x100 }, writable: true, executable: false, ...flags },
  ];
}

function fn({ end, ...rest }: Pick<FunctionRecord, "entry" | "name" | "nameSource" | "sources"> & { readonly end: number }): FunctionRecord {
  return {
    ...rest,
    ranges: [{ start: rest.entry, end }],
    size: end - rest.entry,
    external: false,
    thunk: false,
    thunkTarget: undefined,
    noReturn: false,
  };
}

function instruction(
  rva: number,
  length: number,
  text: string,
  { flow = "sequential", operands = [] }: { readonly flow?: DecodedInstruction["flow"]; readonly operands?: readonly string[] } = {},
): DecodedInstruction {
  return {
    rva,
    length,
    bytes: new Uint8Array(length).fill(0xcc),
    mnemonic: text.split(" ")[0] ?? "",
    text,
    operands: operands.map((operand) => ({ text: operand, kind: "register", access: undefined })),
    flow,
  };
}

function name(rva: number, text: string): NameRecord {
  return { rva, name: text, kind: "function", binding: "global", source: "symtab", library: undefined };
}

function string(rva: number, text: string, encoding: StringRecord["encoding"] = "ascii"): StringRecord {
  const byteLength = encoding === "utf-16le" ? text.length * 2 : Buffer.byteLength(text);
  return { rva, byteLength, encoding, terminated: true, text: () => text };
}

function isEntry(rva: number): boolean {
  return functions.some(({ entry }) => entry === rva);
}

function unique(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
