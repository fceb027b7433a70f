import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openImage } from "@rea/binary";
import { memorySource } from "@rea/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { A64Machine } from "../src/decompile/lift/arm64/a64-machine.js";
import { liftWord } from "../src/decompile/lift/arm64/lift-word.js";
import { flagPlaces, vectorBase } from "../src/decompile/lift/arm64/places.js";
import { Interpreter } from "../src/ir/interpret.js";
import type { Step } from "../src/ir/statement.js";
import { arm64Forms } from "./arm64-forms.js";

const compiler = "/usr/bin/aarch64-linux-gnu-gcc";
const emulator = "/usr/bin/qemu-aarch64-static";
const absent = !existsSync(compiler) ? "no cross compiler for ARM64" : !existsSync(emulator) ? "qemu-aarch64-static is not installed" : undefined;
const statesPerForm = Number(process.env["REA_SEMANTIC_STATES"] ?? "8");
/** x0 … x3, v0 … v3, flags, then 64 bytes of memory at 128. */
const stateBytes = 192;
const memoryAt = 0x10000n;
const forms = arm64Forms.flatMap((family) => family.forms);

describe.skipIf(absent !== undefined)(`lifted A64 instructions${absent === undefined ? "" : ` (skipped: ${absent})`}`, () => {
  let directory = "";
  let states: Buffer[] = [];
  let results: Buffer = Buffer.alloc(0);
  let code: Uint8Array[] = [];

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "rea-semantics-"));
    states = forms.flatMap((_, form) => Array.from({ length: statesPerForm }, (__, index) => randomState(form * statesPerForm + index + 1)));
    const built = build(directory);
    results = execFileSync(emulator, ["-cpu", "max", built], { input: Buffer.concat(states), maxBuffer: 1 << 28 });
    code = codeOf(built);
  }, 240_000);

  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  test.each(arm64Forms)("$name do what the processor does", ({ forms: own }) => {
    const wrong: string[] = [];
    for (const form of own) {
      const index = forms.indexOf(form);
      for (let each = 0; each < statesPerForm; each += 1) {
        const at = index * statesPerForm + each;
        const before = states[at] ?? Buffer.alloc(stateBytes);
        const difference = differenceOf(lift(code[index] ?? new Uint8Array()), before, results.subarray(at * stateBytes, (at + 1) * stateBytes));
        if (difference === undefined) continue;
        wrong.push(`${form}: ${difference}`);
        break;
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);
});

function build(directory: string): string {
  const stubs = forms.map((form, index) => {
    const n = String(index);
    return `form_${n}: mov x19, x0\n ldr x4,[x19,#96]\n msr nzcv,x4\n ldp x0,x1,[x19]\n ldp x2,x3,[x19,#16]\n ldp q0,q1,[x19,#32]\n ldp q2,q3,[x19,#64]\n add x9,x19,#128\n.globl code_${n}\ncode_${n}:\n ${form.replaceAll(";", "\n ")}\n.globl end_${n}\nend_${n}:\n b leave\n`;
  });
  const leave = "leave: stp x0,x1,[x19]\n stp x2,x3,[x19,#16]\n mrs x4,nzcv\n str x4,[x19,#96]\n stp q0,q1,[x19,#32]\n stp q2,q3,[x19,#64]\n ldp x19,x30,[sp],#16\n ret\n.globl enter\nenter: stp x19,x30,[sp,#-16]!\n br x1\n";
  const table = forms.map((_, index) => ` .quad form_${String(index)}`).join("\n");
  const assembly = `.arch armv8.5-a\n.text\n${stubs.join("")}${leave}\n.data\n.globl table\ntable:\n${table}\n.section .note.GNU-stack,"",@progbits\n`;
  const main = `#include <stdio.h>\nextern void *table[];\nvoid enter(unsigned char *, void *);\nint main(void){ static unsigned char s[${String(stateBytes)}] __attribute__((aligned(64))); for (int f=0; f<${String(forms.length)}; f++) for (int i=0; i<${String(statesPerForm)}; i++) { if (fread(s,1,sizeof s,stdin)!=sizeof s) return 1; enter(s, table[f]); fwrite(s,1,sizeof s,stdout);} return 0; }\n`;
  const paths = { s: join(directory, "forms.s"), c: join(directory, "main.c"), out: join(directory, "forms") };
  writeFileSync(paths.s, assembly);
  writeFileSync(paths.c, main);
  execFileSync(compiler, ["-static", paths.c, paths.s, "-o", paths.out]);
  return paths.out;
}

/** The bytes of each form, between its two symbols. */
function codeOf(path: string): Uint8Array[] {
  const image = openImage(memorySource(readFileSync(path)));
  const places = new Map(image.symbols().items.map(({ name, va }) => [name, va] as const));
  const section = image.sections().items.find(({ name }) => name === ".text");
  return forms.map((_, index) => {
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
  const edges = [0n, 1n, 0xffffffffffffffffn, 0x8000000000000000n, 0x7fffffffffffffffn, 0x80000000n, 0x7fffffffn, 0xffn, 3n, 4n, 0xfffffffdn];
  for (const at of [0, 8, 16, 24]) if (next() % 3 === 0) state.writeBigUInt64LE(edges[next() % edges.length] ?? 0n, at);
  if (next() % 4 === 0) state.copyWithin(8, 0, 8);
  const numbers = [0, -0, 1.5, -2.25, 1e10, -1e-10, 3.5, 2.5, -0.5, Infinity, -Infinity, NaN, 2147483648, -2147483649, 1e300, 1e-310, 7];
  for (let at = 32; at < 96; at += 8) {
    const kind = next() % 3;
    if (kind === 0) state.writeDoubleLE(numbers[next() % numbers.length] ?? 0, at);
    else if (kind === 1) for (const part of [0, 4]) state.writeFloatLE(numbers[next() % numbers.length] ?? 0, at + part);
  }
  state.writeBigUInt64LE(BigInt(next() & 15) << 28n, 96);
  return state;
}

function vectorAt(state: Buffer, index: number): bigint {
  return (state.readBigUInt64LE(40 + index * 16) << 64n) | state.readBigUInt64LE(32 + index * 16);
}

/** What differs after the steps from what the processor left; undefined where nothing does. */
function differenceOf(steps: readonly Step[], before: Buffer, after: Buffer): string | undefined {
  const { places, memory } = interpreted(steps, before);
  for (let index = 0; index < 4; index += 1) {
    const [general, vector] = [places.get(index), places.get(vectorBase + index)];
    const wanted = after.readBigUInt64LE(index * 8);
    if (general !== wanted) return `x${String(index)} is ${shown(general)}, not ${shown(wanted)}, from ${before.subarray(0, 128).toString("hex")}`;
    const whole = vectorAt(after, index);
    if (vector === undefined || !isSameVector(vector, whole)) return `v${String(index)} is ${shown(vector)}, not ${shown(whole)}, from ${before.subarray(0, 128).toString("hex")}`;
  }
  const flags = Number(after.readBigUInt64LE(96) >> 28n);
  for (const [at, name] of (["v", "c", "z", "n"] as const).entries()) if (places.get(flagPlaces[name]) !== BigInt((flags >> at) & 1)) return `flag ${name}`;
  return memory.equals(after.subarray(128, 192)) ? undefined : `memory is ${memory.toString("hex")}, not ${after.subarray(128, 192).toString("hex")}`;
}

function shown(value: bigint | undefined): string {
  return value === undefined ? "unknown" : `0x${value.toString(16)}`;
}

/** Equal, or no numbers in the same lanes: which of several an operation gives is not modelled. */
function isSameVector(a: bigint, b: bigint): boolean {
  return a === b || [32, 64].some((lane) => lanesOf(a, lane).every((value, index) => value === lanesOf(b, lane)[index] || (isNone(value, lane) && isNone(lanesOf(b, lane)[index] ?? 0n, lane))));
}

function lanesOf(value: bigint, lane: number): bigint[] {
  return Array.from({ length: 128 / lane }, (_, index) => BigInt.asUintN(lane, value >> BigInt(index * lane)));
}

function isNone(value: bigint, lane: number): boolean {
  const [exponent, fraction] = lane === 32 ? [0x7f800000n, 0x7fffffn] : [0x7ff0000000000000n, 0xfffffffffffffn];
  return (value & exponent) === exponent && (value & fraction) !== 0n;
}

function interpreted(steps: readonly Step[], before: Buffer): { readonly places: ReadonlyMap<number, bigint | undefined>; readonly memory: Buffer } {
  const memory = Buffer.from(before.subarray(128, 192));
  const places = new Map<number, bigint | undefined>();
  for (let index = 0; index < 4; index += 1) {
    places.set(index, before.readBigUInt64LE(index * 8));
    places.set(vectorBase + index, vectorAt(before, index));
  }
  places.set(9, memoryAt);
  const flags = Number(before.readBigUInt64LE(96) >> 28n);
  const bit = (at: number): number => (flags >> at) & 1;
  const values = { v: bit(0), c: bit(1), z: bit(2), n: bit(3), ls: bit(1) === 0 || bit(2) === 1 ? 1 : 0, lt: bit(0) ^ bit(3), le: bit(2) | (bit(0) ^ bit(3)) };
  for (const [name, value] of Object.entries(values)) places.set(flagPlaces[name === "v" ? "v" : name === "c" ? "c" : name === "z" ? "z" : name === "n" ? "n" : name === "ls" ? "ls" : name === "lt" ? "lt" : "le"], BigInt(value));
  const at = (address: bigint): number => Number(address - memoryAt);
  const interpreter = new Interpreter(places, {
    read: (address, count) => {
      let value = 0n;
      for (let index = count - 1; index >= 0; index -= 1) value = (value << 8n) | BigInt(memory[at(address) + index] ?? 0);
      return value;
    },
    write: (address, count, value) => {
      for (let index = 0; index < count; index += 1) memory[at(address) + index] = Number((value >> BigInt(8 * index)) & 255n);
    },
  });
  interpreter.run(steps);
  return { places: interpreter.places, memory };
}

function lift(code: Uint8Array): readonly Step[] {
  const machine = new A64Machine(0n);
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength);
  for (let offset = 0; offset < code.byteLength; offset += 4) liftWord(machine, view.getUint32(offset, true), () => undefined);
  return machine.steps;
}
