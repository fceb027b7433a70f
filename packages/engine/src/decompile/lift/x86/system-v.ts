import type { Machine, ResultPart } from "../../machine-model.js";
import { firstTemporary, flagPlaces, placeBits, placeName, rbp, rsp, upperBase, vectorBase } from "./x86-places.js";

const rax = 0;
const rcx = 1;
const rdx = 2;
const rsi = 6;
const rdi = 7;

const integerArguments = [rdi, rsi, rdx, rcx, 8, 9];
const floatArguments = Array.from({ length: 8 }, (_, index) => vectorBase + index);
const volatileGeneral = [rax, rcx, rdx, rsi, rdi, 8, 9, 10, 11];
const allVectors = Array.from({ length: 16 }, (_, index) => vectorBase + index);
const flags = Object.values(flagPlaces);

const parts = (bits: number, ...places: readonly number[]): ResultPart[] => places.map((place) => ({ place, bits }));

/** System V ABI for x86-64. */
export const systemV: Machine = {
  pointerBits: 64,
  stackPointer: rsp,
  stackArguments: 8,
  callArguments: 0,
  firstTemporary,
  bitsOf: placeBits,
  nameOf: placeName,
  integerArguments,
  floatArguments,
  indirectResult: -1,
  variableArgumentsOnStack: false,
  vectors: { first: vectorBase, count: 16 },
  vectorCount: rax,
  kept: new Set([3, rbp, 12, 13, 14, 15]),
  callReads: [...integerArguments, ...floatArguments, rax, rsp],
  callWrites: [...volatileGeneral, ...allVectors, ...allVectors.map((place) => place + upperBase - vectorBase), ...flags],
  resultPlaces: [rax, rdx, vectorBase, vectorBase + 1],
  resultShapes: [
    { record: undefined, parts: parts(64, rax, rdx) },
    { record: "dd", parts: parts(64, vectorBase, vectorBase + 1) },
    { record: "ld", parts: parts(64, rax, vectorBase) },
  ],
  integerResult: rax,
  secondIntegerResult: rdx,
  floatResult: vectorBase,
  entryMisaligned: true,
  plainCharIsSigned: true,
  takesStackByDifference: false,
};

/** Microsoft's convention for x64: four registers by position, 32 bytes of home space, more kept registers. */
export const microsoftX64: Machine = {
  ...systemV,
  resultShapes: [],
  stackArguments: 40,
  callArguments: 32,
  integerArguments: [rcx, rdx, 8, 9],
  floatArguments: [0, 1, 2, 3].map((index) => vectorBase + index),
  vectorCount: -1,
  callReads: [rcx, rdx, 8, 9, 0, 1, 2, 3].map((place, index) => (index < 4 ? place : vectorBase + place)).concat(rsp),
  callWrites: [rax, rcx, rdx, 8, 9, 10, 11, ...allVectors.slice(0, 6), ...allVectors.map((place) => place + upperBase - vectorBase), ...flags],
};
