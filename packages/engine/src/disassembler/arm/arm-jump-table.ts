import type { JumpContext, JumpTable } from "../jump-table.js";
import type { ArmDecoder } from "./arm-decoder.js";

/** Instructions between the comparison that bounds the index and the jump. */
const farthest = 12;

/**
 * Tables right behind `tbb`, `tbh` and `ldrls pc, [pc, …]`, as compilers write switches. The index must be compared with a
 * constant shortly before.
 */
export function findArmTable(rva: number, decoder: ArmDecoder, offset: number, context: JumpContext): JumpTable | undefined {
  if (!decoder.decode(offset)) return undefined;
  const bytes = context.read(rva, decoder.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 4) return undefined;
  const shape = decoder.thumb ? thumbShape(view, rva) : armShape(view, rva);
  if (shape === undefined) return undefined;
  const count = boundOf(shape.index, rva, decoder.thumb, context);
  return count === undefined ? undefined : { ...shape.table, bound: { count, exact: true } };
}

interface Shape {
  readonly index: number;
  readonly table: Omit<JumpTable, "bound">;
}

function thumbShape(view: DataView, rva: number): Shape | undefined {
  const [first, second] = [view.getUint16(0, true), view.getUint16(2, true)];
  if (first !== 0xe8df || (second & 0xffe0) !== 0xf000) return undefined;
  const entryBytes = second & 0x10 ? 2 : 1;
  return { index: second & 15, table: { table: rva + 4, entryBytes, signed: false, shift: 1, base: rva + 4 } };
}

function armShape(view: DataView, rva: number): Shape | undefined {
  const word = view.getUint32(0, true);
  if ((word & 0x0ffffff0) !== 0x079ff100) return undefined;
  return { index: word & 15, table: { table: rva + 8, entryBytes: 4, signed: false, shift: 0, base: undefined } };
}

/** Number of entries by the nearest comparison of the index before the jump. */
function boundOf(first: number, rva: number, thumb: boolean, context: JumpContext): number | undefined {
  let at = rva;
  let index = first;
  for (let count = 0; count < farthest; count += 1) {
    at = context.previous(at);
    if (at < 0) return undefined;
    const bytes = context.read(at, 4);
    if (bytes.byteLength < 4) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const bound = thumb ? thumbComparison(view, index) : armComparison(view.getUint32(0, true), index);
    if (bound !== undefined) return bound + 1;
    index = thumb ? beforeThumbCopy(view.getUint16(0, true), index) : beforeArmCopy(view.getUint32(0, true), index);
  }
  return undefined;
}

/** Stands for a register that was saved on the stack: any comparison may be of it. */
const anyRegister = -1;

/** Where the index came from when the instruction copies it or loads it back from the stack. */
function beforeThumbCopy(half: number, index: number): number {
  const copied = (half & 0xff00) === 0x4600 && ((half & 7) | ((half >>> 4) & 8)) === index;
  if (copied) return (half >>> 3) & 15;
  return half >>> 11 === 0b10011 && ((half >>> 8) & 7) === index ? anyRegister : index;
}

function beforeArmCopy(word: number, index: number): number {
  if ((word & 0xfffffff0) >>> 0 === (0xe1a00000 | (index << 12)) >>> 0) return word & 15;
  return (word & 0xfffff000) >>> 0 === (0xe59d0000 | (index << 12)) >>> 0 ? anyRegister : index;
}

function thumbComparison(view: DataView, index: number): number | undefined {
  const [first, second] = [view.getUint16(0, true), view.getUint16(2, true)];
  if ((first & 0xf800) === 0x2800 && (index === anyRegister || ((first >>> 8) & 7) === index)) return first & 0xff;
  return (index === anyRegister ? (first & 0xfff0) === 0xf1b0 : first === (0xf1b0 | index)) && (second & 0xff00) === 0x0f00 ? second & 0xff : undefined;
}

function armComparison(word: number, index: number): number | undefined {
  const register = (word >>> 16) & 15;
  if ((word & 0xfff0ff00) >>> 0 !== 0xe3500000) return undefined;
  return index === anyRegister || register === index ? word & 0xff : undefined;
}
