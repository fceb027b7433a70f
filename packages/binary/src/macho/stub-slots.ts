import { sectionType } from "./constants.js";
import type { MachOFile } from "./macho-file.js";
import type { MachSection } from "./segments.js";

/** A stub and the slot that it jumps through, as addresses. */
export interface StubSlot {
  readonly stub: bigint;
  readonly slot: bigint;
}

const mostStubBytes = 16 * 1024 * 1024;
const longestStub = 16;

/**
 * Stubs of symbol-stub sections by their instructions. They lead to the slot of an import where the indirect symbol table
 * no longer does, as in `__auth_stubs` of a file whose table was cut off.
 */
export function readStubSlots(file: MachOFile): readonly StubSlot[] {
  const decode = decoderOf(file);
  if (decode === undefined) return [];
  let budget = mostStubBytes;
  return file.sections.flatMap((section) => {
    if (section.type !== sectionType.stubs) return [];
    const code = codeOf(file, section, budget);
    budget -= code.byteLength;
    const step = file.architecture === "arm64" ? 4 : Math.max(1, section.reserved2);
    return stubsIn(code, section.va, { decode, step });
  });
}

function codeOf(file: MachOFile, section: MachSection, budget: number): DataView {
  const available = file.place(section.va)?.available ?? 0;
  const size = Math.min(available, budget, section.size > BigInt(budget) ? budget : Number(section.size));
  const bytes = size <= 0 ? new Uint8Array(0) : file.reader.bytes(file.offsetOf(section.va, size), size);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Slot of the stub at an offset of the code, which stands at the address; undefined where there is none. */
type Decoder = (code: DataView, at: number, here: bigint) => bigint | undefined;

function stubsIn(code: DataView, va: bigint, { decode, step }: { readonly decode: Decoder; readonly step: number }): StubSlot[] {
  const found: StubSlot[] = [];
  for (let at = 0; at < code.byteLength; at += step) {
    const stub = va + BigInt(at);
    const slot = decode(code, at, stub);
    if (slot !== undefined) found.push({ stub, slot });
  }
  return found;
}

function decoderOf({ architecture }: MachOFile): Decoder | undefined {
  if (architecture === "x86_64") return slotOfX64;
  return architecture === "arm64" ? slotOfArm64 : undefined;
}

/** `jmp [rip + slot]`. */
function slotOfX64(code: DataView, at: number, here: bigint): bigint | undefined {
  if (at + 6 > code.byteLength || code.getUint16(at) !== 0xff25) return undefined;
  return here + 6n + BigInt(code.getInt32(at + 2, true));
}

/** `adrp x16, page; ldr x16, [x16, #offset]; br x16`, or `adrp x17, page; add x17, x17, #offset; ldr x16, [x17]; braa x16, x17`. */
function slotOfArm64(code: DataView, at: number, here: bigint): bigint | undefined {
  const word = (index: number): number => (at + index * 4 + 4 <= code.byteLength ? code.getUint32(at + index * 4, true) : 0);
  const page = word(0);
  const second = word(1);
  const immediate = (second >>> 10) & 0xfff;
  const isAdrp = (register: number): boolean => (page & 0x9f00001f) >>> 0 === (0x90000000 | register) >>> 0;
  const plain = isAdrp(16) && (second & 0xffc003ff) >>> 0 === 0xf9400210 && word(2) === 0xd61f0200;
  if (plain) return pageOf(page, here) + BigInt(immediate * 8);
  const added = isAdrp(17) && (second & 0xffc003ff) >>> 0 === 0x91000231;
  const authenticated = at + longestStub <= code.byteLength && word(2) === 0xf9400230 && word(3) === 0xd71f0a11;
  return added && authenticated ? pageOf(page, here) + BigInt(immediate) : undefined;
}

/** ADRP: 21-bit signed page count, low two bits at 29. */
function pageOf(word: number, here: bigint): bigint {
  const pages = (((((word >>> 5) & 0x7ffff) << 2) | ((word >>> 29) & 3)) << 11) >> 11;
  return (here & ~0xfffn) + BigInt(pages) * 4096n;
}
