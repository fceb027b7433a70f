import type { OperandKind } from "../../program.js";

const modifier = /^(?:lsl|lsr|asr|ror|rrx|msl|uxt[bhwx]|sxt[bhwx]|mul)\b/;

/** Splits at commas outside brackets; a shift or extension belongs to the operand before it. */
export function splitOperands(list: string): string[] {
  const parts = list === "" ? [] : list.split(/,\s*(?![^[{]*[\]}])/);
  const operands: string[] = [];
  for (const part of parts) {
    const last = operands.length - 1;
    if (last >= 0 && modifier.test(part)) operands[last] = `${operands[last] ?? ""}, ${part}`;
    else operands.push(part);
  }
  return operands;
}

/** Kind of an operand by how assemblers write it. */
export function kindOfText(text: string): OperandKind {
  if (text.startsWith("[") || /^-?\w*\(\$?\w+\)$/.test(text)) return "memory";
  if (/^#|^-?\d/.test(text)) return "immediate";
  return /^\$?[a-z][a-z0-9]*!?$/.test(text) ? "register" : "other";
}
