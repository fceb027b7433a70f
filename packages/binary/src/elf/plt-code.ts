/** Code to look through, with the address of its first byte. */
export interface StubCode {
  readonly va: bigint;
  readonly bytes: Uint8Array;
  /** Stubs start at multiples of this; 1 inside a PLT, where every matching jump is a stub. */
  readonly alignment: bigint;
}

export interface Stub {
  readonly va: bigint;
  /** Address of the pointer the stub jumps through. */
  readonly slot: bigint;
}

function word(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0;
}

/** Start of the stub whose indirect jump stands at `jump`: a BND prefix and ENDBR (last byte given) belong to it. */
function stubStart(bytes: Uint8Array, jump: number, endbr: number): number {
  let start = jump;
  if (bytes[start - 1] === 0xf2) start -= 1;
  const marked =
    bytes[start - 4] === 0xf3 && bytes[start - 3] === 0x0f && bytes[start - 2] === 0x1e && bytes[start - 1] === endbr;
  return marked ? start - 4 : start;
}

/** `jmp *disp32(%rip)` (FF 25), where a stub may start. */
export function* x86_64Stubs(code: StubCode): Generator<Stub> {
  const { bytes, va } = code;
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 6 <= bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] !== 0x25) continue;
    const start = va + BigInt(stubStart(bytes, at, 0xfa));
    if (start % code.alignment !== 0n) continue;
    const slot = BigInt.asUintN(64, va + BigInt(at + 6) + BigInt(word(bytes, at + 2) | 0));
    yield { va: start, slot };
  }
}

/** `jmp *abs32` (FF 25) and `jmp *disp32(%ebx)` (FF A3) with EBX on the global offset table. */
export function* x86Stubs(code: StubCode, got: bigint): Generator<Stub> {
  const { bytes, va } = code;
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 6 <= bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const mode = bytes[at + 1];
    if (mode !== 0x25 && mode !== 0xa3) continue;
    const start = va + BigInt(stubStart(bytes, at, 0xfb));
    if (start % code.alignment !== 0n) continue;
    const value = BigInt(word(bytes, at + 2));
    yield { va: start, slot: BigInt.asUintN(32, mode === 0xa3 ? got + value : value) };
  }
}

const btiC = 0xd503245f;

/** `adrp x16, page; ldr x17, [x16, #offset]` (Arm ARM C6.2), after an optional `bti c`. */
export function* arm64Stubs(code: StubCode): Generator<Stub> {
  const { bytes, va } = code;
  for (let at = 0; at + 8 <= bytes.length; at += 4) {
    const adrp = word(bytes, at);
    const load = word(bytes, at + 4);
    if (((adrp & 0x9f00001f) >>> 0) !== 0x90000010 || ((load & 0xffc003ff) >>> 0) !== 0xf9400211) continue;
    const pages = ((((adrp >>> 5) & 0x7ffff) << 13) >> 11) | ((adrp >>> 29) & 3);
    const base = ((va + BigInt(at)) & ~0xfffn) + BigInt(pages) * 4096n;
    const slot = BigInt.asUintN(64, base + BigInt(((load >>> 10) & 0xfff) * 8));
    const marked = at >= 4 && word(bytes, at - 4) === btiC;
    yield { va: va + BigInt(marked ? at - 4 : at), slot };
  }
}

/** `add ip, pc, #a; add ip, ip, #b; ldr pc, [ip, #c]!`, with Thumb callers entering through `bx pc; nop` before it. */
export function* armStubs(code: StubCode): Generator<Stub> {
  const { bytes, va } = code;
  for (let at = 0; at + 12 <= bytes.length; at += 4) {
    const first = word(bytes, at);
    const second = word(bytes, at + 4);
    const load = word(bytes, at + 8);
    if (first >>> 12 !== 0xe28fc || second >>> 12 !== 0xe28cc || load >>> 12 !== 0xe5bcf) continue;
    const base = va + BigInt(at + 8);
    const slot = BigInt.asUintN(32, base + BigInt(rotated(first)) + BigInt(rotated(second)) + BigInt(load & 0xfff));
    yield { va: va + BigInt(at), slot };
  }
}

/** Arm "modified immediate": eight bits rotated right by twice the four bits above them. */
function rotated(instruction: number): number {
  const by = ((instruction >>> 8) & 15) * 2;
  const value = instruction & 0xff;
  return by === 0 ? value : ((value >>> by) | (value << (32 - by))) >>> 0;
}

/** `auipc t3, high; ld t3, low(t3)` (RISC-V psABI: "Procedure Linkage Table"). */
export function* riscvStubs(code: StubCode): Generator<Stub> {
  const { bytes, va } = code;
  for (let at = 0; at + 8 <= bytes.length; at += 4) {
    const high = word(bytes, at);
    const load = word(bytes, at + 4);
    if ((high & 0xfff) !== 0xe17 || (load & 0xfffff) !== 0xe3e03) continue;
    const slot = BigInt.asUintN(64, va + BigInt(at) + BigInt(high & ~0xfff) + BigInt((load | 0) >> 20));
    yield { va: va + BigInt(at), slot };
  }
}
