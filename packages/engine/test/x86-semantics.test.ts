import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadIced } from "../src/decompile/lift/x86/load-iced.js";
import { liftInstruction } from "../src/decompile/lift/x86/lift-instruction.js";
import { Machine, x86Names } from "../src/decompile/lift/x86/machine.js";
import { flagPlaces, vectorBase } from "../src/decompile/lift/x86/x86-places.js";
import { Interpreter } from "../src/ir/interpret.js";
import { x86Forms } from "./x86-forms.js";

const compiler = "/usr/bin/gcc";
const absent = process.arch !== "x64" ? "the processor is no x86-64" : existsSync(compiler) ? undefined : "gcc is not installed";
const statesPerForm = 24;
/** rax, rcx, rdx, rbx, xmm0, xmm1, xmm2, flags, then 64 bytes of memory at 128. */
const stateBytes = 192;
const flagBits = { cf: 0, pf: 2, zf: 6, sf: 7, of: 11 } as const;
const general = [0, 1, 2, 3];
const memoryAt = 0x10000n;
const stackAt = 0x20000n;

describe.skipIf(absent !== undefined)(`lifted x86-64 instructions${absent === undefined ? "" : ` (${absent})`}`, () => {
  let directory = "";
  let states: Buffer[] = [];
  let results: Buffer = Buffer.alloc(0);
  let code: Uint8Array[] = [];

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "rea-semantics-"));
    states = x86Forms.flatMap((_, form) => Array.from({ length: statesPerForm }, (__, index) => randomState(form * statesPerForm + index + 1)));
    const built = build(directory);
    results = execFileSync(built, { input: Buffer.concat(states), maxBuffer: 1 << 28 });
    code = codeOf(built);
  }, 120_000);

  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  test.each(x86Forms.map((form, index) => [form, index] as const))("%s does what the processor does", (form, index) => {
    for (let each = 0; each < statesPerForm; each += 1) {
      const at = index * statesPerForm + each;
      const before = states[at] ?? Buffer.alloc(stateBytes);
      const after = results.subarray(at * stateBytes, (at + 1) * stateBytes);
      expect({ each, ...interpreted(code[index] ?? new Uint8Array(), before, after, form) }).toEqual({ each, ...observed(after, interpretedKeys(code[index] ?? new Uint8Array(), before, after, form)) });
    }
  });
});

function build(directory: string): string {
  const stubs = x86Forms.map((form, index) => {
    const n = String(index);
    return `form_${n}: push rbx\n mov rbx,[rdi+24]\n mov rcx,[rdi+8]\n mov rdx,[rdi+16]\n lea rsi,[rdi+128]\n movdqu xmm0,[rdi+32]\n movdqu xmm1,[rdi+48]\n movdqu xmm2,[rdi+64]\n push [rdi+80]\n popfq\n mov rax,[rdi]\n.globl code_${n}\ncode_${n}:\n ${form.replaceAll(";", "\n ")}\n.globl end_${n}\nend_${n}:\n mov [rdi],rax\n pushfq\n pop [rdi+80]\n mov [rdi+8],rcx\n mov [rdi+16],rdx\n mov [rdi+24],rbx\n movdqu [rdi+32],xmm0\n movdqu [rdi+48],xmm1\n movdqu [rdi+64],xmm2\n pop rbx\n ret\n`;
  });
  const table = x86Forms.map((_, index) => ` .quad form_${String(index)}`).join("\n");
  const assembly = `.intel_syntax noprefix\n.text\n${stubs.join("")}\n.data\n.globl table\ntable:\n${table}\n.section .note.GNU-stack,"",@progbits\n`;
  const main = `#include <stdio.h>\nextern void (*table[])(unsigned char *);\nint main(void){ static unsigned char s[${String(stateBytes)}]; for (int f=0; f<${String(x86Forms.length)}; f++) for (int i=0; i<${String(statesPerForm)}; i++) { if (fread(s,1,sizeof s,stdin)!=sizeof s) return 1; table[f](s); fwrite(s,1,sizeof s,stdout);} return 0; }\n`;
  const paths = { s: join(directory, "forms.s"), c: join(directory, "main.c"), out: join(directory, "forms") };
  writeFileSync(paths.s, assembly);
  writeFileSync(paths.c, main);
  execFileSync(compiler, ["-no-pie", paths.c, paths.s, "-o", paths.out]);
  return paths.out;
}

/** The bytes of each form, between its two symbols. */
function codeOf(path: string): Uint8Array[] {
  const image = openImage(memorySource(readFileSync(path)));
  const places = new Map(image.symbols().items.map(({ name, va }) => [name, va] as const));
  const section = image.sections().items.find(({ name }) => name === ".text");
  return x86Forms.map((_, index) => {
    const [start, end] = [places.get(`code_${String(index)}`), places.get(`end_${String(index)}`)];
    if (start === undefined || end === undefined || section?.va === undefined || section.file === undefined) throw new Error("The built program lacks its symbols.");
    return image.source.read(section.file.offset + Number(start - section.va), Number(end - start));
  });
}

/** Values that are random, small, extreme, or floating numbers of every kind. */
function randomState(seed: number): Buffer {
  let word = (seed * 2654435761) >>> 0;
  const next = (): number => {
    word = (Math.imul(word ^ (word >>> 15), 2246822519) + 374761393) >>> 0;
    return (word ^ (word >>> 13)) >>> 0;
  };
  const state = Buffer.alloc(stateBytes);
  for (let at = 0; at < stateBytes; at += 4) state.writeUInt32LE(next(), at);
  const edges = [0n, 1n, 0xffffffffffffffffn, 0x8000000000000000n, 0x7fffffffffffffffn, 0x80000000n, 0x7fffffffn, 0xffn, 40n];
  for (const at of [0, 8, 16, 24]) if (next() % 3 === 0) state.writeBigUInt64LE(edges[next() % edges.length] ?? 0n, at);
  const numbers = [0, -0, 1.5, -2.25, 1e10, -1e-10, 3.5, 2.5, Infinity, -Infinity, 2147483648, -2147483649, 1e300];
  for (const at of [32, 40, 48, 56]) {
    if (next() % 2 === 0) state.writeDoubleLE(numbers[next() % numbers.length] ?? 0, at);
    else for (const part of [0, 4]) state.writeFloatLE(numbers[next() % numbers.length] ?? 0, at + part);
  }
  let flags = 0x202n;
  for (const bit of Object.values(flagBits)) if (next() % 2 === 0) flags |= 1n << BigInt(bit);
  state.writeBigUInt64LE(flags, 80);
  return state;
}

type Values = Record<string, bigint | undefined>;

function interpreted(code: Uint8Array, before: Buffer, after: Buffer, form: string): Values {
  void after;
  const memory = Buffer.from(before.subarray(128, 192));
  const stack = new Map<bigint, bigint>();
  const bytes = (address: bigint): { read(at: number): number } => ({ read: (at) => memory[Number(address - memoryAt) + at] ?? 0 });
  const places = new Map<number, bigint | undefined>();
  for (const place of general) places.set(place, before.readBigUInt64LE(place * 8));
  places.set(4, stackAt);
  places.set(6, memoryAt);
  for (const index of [0, 1, 2]) places.set(vectorBase + index, (before.readBigUInt64LE(40 + index * 16) << 64n) | before.readBigUInt64LE(32 + index * 16));
  const flags = before.readBigUInt64LE(80);
  const flag = (name: keyof typeof flagBits): bigint => (flags >> BigInt(flagBits[name])) & 1n;
  for (const name of ["cf", "pf", "zf", "sf", "of"] as const) places.set(flagPlaces[name], flag(name));
  places.set(flagPlaces.be, flag("cf") | flag("zf"));
  places.set(flagPlaces.l, flag("sf") ^ flag("of"));
  places.set(flagPlaces.le, flag("zf") | (flag("sf") ^ flag("of")));
  const interpreter = new Interpreter(places, {
    read: (address, count) => {
      if (stack.has(address)) return stack.get(address) ?? 0n;
      let value = 0n;
      for (let at = count - 1; at >= 0; at -= 1) value = (value << 8n) | BigInt(bytes(address).read(at));
      return value;
    },
    write: (address, count, value) => {
      if (address < stackAt - 64n) for (let at = 0; at < count; at += 1) memory[Number(address - memoryAt) + at] = Number((value >> BigInt(8 * at)) & 255n);
      else stack.set(address, value);
    },
  });
  interpreter.run(lift(code));
  const found: Values = {};
  for (const place of general) found[`r${String(place)}`] = interpreter.places.get(place);
  for (const index of [0, 1, 2]) found[`x${String(index)}`] = interpreter.places.get(vectorBase + index);
  for (const name of ["cf", "pf", "zf", "sf", "of"] as const) found[name] = interpreter.places.get(flagPlaces[name]);
  // Overflow after a shift or rotation is only defined for a count of one.
  if (/^(sh|sar|ro)/.test(form) && !form.endsWith(", 1")) delete found["of"];
  found["memory"] = BigInt(`0x${Buffer.from(memory).toString("hex")}`);
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function interpretedKeys(code: Uint8Array, before: Buffer, after: Buffer, form: string): readonly string[] {
  return Object.keys(interpreted(code, before, after, form));
}

function observed(after: Buffer, keys: readonly string[]): Values {
  const flags = after.readBigUInt64LE(80);
  const all: Values = { memory: BigInt(`0x${after.subarray(128, 192).toString("hex")}`) };
  for (const place of general) all[`r${String(place)}`] = after.readBigUInt64LE(place * 8);
  for (const index of [0, 1, 2]) all[`x${String(index)}`] = (after.readBigUInt64LE(40 + index * 16) << 64n) | after.readBigUInt64LE(32 + index * 16);
  for (const [name, bit] of Object.entries(flagBits)) all[name] = (flags >> BigInt(bit)) & 1n;
  return Object.fromEntries(Object.entries(all).filter(([name]) => keys.includes(name)));
}

function lift(code: Uint8Array) {
  const iced = loadIced();
  const names = x86Names(iced);
  const decoder = new iced.Decoder(64, code, iced.DecoderOptions.None);
  const instruction = new iced.Instruction();
  const machine = new Machine(names, instruction, 0n);
  while (decoder.canDecode) {
    decoder.decodeOut(instruction);
    liftInstruction(machine, names.mnemonics.get(instruction.mnemonic) ?? "");
  }
  decoder.free();
  instruction.free();
  return machine.steps;
}
