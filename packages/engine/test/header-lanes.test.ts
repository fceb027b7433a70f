import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pseudocodeHeader } from "../src/decompile/header/header-text.js";
import { evaluate } from "../src/ir/evaluate.js";
import { constant, op } from "../src/ir/expression.js";

const compiler = "/usr/bin/gcc";
const absent = existsSync(compiler) ? undefined : "gcc is not installed";

interface Operation {
  readonly name: string;
  readonly operands: number;
  /** Last argument, where the operation has a number beside its vectors. */
  readonly imm?: number;
}

const every = [8, 16, 32, 64];
const two = ["add", "sub", "mul", "eq", "gt", "gt_u", "min_s", "max_s", "min_u", "max_u", "adds_u", "subs_u", "adds_s", "subs_s", "avg_u", "avg_s", "mulhi_s", "mulhi_u", "hadd_s", "hadd_u", "hsub_s", "hsub_u", "absdiff_s", "absdiff_u", "shift_s", "shift_u", "even", "odd", "trn_even", "trn_odd", "unpack_low", "unpack_high"];
const one = ["abs", "clz", "cls", "popcnt", "sumv", "max_sv", "min_sv", "max_uv", "min_uv"];

function operations(): Operation[] {
  const found: Operation[] = [];
  for (const lane of every) {
    const size = String(lane);
    for (const kind of two) found.push({ name: kind + size, operands: 2 });
    for (const kind of one) found.push({ name: kind + size, operands: 1 });
    for (const kind of ["third", "weave"]) for (const imm of [0, 1, 2]) found.push({ name: kind + size, operands: 3, imm });
    for (const imm of [0, 1]) found.push({ name: `dup${size}`, operands: 1, imm });
    if (lane > 8) for (const kind of ["addpair_u", "addpair_s", "widen_u", "widen_s", "rev_b"]) found.push({ name: kind + size, operands: 1 });
    if (lane < 64) for (const kind of ["pack_s", "pack_u", "pack_uu"]) found.push({ name: kind + size, operands: 2 });
  }
  for (const size of ["32", "64"]) {
    found.push({ name: `rev_h${size}`, operands: 1 });
    for (const kind of ["maxnmf", "minnmf", "maxnanf", "minnanf", "addf", "mulf", "eqf", "ltf", "lef"]) found.push({ name: kind + size, operands: 2 });
    for (const kind of ["negf", "absf", "sitof", "uitof", "ftosat", "ftousat"]) found.push({ name: kind + size, operands: 1 });
    for (const imm of [0, 1, 2, 3, 4]) found.push({ name: `roundf${size}`, operands: 1, imm });
    found.push({ name: `fmaf${size}`, operands: 3 });
  }
  return [...found, { name: "rev_w64", operands: 1 }, { name: "rbit8", operands: 1 }, { name: "tbl8", operands: 2 }, { name: "mulw_u64", operands: 2 }, { name: "madd_s32", operands: 2 }];
}

const all = operations();
const rounds = 12;

describe.skipIf(absent !== undefined)(`lane operations of rea.h${absent === undefined ? "" : ` (skipped: ${absent})`}`, () => {
  let directory = "";
  let lines: string[] = [];

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "rea-lanes-"));
    writeFileSync(join(directory, "rea.h"), pseudocodeHeader());
    const source = join(directory, "lanes.c");
    writeFileSync(source, program());
    execFileSync(compiler, ["-std=gnu11", "-w", "-O0", "-I", directory, source, "-o", join(directory, "lanes"), "-lm"]);
    lines = execFileSync(join(directory, "lanes"), [], { maxBuffer: 1 << 26 }).toString().trim().split("\n");
  }, 120_000);

  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  test("each gives what the representation says", () => {
    const wrong = all.flatMap((operation, index) => {
      for (let round = 0; round < rounds; round += 1) {
        const expected = expectedOf(operation, round);
        const found = BigInt(`0x${lines[index * rounds + round] ?? "0"}`);
        if (!isSame(found, expected, operation.name)) return [`${operation.name}: ${found.toString(16)}, not ${expected.toString(16)}`];
      }
      return [];
    });
    expect(wrong).toEqual([]);
  });
});

/** Operands of a round: random bits, small numbers, floating numbers. */
function operand(round: number, which: number): bigint {
  let word = ((round * 7 + which) * 2654435761 + 12345) >>> 0;
  const next = (): number => {
    word = (Math.imul(word ^ (word >>> 15), 2246822519) + 374761393) >>> 0;
    return (word ^ (word >>> 13)) >>> 0;
  };
  const view = new DataView(new ArrayBuffer(16));
  const numbers = [0, -0, 1.5, -2.5, 3.5, 1e10, -7, 1e300, NaN, Infinity, 2147483647.5];
  for (let at = 0; at < 16; at += 4) view.setUint32(at, next(), true);
  if (round % 4 === 1) for (let at = 0; at < 16; at += 4) view.setFloat32(at, numbers[next() % numbers.length] ?? 0, true);
  if (round % 4 === 2) for (let at = 0; at < 16; at += 8) view.setFloat64(at, numbers[next() % numbers.length] ?? 0, true);
  if (round % 4 === 3) for (let at = 0; at < 16; at += 1) view.setUint8(at, next() % 4 === 0 ? 0x80 : next() % 24);
  return (view.getBigUint64(8, true) << 64n) | view.getBigUint64(0, true);
}

function expectedOf({ name, operands, imm = 0 }: Operation, round: number): bigint {
  const values = Array.from({ length: operands }, (_, which) => operand(round, which));
  return evaluate(op("vector", 128, values.map((value) => constant(128, value)), { name, imm }), values) ?? -1n;
}

/** Of what is no number, which one is not told. */
function isSame(a: bigint, b: bigint, name: string): boolean {
  if (a === b) return true;
  const lane = name.endsWith("64") ? 64 : 32;
  if (!/f(32|64)$/.test(name)) return false;
  const [exponent, rest] = lane === 32 ? [0x7f800000n, 0x7fffffn] : [0x7ff0000000000000n, 0xfffffffffffffn];
  const isNone = (value: bigint): boolean => (value & exponent) === exponent && (value & rest) !== 0n;
  return Array.from({ length: 128 / lane }, (_, index) => [a, b].map((value) => BigInt.asUintN(lane, value >> BigInt(index * lane)))).every(([x = 0n, y = 0n]) => x === y || (isNone(x) && isNone(y)) || (isZero(x, lane) && isZero(y, lane) && /^(max|min)/.test(name)));
}

function isZero(value: bigint, lane: number): boolean {
  return BigInt.asUintN(lane - 1, value) === 0n;
}

function program(): string {
  const calls = all.flatMap(({ name, operands, imm }) =>
    Array.from({ length: rounds }, (_, round) => {
      const args = Array.from({ length: operands }, (__, which) => {
        const value = operand(round, which);
        return `rea_make128(0x${(value >> 64n).toString(16)}ul, 0x${BigInt.asUintN(64, value).toString(16)}ul)`;
      });
      return `  show(rea_v_${name}(${[...args, ...(imm === undefined ? [] : [String(imm)])].join(", ")}));`;
    }),
  );
  return `#include "rea.h"\n#include <stdio.h>\nstatic void show(rea_u128 x) { printf("%016lx%016lx\\n", (uint64_t)(x >> 64), (uint64_t)x); }\nint main(void) {\n${calls.join("\n")}\n  return 0;\n}\n`;
}
