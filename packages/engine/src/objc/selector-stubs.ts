import type { BinaryImage } from "@rea/binary";
import type { MemoryMap } from "../analysis/memory-map.js";
import type { NameRecord } from "../program.js";

const wordBytes = 4;

/** How a stub loads the cell of its selector. */
interface StubForm {
  /** Stubs start at multiples of it. */
  readonly step: number;
  /** Length of what is looked at. */
  readonly bytes: number;
  readonly cellOf: (view: DataView, at: number, here: bigint) => bigint | undefined;
}

const forms: ReadonlyMap<string, StubForm> = new Map([
  ["arm64", { step: wordBytes, bytes: 2 * wordBytes, cellOf: cellOfArm64 }],
  ["x86_64", { step: 1, bytes: 9, cellOf: cellOfX64 }],
]);

const longestSelector = 512;

/**
 * Names of the stubs of `__objc_stubs`, each of which sends one message: as the linker calls them,
 * `_objc_msgSend$selector`. A stub begins with the load of the cell that leads to the selector's text.
 */
export function selectorStubNames(image: BinaryImage, memory: MemoryMap, pointers: ReadonlyMap<number, number>): NameRecord[] {
  const form = image.format === "mach-o" ? forms.get(image.architecture ?? "") : undefined;
  if (form === undefined) return [];
  const section = image.sections().items.find(({ name, kind }) => name === "__objc_stubs" && kind === "code");
  const start = section?.va === undefined ? undefined : memory.toRva(section.va);
  if (section === undefined || start === undefined) return [];
  const bytes = memory.read(start, section.file?.size ?? 0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const names: NameRecord[] = [];
  for (let at = 0; at + form.bytes <= bytes.length; at += form.step) {
    const cell = form.cellOf(view, at, memory.base + BigInt(start + at));
    const text = cell === undefined ? undefined : pointers.get(Number(cell - memory.base));
    const selector = text === undefined ? undefined : textAt(memory, text);
    if (selector === undefined) continue;
    names.push({ rva: start + at, name: `_objc_msgSend$${selector}`, kind: "function", binding: undefined, source: "objc-metadata", library: undefined });
  }
  return names;
}

/** Address that `adrp x1` and `ldr x1, [x1, #offset]` form. */
function cellOfArm64(view: DataView, at: number, here: bigint): bigint | undefined {
  const page = view.getUint32(at, true);
  const load = view.getUint32(at + wordBytes, true);
  if ((page & 0x9f00001f) >>> 0 !== 0x90000001 || (load & 0xffc003ff) >>> 0 !== 0xf9400021) return undefined;
  const pages = ((((page >>> 5) & 0x7ffff) << 2) | ((page >>> 29) & 3)) << 11 >> 11;
  return (here & ~0xfffn) + BigInt(pages) * 4096n + BigInt(((load >>> 10) & 0xfff) * 8);
}

/** `mov rsi, [rip + cell]; jmp [rip + …]`. */
function cellOfX64(view: DataView, at: number, here: bigint): bigint | undefined {
  if (view.getUint16(at) !== 0x488b || view.getUint8(at + 2) !== 0x35 || view.getUint16(at + 7) !== 0xff25) return undefined;
  return here + 7n + BigInt(view.getInt32(at + 3, true));
}

/** Printable text up to its NUL; undefined when it is something else. */
function textAt(memory: MemoryMap, rva: number): string | undefined {
  const bytes = memory.read(rva, longestSelector);
  const end = bytes.indexOf(0);
  const text = end <= 0 ? "" : Buffer.from(bytes.subarray(0, end)).toString("latin1");
  return /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}
