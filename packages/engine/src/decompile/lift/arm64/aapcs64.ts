import type { Machine, ResultShape } from "../../machine-model.js";
import { firstTemporary, flagPlaces, linkRegister, placeBits, placeName, sp, vectorBase, vectorCount } from "./places.js";

const indirectResult = 8;
const general = [0, 1, 2, 3, 4, 5, 6, 7];
const vectors = general.map((index) => vectorBase + index);
const notKept = Array.from({ length: 19 }, (_, index) => index);
/** The callee keeps the low halves of v8 to v15, which is all of them that code relies on. */
const keptVectors = [8, 9, 10, 11, 12, 13, 14, 15].map((index) => vectorBase + index);
const allVectors = Array.from({ length: vectorCount }, (_, index) => vectorBase + index);

/** Structures of floating numbers alone, each in a register of its own. */
function floats(bits: 32 | 64, count: number): ResultShape {
  return { record: (bits === 32 ? "f" : "d").repeat(count), parts: vectors.slice(0, count).map((place) => ({ place, bits })) };
}

/** Procedure Call Standard for the Arm 64-bit Architecture. */
export const aapcs64: Machine = {
  pointerBits: 64,
  stackPointer: sp,
  stackArguments: 0,
  callArguments: 0,
  firstTemporary,
  bitsOf: placeBits,
  nameOf: placeName,
  integerArguments: general,
  floatArguments: vectors,
  indirectResult,
  vectorCount: -1,
  vectors: { first: vectorBase, count: vectorCount },
  callReads: [...general, ...vectors, indirectResult, sp],
  callWrites: [...notKept, linkRegister, ...allVectors.filter((place) => !keptVectors.includes(place)), ...Object.values(flagPlaces)],
  kept: new Set([19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, linkRegister, ...keptVectors]),
  resultPlaces: [0, 1, vectorBase, vectorBase + 1, vectorBase + 2, vectorBase + 3],
  resultShapes: [{ record: undefined, parts: [0, 1].map((place) => ({ place, bits: 64 })) }, floats(32, 4), floats(32, 3), floats(64, 2), floats(32, 2)],
  integerResult: 0,
  secondIntegerResult: 1,
  floatResult: vectorBase,
  entryMisaligned: false,
  plainCharIsSigned: false,
  takesStackByDifference: true,
  variableArgumentsOnStack: false,
};

/** Apple's platforms: plain characters have a sign; arguments of variable lists stand on the stack, in places of eight bytes. */
export const appleArm64: Machine = { ...aapcs64, variableArgumentsOnStack: true, plainCharIsSigned: true };
