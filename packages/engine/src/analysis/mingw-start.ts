import type { BinaryImage, ImportedSymbol } from "@rea/binary";
import type { MemoryMap } from "./memory-map.js";

/** Cells of the image: those that relocation fills with an address of it, and those that the loader fills with an import. */
export interface Cells {
  readonly pointers: ReadonlyMap<number, number>;
  readonly slots: ReadonlyMap<number, ImportedSymbol>;
}

const entryBytes = 48;
const startCodeBytes = 1024;
/** Stands for any byte. */
const any = -1;
const field = [any, any, any, any];

/**
 * `mov rax, [initenv's cell]; mov r8, [envp]; mov ecx, [argc]; mov rax, [rax]; mov [rax], r8; mov rdx, [argv]; call main;
 * mov ecx, [managed]; mov [result], eax; test ecx, ecx`.
 */
const x64Call = [
  [0x48, 0x8b, 0x05, ...field, 0x4c, 0x8b, 0x05, ...field, 0x8b, 0x0d, ...field],
  [0x48, 0x8b, 0x00, 0x4c, 0x89, 0x00, 0x48, 0x8b, 0x15, ...field, 0xe8, ...field],
  [0x8b, 0x0d, ...field, 0x89, 0x05, ...field, 0x85, 0xc9],
].flat();
const x64CallField = 34;

/**
 * `mov eax, [envp]; mov edx, [initenv's slot]; mov [edx], eax; mov [esp+8], eax; mov eax, [argv]; mov [esp+4], eax;
 * mov eax, [argc]; mov [esp], eax; call main; mov ecx, [managed]; mov [result], eax; test ecx, ecx`.
 */
const x86Call = [
  [0xa1, ...field, 0x8b, 0x15, ...field, 0x89, 0x02, 0x89, 0x44, 0x24, 0x08, 0xa1, ...field, 0x89, 0x44, 0x24, 0x04],
  [0xa1, ...field, 0x89, 0x04, 0x24, 0xe8, ...field, 0x8b, 0x0d, ...field, 0xa3, ...field, 0x85, 0xc9],
].flat();
const x86CallField = 35;

/**
 * Address of `main` in a PE program of MinGW-w64: its start code stores the environment through the C library's
 * `__initenv`, loads the three arguments from variables of its own and calls `main`. Code that passes wide arguments uses
 * another import. Undefined for start code that reads otherwise.
 */
export function mainOfMingw(image: BinaryImage, memory: MemoryMap, start: number, cells: Cells): number | undefined {
  if (image.architecture !== "x86_64" && image.architecture !== "x86") return undefined;
  const wide = image.architecture === "x86_64";
  const code = memory.read(start, entryBytes);
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength);
  for (let at = 0; at + 5 <= code.length; at += 1) {
    const opcode = view.getUint8(at);
    if (opcode !== 0xe8 && opcode !== 0xe9) continue;
    const called = start + at + 5 + view.getInt32(at + 1, true);
    const main = wide ? mainOfX64(memory, called, cells) : mainOfX86(memory, called, cells);
    if (main !== undefined) return main;
  }
  return undefined;
}

function mainOfX64(memory: MemoryMap, called: number, { pointers, slots }: Cells): number | undefined {
  const found = placeOf(memory, called, x64Call);
  if (found === undefined) return undefined;
  const cell = found.rva + 7 + found.view.getInt32(3, true);
  return slots.get(pointers.get(cell) ?? -1)?.name === "__initenv" ? calledAt(found, x64CallField) : undefined;
}

function mainOfX86(memory: MemoryMap, called: number, { slots }: Cells): number | undefined {
  const found = placeOf(memory, called, x86Call);
  if (found === undefined) return undefined;
  const slot = Number(BigInt(found.view.getUint32(7, true)) - memory.base);
  return slots.get(slot)?.name === "__initenv" ? calledAt(found, x86CallField) : undefined;
}

interface Place {
  /** From the first byte of the pattern on. */
  readonly view: DataView;
  readonly rva: number;
}

function placeOf(memory: MemoryMap, start: number, pattern: readonly number[]): Place | undefined {
  const bytes = start < 0 ? new Uint8Array() : memory.read(start, startCodeBytes);
  for (let at = 0; at + pattern.length <= bytes.length; at += 1) {
    if (!pattern.every((value, index) => value === any || bytes[at + index] === value)) continue;
    return { view: new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at), rva: start + at };
  }
  return undefined;
}

/** Target of the call whose displacement stands at `displacement`. */
function calledAt({ view, rva }: Place, displacement: number): number {
  return rva + displacement + 4 + view.getInt32(displacement, true);
}
