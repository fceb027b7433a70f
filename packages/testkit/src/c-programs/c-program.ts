import { Choices } from "./choices.js";
import { BodyMaker, type ArrayPlace } from "./c-statements.js";
import { numberTypes, type GeneratedFunction, type NumberType, type Place } from "./c-types.js";

/** A program in two files: functions that are called from outside only, and a `main` that calls each and prints all there is. */
export interface CProgram {
  readonly functions: readonly string[];
  readonly source: string;
  readonly driver: string;
}

const clamp = "double clamped(double x, double low, double high) { return x >= low && x <= high ? x : low; }";

/** A random program of C11, the same for the same seed. Defined for every input with `-fwrapv`; ends after a few thousand steps. */
export function generateCProgram(seed: number): CProgram {
  const choices = new Choices(seed);
  const globals = Array.from({ length: choices.from(2, 6) }, (_, index): Place => ({ text: `g${String(index)}`, type: choices.one(numberTypes) }));
  const arrays = Array.from({ length: choices.from(1, 3) }, (_, index): ArrayPlace => ({ text: `a${String(index)}`, type: choices.one(numberTypes) }));
  const functions: GeneratedFunction[] = [];
  const texts: string[] = [];
  for (let count = choices.from(2, 6); count > 0; count -= 1) {
    const made = generateFunction(choices, `f${String(functions.length)}`, { globals, arrays, functions });
    functions.push(made.fn);
    texts.push(made.text);
  }
  const data = [...globals.map(({ text, type }) => `${type.name} ${text} = ${first(choices, type)};`), ...arrays.map(({ text, type }) => `${type.name} ${text}[8] = {${Array.from({ length: 8 }, () => first(choices, type)).join(", ")}};`)];
  const includes = "#include <stdint.h>";
  return {
    functions: functions.map(({ name }) => name),
    source: [includes, clamp, ...data, ...texts, ""].join("\n"),
    driver: driverText(choices, { globals, arrays, functions }),
  };
}

interface Known {
  readonly globals: readonly Place[];
  readonly arrays: readonly ArrayPlace[];
  readonly functions: readonly GeneratedFunction[];
}

function generateFunction(choices: Choices, name: string, { globals, arrays, functions }: Known): { readonly fn: GeneratedFunction; readonly text: string } {
  const parameters = Array.from({ length: choices.below(choices.chance(10) ? 10 : 5) }, () => choices.one(numberTypes));
  const array = choices.chance(30) ? arrays[choices.below(arrays.length)]?.type : undefined;
  const result = choices.chance(85) ? choices.one(numberTypes) : undefined;
  const places = parameters.map((type, index): Place => ({ text: `p${String(index)}`, type }));
  const reachable = array === undefined ? arrays : [{ text: "q", type: array }, ...arrays.filter(({ type }) => type.name !== array.name)];
  const body = new BodyMaker({ choices, globals, arrays: reachable, functions: [...functions], result }, places);
  const lines = body.lines();
  const fn = { name, parameters, array, result, cost: body.cost };
  return { fn, text: [`${head(fn)} {`, ...lines, "}"].join("\n") };
}

function head({ name, parameters, array, result }: GeneratedFunction): string {
  const taken = [...(array === undefined ? [] : [`${array.name} *q`]), ...parameters.map((type, index) => `${type.name} p${String(index)}`)];
  return `${result?.name ?? "void"} ${name}(${taken.length === 0 ? "void" : taken.join(", ")})`;
}

function first(choices: Choices, type: NumberType): string {
  return type.kind === "float" ? `${String(choices.below(50))}.5` : String(choices.below(type.bits === 8 ? 100 : 30_000));
}

function driverText(choices: Choices, { globals, arrays, functions }: Known): string {
  const declared = [...functions.map((fn) => `${head(fn)};`), ...globals.map(({ text, type }) => `extern ${type.name} ${text};`), ...arrays.map(({ text, type }) => `extern ${type.name} ${text}[8];`)];
  const calls: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    for (const fn of functions) {
      const passed = fn.array === undefined ? [] : [arrays.find(({ type }) => type.name === fn.array?.name)?.text ?? "0"];
      const call = `${fn.name}(${[...passed, ...fn.parameters.map((type) => (choices.chance(40) ? edge(choices, type) : first(choices, type)))].join(", ")})`;
      calls.push(fn.result === undefined ? `  ${call};` : `  show("${fn.name}", ${call});`);
    }
  }
  const shown = [...globals.map(({ text }) => `  show("${text}", ${text});`), ...arrays.map(({ text }) => `  for (int i = 0; i < 8; i++) show("${text}", ${text}[i]);`)];
  const show = '#define show(name, value) _Generic((value), float: show_float, double: show_float, default: show_integer)(name, value)\nstatic void show_integer(const char *name, int64_t value) { printf("%s %lld\\n", name, (long long)value); }\nstatic void show_float(const char *name, double value) { if (value != value) printf("%s nan\\n", name); else printf("%s %a\\n", name, value); }';
  return ["#include <stdint.h>", "#include <stdio.h>", ...declared, show, "int main(void) {", ...calls, ...shown, "  return 0;", "}", ""].join("\n");
}

function edge(choices: Choices, type: NumberType): string {
  if (type.kind === "float") return choices.one(["0.0", "-0.0", "1e30", "-3.75", "0.001"]);
  const most = type.bits === 64 ? "0x7fffffffffffffffll" : type.bits === 32 ? "0x7fffffff" : type.bits === 16 ? "0x7fff" : "0x7f";
  return choices.one(["0", "-1", "1", most, `-${most} - 1`]);
}
