import type { Address } from "@rea/core";

import type { ImportedSymbol } from "../image.js";
import { loadStubOf } from "./load-stubs.js";
import type { PeFile } from "./pe-file.js";
import type { PeSection } from "./section-table.js";

const execute = 0x20000000;
const mostCodeBytes = 256 * 1024 * 1024;

/**
 * Import thunks: code that does nothing but jump through one import slot. PE has no table of them, so they are found by
 * their encoding and by pointing exactly at a slot. Keys and values are RVAs: slot → thunks.
 */
function findThunks(file: PeFile, slots: ReadonlySet<number>): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  const scan = scannerOf(file);
  if (scan === undefined || slots.size === 0) return found;
  const add = (slot: number, thunk: number): void => {
    if (!slots.has(slot)) return;
    const thunks = found.get(slot);
    if (thunks === undefined) found.set(slot, [thunk]);
    else thunks.push(thunk);
  };
  let budget = mostCodeBytes;
  for (const section of file.sections) {
    if ((section.characteristics & execute) === 0) continue;
    const size = Math.min(section.backedSize, section.virtualSize, budget);
    if (size <= 0) continue;
    budget -= size;
    scan(file.reader.bytes(section.fileOffset, size), section, add);
  }
  return found;
}

/** Fills the stubs of imports: thunks through their slots, and the code that loads a delayed one. */
export function withStubs(file: PeFile, imports: readonly ImportedSymbol[]): readonly ImportedSymbol[] {
  const rvaOf = (slot: Address): number => file.rvaOf(slot) ?? -1;
  const thunks = findThunks(file, new Set(imports.flatMap(({ slots }) => slots.map(rvaOf))));
  return imports.map((symbol) => {
    const loading = loadStubOf(file, symbol);
    const jumping = symbol.slots.flatMap((slot) => thunks.get(rvaOf(slot)) ?? []);
    const stubs = (loading === undefined ? jumping : [...jumping, loading]).map((rva) => file.va(rva));
    return stubs.length === 0 ? symbol : { ...symbol, stubs, type: "function" };
  });
}

type Scanner = (code: Uint8Array, section: PeSection, add: (slot: number, thunk: number) => void) => void;

function scannerOf(file: PeFile): Scanner | undefined {
  switch (file.architecture) {
    case "x86_64":
    case "x86":
      return (code, section, add) => {
        scanIntel(file, code, section, add);
      };
    case "arm64":
      return scanArm64;
    default:
      return undefined;
  }
}

/**
 * `FF 25 disp32`. A tail call of compiled code is the same jump: on x64 compilers mark it with a REX prefix; on x86 a
 * thunk must follow padding, a return or another thunk.
 */
function scanIntel(file: PeFile, code: Uint8Array, section: PeSection, add: (slot: number, thunk: number) => void): void {
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength);
  const wide = file.architecture === "x86_64";
  const base = Number(BigInt.asUintN(32, file.headers.imageBase));
  let previous = -6;
  for (let at = code.indexOf(0xff); at >= 0 && at + 6 <= code.length; at = code.indexOf(0xff, at + 1)) {
    if (code[at + 1] !== 0x25 || !mayStart(code, at, previous, wide)) continue;
    const rva = section.rva + at;
    const slot = wide ? rva + 6 + view.getInt32(at + 2, true) : view.getUint32(at + 2, true) - base;
    previous = at;
    add(slot, rva);
  }
}

function mayStart(code: Uint8Array, at: number, previous: number, wide: boolean): boolean {
  const before = code[at - 1];
  if (wide) return before === undefined || before < 0x40 || before > 0x4f;
  return before === undefined || previous === at - 6 || before === 0xcc || before === 0x90 || before === 0xc3;
}

/** `adrp x16, page; ldr x16, [x16, #offset]; br x16`. */
function scanArm64(code: Uint8Array, section: PeSection, add: (slot: number, thunk: number) => void): void {
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength);
  for (let at = 0; at + 12 <= code.length; at += 4) {
    if (view.getUint32(at + 8, true) !== 0xd61f0200) continue;
    const page = view.getUint32(at, true);
    const load = view.getUint32(at + 4, true);
    if ((page & 0x9f00001f) >>> 0 !== 0x90000010 || (load & 0xffc003ff) >>> 0 !== 0xf9400210) continue;
    const rva = section.rva + at;
    // ADRP: 21-bit signed page count, low two bits at 29; LDR: 12-bit offset in units of 8.
    const pages = ((((page >>> 5) & 0x7ffff) << 2) | ((page >>> 29) & 3)) << 11 >> 11;
    add(rva - (rva % 0x1000) + pages * 0x1000 + ((load >>> 10) & 0xfff) * 8, rva);
  }
}
