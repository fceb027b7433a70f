/** Places of the A64 machine: 31 general registers and the stack pointer, 32 vector registers of 128 bits, flags. */
export const sp = 31;
export const linkRegister = 30;
export const vectorBase = 32;
export const vectorCount = 32;

export const flagPlaces = {
  n: 64,
  z: 65,
  c: 66,
  v: 67,
  /** What conditions ask of several flags: lower or same, less, less or equal. */
  ls: 68,
  lt: 69,
  le: 70,
} as const;
export type FlagName = keyof typeof flagPlaces;
export const flagNames = ["n", "z", "c", "v", "ls", "lt", "le"] as const;

export const firstTemporary = 80;

export function placeBits(place: number): number {
  if (place < vectorBase) return 64;
  if (place < flagPlaces.n) return 128;
  return place < firstTemporary ? 1 : 64;
}

export function placeName(place: number): string {
  if (place === sp) return "sp";
  if (place < vectorBase) return `x${String(place)}`;
  if (place < flagPlaces.n) return `v${String(place - vectorBase)}`;
  for (const name of flagNames) if (flagPlaces[name] === place) return name;
  return `t${String(place)}`;
}
