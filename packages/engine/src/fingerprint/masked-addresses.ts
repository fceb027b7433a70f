import type { Architecture } from "@rea/binary";
import type { Reference } from "../program.js";

/** An instruction with its place and what it refers to. */
export interface PlacedInstruction {
  /** A copy that may be changed. */
  readonly bytes: Uint8Array;
  readonly rva: number;
  readonly base: bigint;
  readonly references: readonly Reference[];
}

/** Clears the parts of an instruction that hold addresses, so that copies at other places are equal. */
export function maskAddresses(architecture: Architecture, instruction: PlacedInstruction): void {
  if (architecture === "x86" || architecture === "x86_64") maskX86(instruction);
  else if (architecture === "arm64") maskArm64(instruction);
  else if (instruction.references.length > 0) instruction.bytes.fill(0, 1);
}

/** Distances and addresses stand in the last bytes of an instruction, or before its constant. */
function maskX86({ bytes, rva, base, references }: PlacedInstruction): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const next = rva + bytes.byteLength;
  for (const { to } of references) {
    const distance = (to - next) | 0;
    const whole = BigInt.asUintN(64, base + BigInt(to));
    const low = Number(whole & 0xffffffffn) | 0;
    if (clearWord(bytes, view, distance) || clearWord(bytes, view, low)) continue;
    if (bytes.byteLength <= 3 && view.getInt8(bytes.byteLength - 1) === distance) bytes[bytes.byteLength - 1] = 0;
  }
}

function clearWord(bytes: Uint8Array, view: DataView, word: number): boolean {
  for (let at = bytes.byteLength - 4; at >= 1; at -= 1) {
    if (view.getInt32(at, true) !== word) continue;
    bytes.fill(0, at, at + 4);
    return true;
  }
  return false;
}

/** Immediates of branches, of `adr` and `adrp`, and of what adds the low part of an address. */
function maskArm64({ bytes, references }: PlacedInstruction): void {
  if (bytes.byteLength !== 4) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 4);
  const word = view.getUint32(0, true);
  const mask = addressBits(word, references.length > 0);
  if (mask !== 0) view.setUint32(0, (word & ~mask) >>> 0, true);
}

/** Arm ARM C4: which bits of the word are an address or a part of one. */
function addressBits(word: number, refers: boolean): number {
  if ((word & 0x7c000000) === 0x14000000) return 0x03ffffff;
  if ((word & 0x1f000000) === 0x10000000) return 0x60ffffe0;
  if ((word & 0xff000000) === 0x54000000 || (word & 0x7e000000) === 0x34000000) return 0x00ffffe0;
  if ((word & 0x7e000000) === 0x36000000) return 0x0007ffe0;
  if ((word & 0x3b000000) === 0x18000000) return 0x00ffffe0;
  const addsOrLoads = (word & 0x1f000000) === 0x11000000 || (word & 0x3b000000) === 0x39000000;
  return refers && addsOrLoads ? 0x003ffc00 : 0;
}
