import { isUtf8 } from "node:buffer";
import type { AnalyzedProgram } from "../../analysis/analyzed-program.js";
import type { Section } from "@rea/binary";
import type { FunctionRecord } from "../../program.js";
import { libraryFunction, plainName, type LibraryFunction } from "../calls/library.js";

/** What the decompiler asks about the program. Addresses are VAs as bigint outside code, RVAs inside. */
export class ProgramView {
  readonly program: AnalyzedProgram;
  readonly #nameOf: (fn: FunctionRecord) => string;
  #objects: readonly DataObject[] | undefined;
  #sections: readonly SectionRange[] | undefined;
  #objectNames: ReadonlySet<string> | undefined;

  constructor(program: AnalyzedProgram, nameOf: (fn: FunctionRecord) => string = ({ name }) => name) {
    this.program = program;
    this.#nameOf = nameOf;
  }

  get base(): bigint {
    return this.program.base;
  }

  get isPositionIndependent(): boolean {
    return !this.program.parts.absolute;
  }

  nameOf(fn: FunctionRecord): string {
    const name = this.#nameOf(fn);
    return name === fn.name ? this.#asWritten(name) : name;
  }

  /** Mach-O puts an underscore before the names of C. */
  #asWritten(name: string): string {
    return this.program.image.format === "mach-o" && name.startsWith("_") ? name.slice(1) : name;
  }

  /** True where a function or an object of the program has the name. */
  isNamed(name: string): boolean {
    this.#objectNames ??= new Set(this.program.image.symbols().items.flatMap((symbol) => (symbol.type === "object" ? [plainName(symbol.name)] : [])));
    return this.#objectNames.has(name) || this.program.entriesNamed(name).length > 0;
  }

  bytes(rva: number, length: number): Uint8Array {
    return this.program.parts.memory.read(rva, length);
  }

  /** Where a stub or a thunk leads: the imported name. */
  importedName(fn: FunctionRecord): string | undefined {
    if (fn.external) return this.#asWritten(plainName(fn.thunkTarget ?? fn.name));
    return undefined;
  }

  libraryAt(fn: FunctionRecord): LibraryFunction | undefined {
    const name = this.importedName(fn);
    return name === undefined ? undefined : libraryFunction(name);
  }

  /** The import that the loader writes into a cell. */
  slotName(rva: number): string | undefined {
    const found = this.program.namesAt(rva).find(({ source }) => source === "import-slot");
    return found === undefined ? undefined : this.#asWritten(plainName(found.name));
  }

  isNoReturn(rva: number): boolean {
    const fn = this.program.functionAt(rva);
    if (fn === undefined) return false;
    return fn.noReturn || this.libraryAt(fn)?.signature.noReturn === true;
  }

  isMapped(va: bigint): boolean {
    const rva = this.program.toRva(va);
    return rva !== undefined && this.program.parts.memory.rangeAt(rva) !== undefined;
  }

  /** The value of memory that nobody writes: no relocation, not writable. */
  fixedLoad(va: bigint, bits: number): bigint | undefined {
    const rva = this.program.toRva(va);
    if (rva === undefined) return undefined;
    const range = this.program.parts.memory.rangeAt(rva);
    if (range === undefined || range.writable) return undefined;
    const bytes = this.bytes(rva, bits / 8);
    if (bytes.length < bits / 8) return undefined;
    let value = 0n;
    for (let index = bytes.length - 1; index >= 0; index -= 1) value = (value << 8n) | BigInt(bytes[index] ?? 0);
    return value;
  }

  /** Bytes of a C string in memory that is not written, up to its NUL. */
  stringAt(va: bigint): Uint8Array | undefined {
    const rva = this.program.toRva(va);
    const range = rva === undefined ? undefined : this.program.parts.memory.rangeAt(rva);
    if (rva === undefined || range === undefined || range.writable || (range.executable && this.#mayBeCode(va))) return undefined;
    const bytes = this.bytes(rva, longestString);
    const end = bytes.indexOf(0);
    if (end < 0) return undefined;
    const text = bytes.subarray(0, end);
    return text.every(isTextByte) && isUtf8(text) ? text : undefined;
  }

  /** The same, each byte a character. */
  textAt(va: bigint): string | undefined {
    const bytes = this.stringAt(va);
    return bytes === undefined ? undefined : String.fromCharCode(...bytes);
  }

  /** The named object that covers an address. */
  objectAt(va: bigint): DataObject | undefined {
    this.#objects ??= this.#readObjects();
    const found = lastBelow(this.#objects, va);
    return found !== undefined && va < found.va + BigInt(Math.max(1, found.size)) ? found : undefined;
  }

  /** The section that covers an address. */
  sectionAt(va: bigint): SectionRange | undefined {
    this.#sections ??= this.program.image.sections().items.flatMap(({ name, kind, va: start, virtualSize }) => (start === undefined ? [] : [{ name, kind, va: start, size: Number(virtualSize) }]));
    return this.#sections.find((section) => va >= section.va && va < section.va + BigInt(section.size));
  }

  /** Constants often stand in a segment with code; their section tells. */
  #mayBeCode(va: bigint): boolean {
    const kind = this.sectionAt(va)?.kind;
    return kind !== "rodata" && kind !== "data";
  }

  #readObjects(): DataObject[] {
    const found: DataObject[] = [];
    for (const symbol of this.program.image.symbols().items) {
      if (symbol.va === undefined || !symbol.defined || symbol.type !== "object" || symbol.size === 0n) continue;
      found.push({ name: plainName(symbol.name), va: symbol.va, size: Number(symbol.size), isImport: symbol.version !== undefined && symbol.table === "dynsym" });
    }
    return found.sort((a, b) => (a.va < b.va ? -1 : a.va > b.va ? 1 : 0));
  }
}

export interface SectionRange {
  readonly name: string;
  readonly va: bigint;
  readonly size: number;
  readonly kind: Section["kind"];
}

export interface DataObject {
  readonly name: string;
  readonly va: bigint;
  readonly size: number;
  /** Copied from a library when the program starts. */
  readonly isImport: boolean;
}

const longestString = 4096;

function isTextByte(byte: number): boolean {
  return byte >= 32 || (byte >= 9 && byte <= 13) || byte === 27;
}

function lastBelow(objects: readonly DataObject[], va: bigint): DataObject | undefined {
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((objects[middle]?.va ?? 0n) <= va) low = middle + 1;
    else high = middle;
  }
  return objects[low - 1];
}
