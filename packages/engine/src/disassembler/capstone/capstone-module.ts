import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { WasmImports, WasmInstance, WasmMemory } from "./web-assembly.js";

/** The functions of Capstone's C interface that are used here, as the wasm build exports them; pointers are numbers. */
export interface CapstoneModule {
  _malloc(size: number): number;
  _cs_open(architecture: number, mode: number, handle: number): number;
  _cs_option(handle: number, option: number, value: number): number;
  _cs_malloc(handle: number): number;
  _cs_disasm_iter(handle: number, code: number, size: number, address: number, instruction: number): number;
}

export interface LoadedCapstone {
  readonly functions: CapstoneModule;
  readonly memory: WasmMemory;
}

const packageName = "@alexaltea/capstone-js";
const needed = ["_malloc", "_cs_open", "_cs_option", "_cs_malloc", "_cs_disasm_iter"] as const;

let loaded: Promise<LoadedCapstone> | undefined;

/** The one instance of this thread, loaded on first use. */
export function loadCapstone(): Promise<LoadedCapstone> {
  return (loaded ??= instantiate());
}

/**
 * Instantiates the wasm build of Capstone with access to its memory, which its own wrapper keeps to itself. The module is
 * compiled off the main thread.
 */
async function instantiate(): Promise<LoadedCapstone> {
  const require = createRequire(import.meta.url);
  const factory: unknown = require(packageName);
  const compiled = await WebAssembly.compile(await readFile(require.resolve(`${packageName}/dist/capstone.wasm`)));
  const memories: WasmMemory[] = [];
  const instantiateWasm = (imports: WasmImports, done: (instance: WasmInstance) => void) => {
    const instance = new WebAssembly.Instance(compiled, imports);
    memories.push(...Object.values(instance.exports).filter((item) => item instanceof WebAssembly.Memory));
    done(instance);
    return instance.exports;
  };
  if (!isFactory(factory)) throw changed();
  const module = await factory({ instantiateWasm });
  const memory = memories[0];
  if (!isCapstone(module) || memory === undefined) throw changed();
  return { functions: module, memory };
}

/** The pinned build is another one than this wrapper was written for. */
export function changed(): Error {
  return new Error("The Capstone build does not have the interface or data layout that its pinned version has.");
}

function isFactory(value: unknown): value is (options: object) => Promise<unknown> {
  return typeof value === "function";
}

function isCapstone(value: unknown): value is CapstoneModule {
  if (typeof value !== "object" || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return needed.every((name) => typeof members.get(name) === "function");
}
