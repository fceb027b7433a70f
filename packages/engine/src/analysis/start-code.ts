import type { BinaryImage } from "@rea/binary";
import type { MemoryMap } from "./memory-map.js";
import { mainOfMingw, type Cells } from "./mingw-start.js";

/** Cells that relocation fills with an address of the image. */
type Pointers = ReadonlyMap<number, number>;

const startBytes = 96;

/**
 * Address of `main`: what a Mach-O file declares as such, or in an ELF program whose entry is the C library's start code
 * (GNU or musl) what that code hands to `__libc_start_main` as its first argument, or in a PE program what the start code
 * of MinGW-w64 calls. Undefined for start code that is not known to the instruction.
 */
export function mainBehindStart(image: BinaryImage, memory: MemoryMap, cells: Cells): number | undefined {
  const { pointers } = cells;
  const entry = image.entryPoints().items.find(({ kind }) => kind === "entry");
  const start = entry === undefined ? undefined : memory.toRva(entry.va);
  if (start === undefined || entry?.isMain === true) return start;
  if (image.format === "pe") return mainOfMingw(image, memory, start, cells);
  if (image.format !== "elf" || image.endian !== "little") return undefined;
  const code = startCode(memory, start);
  if (image.architecture === "x86_64") return mainOfX64(code) ?? mainOfMusl(code, memory);
  if (image.architecture === "x86") return mainOfX86(code, pointers);
  return image.architecture === "arm64" ? mainOfArm64(code, pointers) : undefined;
}

function startCode(memory: MemoryMap, start: number): StartCode {
  const bytes = memory.read(start, startBytes);
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), start, base: memory.base };
}

interface StartCode {
  readonly view: DataView;
  /** RVA of the first byte. */
  readonly start: number;
  readonly base: bigint;
}

/** `xor ebp, ebp; mov r9, rdx; pop rsi; mov rdx, rsp; and rsp, -16; push rax; push rsp` (psABI §3.4.1: state at process entry). */
const x64Start = [0x31, 0xed, 0x49, 0x89, 0xd1, 0x5e, 0x48, 0x89, 0xe2, 0x48, 0x83, 0xe4, 0xf0, 0x50, 0x54];

/** `main` is what goes into rdi right before the call: `lea rdi, [rip+…]` or `mov rdi, …`. */
function mainOfX64({ view, start, base }: StartCode): number | undefined {
  const byte = (at: number): number => (at < view.byteLength ? view.getUint8(at) : -1);
  // endbr64 comes first where control-flow enforcement is on.
  const first = byte(0) === 0xf3 ? 4 : 0;
  if (!x64Start.every((value, index) => byte(first + index) === value)) return undefined;
  for (let at = first + x64Start.length; at + 9 < view.byteLength && at < first + 56; at += 1) {
    const calls = (byte(at + 7) === 0xff && byte(at + 8) === 0x15) || byte(at + 7) === 0xe8 || (byte(at + 7) === 0x67 && byte(at + 8) === 0xe8);
    if (!calls || byte(at) !== 0x48) continue;
    const operand = view.getInt32(at + 3, true);
    if (byte(at + 1) === 0x8d && byte(at + 2) === 0x3d) return start + at + 7 + operand;
    if (byte(at + 1) === 0xc7 && byte(at + 2) === 0xc7) return Number(BigInt(operand) - base);
  }
  return undefined;
}

/** `xor rbp, rbp; mov rdi, rsp; lea rsi, [rip+…]` and `and rsp, -16; call` of code that loads rdi and goes on to the library. */
function mainOfMusl({ view, start }: StartCode, memory: MemoryMap): number | undefined {
  const head = [0x48, 0x31, 0xed, 0x48, 0x89, 0xe7, 0x48, 0x8d, 0x35];
  const tail = [0x48, 0x83, 0xe4, 0xf0, 0xe8];
  if (!startsWith(view, 0, head) || !startsWith(view, 13, tail) || view.byteLength < 22) return undefined;
  const called = startCode(memory, start + 22 + view.getInt32(18, true));
  for (let at = 0; at + 12 <= called.view.byteLength; at += 1) {
    const next = called.view.getUint8(at + 7);
    if (startsWith(called.view, at, [0x48, 0x8d, 0x3d]) && (next === 0xe8 || next === 0xe9)) return called.start + at + 7 + called.view.getInt32(at + 3, true);
  }
  return undefined;
}

/** `xor ebp, ebp; pop esi; mov ecx, esp; and esp, -16; push eax; push esp; push edx`. */
const x86Start = [0x31, 0xed, 0x5e, 0x89, 0xe1, 0x83, 0xe4, 0xf0, 0x50, 0x54, 0x52];

/** `main` is pushed right before the call: from a cell counted from ebx, as a constant, or as a constant through eax. */
function mainOfX86({ view, start, base }: StartCode, pointers: Pointers): number | undefined {
  if (!startsWith(view, 0, x86Start)) return undefined;
  let counter: number | undefined;
  for (let at = x86Start.length; at + 13 <= view.byteLength && at < 48; at += 1) {
    // A call and `add ebx, …`: the call comes back with its return address in ebx.
    if (view.getUint8(at) === 0xe8 && startsWith(view, at + 5, [0x81, 0xc3])) counter = start + at + 5 + view.getInt32(at + 7, true);
    const constant = (field: number): number => Number(BigInt(view.getUint32(field, true)) - base);
    if (startsWith(view, at, [0xff, 0xb3]) && view.getUint8(at + 6) === 0xe8) {
      return counter === undefined ? undefined : pointers.get(counter + view.getInt32(at + 2, true));
    }
    if (view.getUint8(at) === 0x68 && view.getUint8(at + 5) === 0xe8) return constant(at + 1);
    if (startsWith(view, at, [0xc7, 0xc0]) && startsWith(view, at + 6, [0x50, 0xe8])) return constant(at + 2);
  }
  return undefined;
}

function startsWith(view: DataView, at: number, bytes: readonly number[]): boolean {
  return at + bytes.length <= view.byteLength && bytes.every((byte, index) => view.getUint8(at + index) === byte);
}

/** `mov x29, #0; mov x30, #0; mov x5, x0`. */
const arm64Start = [0xd280_001d, 0xd280_001e, 0xaa00_03e5];

/** `main` comes from a cell: `adrp x0, page; ldr x0, [x0, #offset]`, or in older start code `ldr x0, literal`. */
function mainOfArm64({ view, start, base }: StartCode, pointers: Pointers): number | undefined {
  const word = (index: number): number => (index * 4 + 4 <= view.byteLength ? view.getUint32(index * 4, true) : 0);
  const isBranchMark = (word(0) & 0xffff_ff3f) >>> 0 === 0xd503_241f;
  const first = isBranchMark ? 1 : 0;
  if (!arm64Start.every((value, index) => word(first + index) === value)) return undefined;
  for (let index = first + arm64Start.length; index < first + 12; index += 1) {
    const page = word(index);
    const load = word(index + 1);
    if ((page & 0xff00_001f) >>> 0 === 0x5800_0000) return literal({ view, start, base }, index * 4 + ((page >>> 5) & 0x7ffff) * 4, pointers);
    if ((page & 0x9f00_001f) >>> 0 !== 0x9000_0000 || (load & 0xffc0_03ff) >>> 0 !== 0xf940_0000) continue;
    const pages = ((((page >>> 5) & 0x7ffff) << 2) | ((page >>> 29) & 3)) << 11 >> 11;
    const here = base + BigInt(start + index * 4);
    const cell = (here & ~0xfffn) + BigInt(pages) * 4096n + BigInt(((load >>> 10) & 0xfff) * 8);
    return pointers.get(Number(cell - base));
  }
  return undefined;
}

/** A literal stands behind the start code and holds an address. */
function literal({ view, start, base }: StartCode, at: number, pointers: Pointers): number | undefined {
  const relocated = pointers.get(start + at);
  if (relocated !== undefined || at + 8 > view.byteLength) return relocated;
  return Number(view.getBigUint64(at, true) - base);
}
