import type { OpName } from "./expression.js";

/**
 * Operations on lanes of 128-bit values. A name is `kind` + lane bits, e.g. `add32`; kinds ending in `f` read floats.
 * Names here are those of the functions `rea_v_…` in the header.
 */
export interface LaneOperation {
  readonly kind: string;
  readonly lane: number;
}

const pattern = /^([a-z_]+?2?_?)(8|16|32|64)$/;

export function laneOperation(name: string): LaneOperation | undefined {
  const found = pattern.exec(name);
  return found === null ? undefined : { kind: found[1] ?? "", lane: Number(found[2]) };
}

/** Kinds that do the same on each lane, by the operation on one. */
export const lanewise: Readonly<Record<string, OpName>> = {
  add: "add", sub: "sub", mul: "mul",
  addf: "fadd", subf: "fsub", mulf: "fmul", divf: "fdiv", minf: "fmin", maxf: "fmax",
  maxnmf: "fmaxnm", minnmf: "fminnm", maxnanf: "fmaxnan", minnanf: "fminnan", fmaf: "fma",
  negf: "fneg", absf: "fabs", sqrtf: "fsqrt", roundf: "fround", sitof: "sitof", uitof: "uitof", ftosat: "ftosat", ftousat: "ftousat",
};

/** Kinds that make a lane of ones where a test holds. */
export const laneTests: Readonly<Record<string, OpName>> = { eq: "eq", eqf: "feq", ltf: "flt", lef: "fle", unordf: "funord" };
