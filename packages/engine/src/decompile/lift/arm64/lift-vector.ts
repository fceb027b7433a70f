import { field, isSet, type A64Machine } from "./a64-machine.js";
import { liftByElement } from "./vector-by-element.js";
import { liftVectorImmediate } from "./vector-immediates.js";
import { liftCopy, liftExtract, liftPermute, liftTable } from "./vector-permutes.js";
import { liftShiftByImmediate } from "./vector-shifts.js";
import { liftThreeDifferent } from "./vector-three-different.js";
import { liftThreeSame } from "./vector-three-same.js";
import { liftAcrossLanes, liftScalarPairwise, liftTwoRegisters } from "./vector-two.js";

/** Advanced SIMD. */
export function liftVector(m: A64Machine, word: number): boolean {
  const isScalar = isSet(word, 28);
  if (isSet(word, 24)) {
    if (!isSet(word, 10)) return liftByElement(m, word);
    if (isSet(word, 23)) return false;
    return field(word, 19, 4) === 0 ? !isScalar && liftVectorImmediate(m, word) : liftShiftByImmediate(m, word);
  }
  if (isSet(word, 21)) return withSecond(m, word, isScalar);
  if (isSet(word, 15)) return false;
  if (isSet(word, 10)) return field(word, 22, 2) === 0 && liftCopy(m, word);
  if (isScalar) return false;
  if (isSet(word, 29)) return liftExtract(m, word);
  return isSet(word, 11) ? liftPermute(m, word) : liftTable(m, word);
}

function withSecond(m: A64Machine, word: number, isScalar: boolean): boolean {
  if (isSet(word, 10)) return liftThreeSame(m, word);
  if (!isSet(word, 11)) return liftThreeDifferent(m, word);
  const group = field(word, 17, 4);
  if (group === 0) return liftTwoRegisters(m, word);
  if (group !== 8) return false;
  return isScalar ? liftScalarPairwise(m, word) : liftAcrossLanes(m, word);
}
