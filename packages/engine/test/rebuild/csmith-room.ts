import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RebuiltProgram } from "./rebuild-room.js";

const small = "--max-funcs 4 --max-block-depth 3 --max-expr-complexity 6 --no-argc";

/** Kinds of programs: arithmetic wraps by the flags of the build, or is guarded by functions of the program's own. */
export const csmithKinds = {
  "integers and arrays": "--no-safe-math --no-divs --no-structs --no-unions --no-bitfields --no-volatiles --no-volatile-pointers --no-packed-struct",
  "structures and unions by value, divisions": "--no-bitfields --no-volatiles --no-volatile-pointers --no-packed-struct",
  "bit fields and packed structures": "--bitfields --packed-struct --no-volatiles --no-volatile-pointers",
  "volatile data": "--bitfields --volatiles --volatile-pointers --no-packed-struct --no-unions",
} as const;

export type CsmithKind = keyof typeof csmithKinds;

/** What programs of csmith ask of its own header, which distributions leave out. */
const header = `#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint64_t crc32_context = 5381;
static void crc32_gentab(void) {}
static void transparent_crc(uint64_t value, const char *name, int flag) { crc32_context = crc32_context * 33 + value; printf("%s %llx\\n", name, (unsigned long long)value); }
static void transparent_crc_bytes(char *at, int count, const char *name, int flag) { while (count-- > 0) transparent_crc(*at++, name, flag); }
static void platform_main_begin(void) {}
static void platform_main_end(uint64_t crc, int flag) { printf("%llx\\n", (unsigned long long)crc); }
`;

/** The program of a seed, its functions and data visible to other files; undefined where csmith made none. */
export function csmithProgram(seed: number, kind: CsmithKind, folder: string): RebuiltProgram | undefined {
  writeFileSync(join(folder, "csmith.h"), header);
  // It leaves a file where it runs.
  const { status, stdout } = spawnSync("csmith", ["--seed", String(seed), ...small.split(" "), ...csmithKinds[kind].split(" ")], { cwd: folder, encoding: "utf8", timeout: 30_000, maxBuffer: 1 << 26 });
  if (status !== 0) return undefined;
  const types = [...stdout.matchAll(/^(?:#pragma pack\(.*\)\n)*(?:struct|union) \w+ \{[^}]*\};(?:\n#pragma pack\(.*\))*/gm)].map(([text]) => text);
  const main = stdout.indexOf("int main (");
  const visible = stdout.slice(0, main).replaceAll(/^static (?!long __undefined)/gm, "");
  const functions = [...new Set([...visible.matchAll(/^[^\n;{}]*\b(func_\d+)\(/gm)].flatMap(([, name]) => name ?? []))];
  const globals = visible.split("\n").filter((line) => /^[^\s/#].*\bg_\d+.*=.*;/.test(line)).map((line) => `extern ${line.slice(0, line.indexOf("=")).trim()};`);
  const declared = visible.split("\n").filter((line) => /^[^\s/#].*\bfunc_\d+\(.*\);$/.test(line));
  const body = visible.indexOf("\n", visible.indexOf("#include")) + 1;
  return {
    functions,
    source: `${visible.slice(0, body)}${guardedOperations(visible)}\n${visible.slice(body)}`,
    driver: ['#include "csmith.h"', ...types, ...globals, ...declared, stdout.slice(main)].join("\n"),
  };
}

/** Definitions of the operations that a program calls instead of C's own, each defined for every operand. */
function guardedOperations(text: string): string {
  const made = new Map<string, string>();
  for (const [name, operation = "", type = "", , right] of text.matchAll(/\bsafe_(\w+?)_func_(\w+?)_([su])(?:_([su]))?\b/g)) {
    if (!made.has(name)) made.set(name, guarded({ name, operation, type, right }));
  }
  return [...made.values()].join("\n");
}

interface Operation {
  readonly name: string;
  readonly operation: string;
  readonly type: string;
  /** Sign of the second operand of a shift. */
  readonly right: string | undefined;
}

function guarded({ name, operation, type, right }: Operation): string {
  const bits = type.includes("64") ? 64 : 32;
  const wide = `uint${String(bits)}_t`;
  const head = (second: string): string => `static inline __attribute__((always_inline)) ${type} ${name}(${type} a${second === "" ? "" : `, ${second} b`})`;
  const by = right === "s" ? "int" : "unsigned";
  const isOut = `${right === "s" ? "b < 0 || " : ""}b >= ${String(bits)}`;
  switch (operation) {
    case "unary_minus":
      return `${head("")} { return -a; }`;
    case "div":
    case "mod":
      return `${head(type)} { return b == 0${type.startsWith("u") ? "" : " || b == -1"} ? a : a ${operation === "div" ? "/" : "%"} b; }`;
    case "lshift":
      return `${head(by)} { return ${isOut} ? a : (${type})((${wide})a << b); }`;
    case "rshift":
      return `${head(by)} { return ${isOut} ? a : (${type})(a >> b); }`;
    default:
      return `${head(type)} { return (${type})((${wide})a ${operation === "add" ? "+" : operation === "sub" ? "-" : "*"} (${wide})b); }`;
  }
}
