import { flow } from "../flow.js";

/** What one instruction of either set does to control flow, and the constant near the code that it reads. */
export class DecodedBranch {
  flow: number = flow.sequential;
  /** RVA, -1 without one. */
  target = -1;
  operand = 0;
  /** True when the target is code of the other set. */
  switches = false;
  /** RVA of the pc-relative constant, -1 without one. */
  literal = -1;
  literalBytes = 4;
  /** True when control goes to what the literal holds. */
  through = false;

  reset(): void {
    this.flow = flow.sequential;
    this.target = -1;
    this.operand = 0;
    this.switches = false;
    this.literal = -1;
    this.literalBytes = 4;
    this.through = false;
  }

  direct(kind: number, target: number, operand = 0): void {
    this.flow = kind;
    this.target = target;
    this.operand = operand;
  }

  /** Makes the flow one that may not take place. */
  makeConditional(): void {
    this.flow = conditional[this.flow] ?? this.flow;
  }
}

const conditional: Readonly<Record<number, number>> = {
  [flow.jump]: flow.conditionalJump,
  [flow.call]: flow.conditionalCall,
  [flow.return]: flow.conditionalReturn,
  [flow.indirectJump]: flow.conditionalIndirectJump,
};
