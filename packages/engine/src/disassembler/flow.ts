import type { FlowKind } from "../program.js";

/** How control leaves an instruction, as a number for tables and hot loops; fits four bits. */
export const flow = {
  sequential: 0,
  call: 1,
  indirectCall: 2,
  jump: 3,
  indirectJump: 4,
  conditionalJump: 5,
  return: 6,
  trap: 7,
  halt: 8,
  /** A direct call that never comes back, by analysis. */
  callNoReturn: 9,
  /** An indirect call that never comes back, by the import it goes to. */
  indirectCallNoReturn: 10,
  /** Sequential, and nothing but padding: `nop`. */
  padding: 11,
  /** May return, may go on. */
  conditionalReturn: 12,
  /** A direct call that may not take place: what follows is reached even when the callee never comes back. */
  conditionalCall: 13,
  /** A computed jump that may not take place. */
  conditionalIndirectJump: 14,
} as const;

const kinds: readonly FlowKind[] = [
  "sequential",
  "call",
  "indirect_call",
  "jump",
  "indirect_jump",
  "conditional_jump",
  "return",
  "trap",
  "halt",
  "call",
  "indirect_call",
  "sequential",
  "return",
  "call",
  "indirect_jump",
];

/** The public word for a flow number. */
export function flowKind(code: number): FlowKind {
  return kinds[code] ?? "sequential";
}

/** True for jumps of any kind, calls and returns excluded. */
export function isJump(code: number): boolean {
  return (code >= flow.jump && code <= flow.conditionalJump) || code === flow.conditionalIndirectJump;
}

/** True for jumps whose target is computed. */
export function isComputedJump(code: number): boolean {
  return code === flow.indirectJump || code === flow.conditionalIndirectJump;
}

/** True when the next instruction in memory is not executed after this one. */
export function endsFlow(code: number): boolean {
  return endingFlows[code] === 1;
}

const endingFlows = Uint8Array.from(kinds, (_, code) =>
  code === flow.jump ||
  code === flow.indirectJump ||
  code === flow.return ||
  code === flow.trap ||
  code === flow.halt ||
  code === flow.callNoReturn ||
  code === flow.indirectCallNoReturn
    ? 1
    : 0,
);
