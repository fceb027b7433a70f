import type { FunctionRecord } from "../../program.js";
import { declaredTypes, type DeclaredTypes } from "../print/declared-types.js";
import { memberText } from "../print/record-text.js";
import { isDeclaredByHeader, type ReferencedObject } from "../print/references.js";
import { stringLiteral } from "../print/literals.js";
import type { ProgramView } from "../program/program-view.js";
import type { StoredType } from "../types/value-type.js";
import type { DecompiledFunction } from "./decompile.js";
import { bySection, type SectionData } from "./section-data.js";

/** Text that compiles by itself when `defineData` is set; else data of the program is only declared. */
export interface RenderOptions {
  readonly defineData: boolean;
}

/** One C file of functions, the called before the callers where that is possible. */
export function renderFile(functions: readonly DecompiledFunction[], view: ProgramView, options: RenderOptions): string {
  const { lines: before, constants } = declarations(functions, view, options);
  const texts = functions.flatMap(({ lines, referenced }) => {
    // Two enums may give one name two values; the second is then the function's own.
    const own = [...referenced.constants].filter(([name, { value }]) => constants.get(name) !== value);
    return [...own.map(([name, { value }]) => `#define ${name} ${String(value)}`), ...lines.map(({ text }) => text), ...own.map(([name]) => `#undef ${name}`), ""];
  });
  return [...before, ...texts].join("\n");
}

/** What stands before the functions: headers, declarations, data. */
export function preamble(functions: readonly DecompiledFunction[], view: ProgramView, options: RenderOptions): readonly string[] {
  return declarations(functions, view, options).lines;
}

function declarations(functions: readonly DecompiledFunction[], view: ProgramView, options: RenderOptions): DeclaredTypes {
  const headers = new Set<string>();
  const foreign = new Set<string>();
  const objects = new Map<string, ReferencedObject>();
  const called = new Map<number, string>();
  const prototypes = new Map<number, string>();
  for (const { referenced } of functions) {
    for (const header of referenced.headers) headers.add(header);
    for (const name of referenced.foreign) foreign.add(name);
    for (const [name, object] of referenced.objects) objects.set(name, object);
    for (const [entry, name] of referenced.functions) called.set(entry, name);
    for (const [entry, text] of referenced.prototypes) if (!prototypes.has(entry)) prototypes.set(entry, text);
  }
  const pointers: string[] = [];
  const data = dataTexts([...objects.values()].sort((a, b) => (a.va < b.va ? -1 : 1)), view, options, pointers);
  const own = new Set(functions.map(({ name }) => `extern int64_t ${name}();`));
  const defined = new Map(functions.map((each) => [each.fn.entry, each]));
  const named = [...called].flatMap(([entry, name]) => (defined.has(entry) ? [] : [`extern ${prototypes.get(entry) ?? `int64_t ${name}()`};`]));
  for (const { head } of functions) if (functions.length > 1) named.push(`${head};`);
  for (const name of foreign) named.push(`extern int64_t ${name}();`);
  const types = declaredTypes(functions.map(({ referenced }) => referenced), [...named, ...functions.flatMap(({ head, lines }) => [head, ...lines.map(({ text }) => text)])], view);
  const lines = ['#include "rea.h"', ...[...headers].sort().map((header) => `#include <${header}>`), ...types.lines, ...[...new Set(named)].sort(), ...[...new Set(pointers)].filter((text) => functions.length === 1 || !own.has(text)), ...data];
  return { lines: [...lines, ""], constants: types.constants };
}

function dataTexts(objects: readonly ReferencedObject[], view: ProgramView, options: RenderOptions, pointers: string[]): string[] {
  const sections = options.defineData ? bySection(objects, view, (object) => addressesIn(object, view).length > 0) : new Map<ReferencedObject, SectionData>();
  const whole = [...new Set(sections.values())].flatMap(({ name, bytes, offsets }) => [bytesText(name, bytes), ...[...offsets].map(([object, offset]) => `#define ${object} (${name} + ${String(offset)})`)]);
  return [...whole, ...objects.flatMap((object) => (sections.has(object) ? [] : dataText(object, view, options, pointers)))];
}

function dataText(object: ReferencedObject, view: ProgramView, { defineData }: RenderOptions, pointers: string[]): string[] {
  if (object.isImport) return importedText(object);
  if (object.type !== undefined) return typedText({ ...object, type: object.type }, view, { defineData }, pointers);
  if (!defineData) return [`extern uint8_t ${object.name}[${String(object.size)}];`];
  const rva = view.program.toRva(object.va);
  if (rva === undefined) return [];
  const bytes = view.bytes(rva, object.size);
  const inside = addressesIn(object, view);
  if (inside.length > 0) return [pointerTable(object, bytes, { inside, view, pointers })];
  return [bytesText(object.name, bytes, object.size)];
}

/** Words of an object that are addresses of the program: where in it, and of what. */
function addressesIn({ va, size }: ReferencedObject, view: ProgramView): readonly { readonly at: number; readonly target: number }[] {
  const rva = view.program.toRva(va);
  if (rva === undefined) return [];
  const { cells, targets } = view.program.parts.pointers;
  const inside: { readonly at: number; readonly target: number }[] = [];
  for (let row = 0; row < cells.length; row += 1) {
    const cell = cells[row] ?? 0;
    if (cell >= rva && cell < rva + size) inside.push({ at: cell - rva, target: targets[row] ?? 0 });
  }
  return inside;
}

function bytesText(name: string, bytes: Uint8Array, size = bytes.length): string {
  const used = bytes.length - trailingZeros(bytes);
  const values = used === 0 ? "" : ` = {${[...bytes.subarray(0, used)].join(", ")}}`;
  return `static _Alignas(32) uint8_t ${name}[${String(size)}]${values};`;
}

/** An object of a known type; its bytes are defined under another name, as they are. */
function typedText(object: ReferencedObject & { readonly type: StoredType }, view: ProgramView, options: RenderOptions, pointers: string[]): string[] {
  const declaredAs = `extern ${memberText(object.type, object.name)}`;
  if (!options.defineData) return [`${declaredAs};`];
  const bytes = dataText({ ...object, name: `${object.name}_bytes`, type: undefined }, view, options, pointers);
  const target = bytes.some((line) => line.startsWith("#define")) ? `${object.name}_bytes_words` : `${object.name}_bytes`;
  return [...bytes, `${declaredAs} __attribute__((alias("${target}")));`];
}

/** Headers declare what they know. */
function importedText({ name, size }: ReferencedObject): string[] {
  if (name === "environ") return ["extern char **environ;"];
  return isDeclaredByHeader(name) ? [] : [`extern uint8_t ${name}[${String(Math.max(1, size))}];`];
}

function trailingZeros(bytes: Uint8Array): number {
  let count = 0;
  while (count < bytes.length && bytes[bytes.length - 1 - count] === 0) count += 1;
  return count;
}

interface Table {
  readonly inside: readonly { readonly at: number; readonly target: number }[];
  readonly view: ProgramView;
  readonly pointers: string[];
}

/** Words, of which some are addresses of the program. */
function pointerTable(object: ReferencedObject, bytes: Uint8Array, { inside, view, pointers }: Table): string {
  const byCell = new Map(inside.map(({ at, target }) => [at, target]));
  const words: string[] = [];
  for (let at = 0; at < object.size; at += 8) {
    const target = byCell.get(at);
    words.push(target === undefined ? `(void *)0x${wordAt(bytes, at).toString(16)}ul` : pointerText(target, view, pointers));
  }
  return `static _Alignas(32) void *${object.name}_words[${String(words.length)}] = {${words.join(", ")}};\n#define ${object.name} ((uint8_t *)${object.name}_words)`;
}

function wordAt(bytes: Uint8Array, at: number): bigint {
  let value = 0n;
  for (let index = 7; index >= 0; index -= 1) value = (value << 8n) | BigInt(bytes[at + index] ?? 0);
  return value;
}

function pointerText(target: number, view: ProgramView, pointers: string[]): string {
  const va = view.base + BigInt(target);
  const text = view.stringAt(va);
  if (text !== undefined) return stringLiteral(text);
  const fn: FunctionRecord | undefined = view.program.functionAt(target);
  if (fn === undefined) return `(void *)0x${va.toString(16)}ul`;
  const name = (view.importedName(fn) ?? view.nameOf(fn)).replace(/[^A-Za-z0-9_]/g, "_");
  if (view.importedName(fn) === undefined) pointers.push(`extern int64_t ${name}();`);
  return `(void *)${name}`;
}
