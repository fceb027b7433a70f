/** One pointer of a chain as its format encodes it (`mach-o/fixup-chains.h`). */
export interface ChainedPointer {
  /** Address at the preferred base; undefined for binds. */
  readonly target: bigint | undefined;
  /** Index into the imports; undefined for rebases. */
  readonly ordinal: number | undefined;
  readonly addend: bigint;
  readonly authenticated: boolean;
  /** Bytes to the next pointer of the chain; 0 at its end. */
  readonly next: number;
}

interface PointerFormat {
  readonly name: string;
  readonly size: 4 | 8;
  readonly decode: (raw: bigint, base: bigint) => ChainedPointer;
}

const bits = (raw: bigint, from: number, count: number): bigint => BigInt.asUintN(count, raw >> BigInt(from));
const field = (raw: bigint, from: number, count: number): number => Number(bits(raw, from, count));

/** ARM64E family: the target is an address or an offset; authenticated targets are always offsets. */
function arm64e(stride: number, form: "address" | "offset", ordinalBits: 16 | 24): PointerFormat["decode"] {
  return (raw, base) => {
    const authenticated = field(raw, 63, 1) === 1;
    const next = field(raw, 51, 11) * stride;
    if (field(raw, 62, 1) === 1) {
      const addend = authenticated ? 0n : BigInt.asIntN(19, raw >> 32n);
      return { target: undefined, ordinal: field(raw, 0, ordinalBits), addend, authenticated, next };
    }
    const target = authenticated
      ? base + bits(raw, 0, 32)
      : (form === "offset" ? base : 0n) + (bits(raw, 0, 43) | (bits(raw, 43, 8) << 56n));
    return { target: BigInt.asUintN(64, target), ordinal: undefined, addend: 0n, authenticated, next };
  };
}

function plain64(form: "address" | "offset"): PointerFormat["decode"] {
  return (raw, base) => {
    const next = field(raw, 51, 12) * 4;
    if (field(raw, 63, 1) === 1) {
      return { target: undefined, ordinal: field(raw, 0, 24), addend: bits(raw, 24, 8), authenticated: false, next };
    }
    const target = (form === "offset" ? base : 0n) + (bits(raw, 0, 36) | (bits(raw, 36, 8) << 56n));
    return { target: BigInt.asUintN(64, target), ordinal: undefined, addend: 0n, authenticated: false, next };
  };
}

/** Kernel caches: a 30-bit offset from the base of the cache. */
function kernelCache(stride: number): PointerFormat["decode"] {
  return (raw, base) => ({
    target: BigInt.asUintN(64, base + bits(raw, 0, 30)),
    ordinal: undefined,
    addend: 0n,
    authenticated: field(raw, 63, 1) === 1,
    next: field(raw, 51, 12) * stride,
  });
}

function plain32(raw: bigint): ChainedPointer {
  const next = field(raw, 26, 5) * 4;
  if (field(raw, 31, 1) === 1) {
    return { target: undefined, ordinal: field(raw, 0, 20), addend: bits(raw, 20, 6), authenticated: false, next };
  }
  return { target: bits(raw, 0, 26), ordinal: undefined, addend: 0n, authenticated: false, next };
}

function bare32(targetBits: number): PointerFormat["decode"] {
  return (raw, base) => ({
    target: targetBits === 30 ? base + bits(raw, 0, 30) : bits(raw, 0, targetBits),
    ordinal: undefined,
    addend: 0n,
    authenticated: false,
    next: field(raw, targetBits, 32 - targetBits) * 4,
  });
}

const formats: ReadonlyMap<number, PointerFormat> = new Map<number, PointerFormat>([
  [1, { name: "DYLD_CHAINED_PTR_ARM64E", size: 8, decode: arm64e(8, "address", 16) }],
  [2, { name: "DYLD_CHAINED_PTR_64", size: 8, decode: plain64("address") }],
  [3, { name: "DYLD_CHAINED_PTR_32", size: 4, decode: plain32 }],
  [4, { name: "DYLD_CHAINED_PTR_32_CACHE", size: 4, decode: bare32(30) }],
  [5, { name: "DYLD_CHAINED_PTR_32_FIRMWARE", size: 4, decode: bare32(26) }],
  [6, { name: "DYLD_CHAINED_PTR_64_OFFSET", size: 8, decode: plain64("offset") }],
  [7, { name: "DYLD_CHAINED_PTR_ARM64E_KERNEL", size: 8, decode: arm64e(4, "offset", 16) }],
  [8, { name: "DYLD_CHAINED_PTR_64_KERNEL_CACHE", size: 8, decode: kernelCache(4) }],
  [9, { name: "DYLD_CHAINED_PTR_ARM64E_USERLAND", size: 8, decode: arm64e(8, "offset", 16) }],
  [10, { name: "DYLD_CHAINED_PTR_ARM64E_FIRMWARE", size: 8, decode: arm64e(4, "address", 16) }],
  [11, { name: "DYLD_CHAINED_PTR_X86_64_KERNEL_CACHE", size: 8, decode: kernelCache(1) }],
  [12, { name: "DYLD_CHAINED_PTR_ARM64E_USERLAND24", size: 8, decode: arm64e(8, "offset", 24) }],
]);

export function pointerFormat(format: number): { readonly name: string; readonly size: 4 | 8 } | undefined {
  return formats.get(format);
}

const undecoded: ChainedPointer = { target: undefined, ordinal: undefined, addend: 0n, authenticated: false, next: 0 };

/** Decodes one pointer; `base` is the address of the Mach header. Unknown formats end the chain. */
export function decodePointer(format: number, raw: bigint, base: bigint): ChainedPointer {
  return formats.get(format)?.decode(raw, base) ?? undecoded;
}
