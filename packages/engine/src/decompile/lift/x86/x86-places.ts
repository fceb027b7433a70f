/** Places of the x86-64 machine: 16 general registers, 16 vector registers (128 bits, the upper halves apart), flags. */
export const vectorBase = 16;
export const upperBase = 32;
export const flagPlaces = {
  cf: 48,
  zf: 49,
  sf: 50,
  of: 51,
  pf: 52,
  /** What conditional instructions ask of several flags: below or equal, less, less or equal. */
  be: 53,
  l: 54,
  le: 55,
} as const;
export type FlagName = keyof typeof flagPlaces;
export const segmentBases = { fs: 56, gs: 57 } as const;
export const firstTemporary = 72;

export const rsp = 4;
export const rbp = 5;

const generalNames = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];

export function placeBits(place: number): number {
  if (place < vectorBase) return 64;
  if (place < flagPlaces.cf) return 128;
  return place < segmentBases.fs ? 1 : 64;
}

export function placeName(place: number): string {
  if (place < vectorBase) return generalNames[place] ?? "";
  if (place < upperBase) return `xmm${String(place - vectorBase)}`;
  if (place < flagPlaces.cf) return `ymm${String(place - upperBase)}h`;
  for (const [name, at] of Object.entries(flagPlaces)) if (at === place) return name;
  return place === segmentBases.fs ? "fs" : place === segmentBases.gs ? "gs" : `t${String(place)}`;
}

/** Where a register's bits stand. */
export interface RegisterPart {
  readonly place: number;
  readonly from: number;
  readonly bits: number;
  /** A 256-bit register, whose upper half is another place. */
  readonly wide: boolean;
}

const bytesLow = ["al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"];
const bytesHigh = ["ah", "ch", "dh", "bh"];
const words = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];

/** Parts by lower-case register name. */
export function registerParts(): ReadonlyMap<string, RegisterPart> {
  const parts = new Map<string, RegisterPart>();
  const add = (name: string, place: number, bits: number, from = 0): void => {
    parts.set(name, { place, from, bits, wide: false });
  };
  for (const [place, name] of generalNames.entries()) {
    add(name, place, 64);
    if (place < 8) {
      add(words[place] ?? "", place, 16);
      add(`e${words[place] ?? ""}`, place, 32);
      add(bytesLow[place] ?? "", place, 8);
      if (place < 4) add(bytesHigh[place] ?? "", place, 8, 8);
    } else {
      add(`${name}d`, place, 32);
      add(`${name}w`, place, 16);
      add(`${name}l`, place, 8);
    }
    add(`xmm${String(place)}`, vectorBase + place, 128);
    parts.set(`ymm${String(place)}`, { place: vectorBase + place, from: 0, bits: 256, wide: true });
  }
  return parts;
}
