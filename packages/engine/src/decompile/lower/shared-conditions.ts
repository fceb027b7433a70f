import type { Definition } from "../../ir/expression.js";
import { not1 } from "../../ir/simplify.js";
import type { Expr } from "../../ir/expression.js";
import type { Code, CodeBlock, Line } from "./code.js";
import { inOrder } from "./in-order.js";

/**
 * Blocks that end with the same question and the same two ways ask it in one place: compilers write a question again behind
 * each way that leads to it, and once before a loop and once at its end.
 */
export function shareConditions(code: Code): Code {
  const made: CodeBlock[] = [];
  let id = code.blocks.reduce((most, block) => Math.max(most, block.id), 0);
  for (const blocks of byTargets(code.blocks)) {
    for (let left = blocks; left.length > 1; ) {
      const [first, ...others] = left;
      if (first === undefined) break;
      const asked = questionOf(first, first.successors[0]);
      const same = others.filter((block) => asked !== undefined && isSame(asked, questionOf(block, first.successors[0]), code));
      left = others.filter((block) => !same.includes(block));
      if (same.length > 0) made.push(askedOnce([first, ...same], (id += 1)));
    }
  }
  return made.length === 0 ? code : { ...code, blocks: inOrder([...code.blocks, ...made]) };
}

/** Blocks with a question, those with the same two ways together. */
function byTargets(blocks: readonly CodeBlock[]): readonly CodeBlock[][] {
  const groups = new Map<string, CodeBlock[]>();
  for (const block of blocks) {
    const [a, b] = block.successors;
    if (block.ending.kind !== "branch" || a === undefined || b === undefined || a === b) continue;
    const key = a.id < b.id ? `${String(a.id)} ${String(b.id)}` : `${String(b.id)} ${String(a.id)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [block]);
    else group.push(block);
  }
  return [...groups.values()];
}

interface Question {
  readonly condition: Expr;
  /** On the way that the condition leads to, and on the other. */
  readonly lines: readonly [readonly Line[], readonly Line[]];
}

/** The question of a block, put so that its condition leads to `towards`. */
function questionOf({ ending, successors, edgeLines }: CodeBlock, towards: CodeBlock | undefined): Question | undefined {
  if (ending.kind !== "branch") return undefined;
  const [then = [], otherwise = []] = edgeLines;
  return successors[0] === towards ? { condition: ending.condition, lines: [then, otherwise] } : { condition: not1(ending.condition), lines: [otherwise, then] };
}

function isSame(a: Question, b: Question | undefined, code: Code): boolean {
  return b !== undefined && sameExpr(a.condition, b.condition, code) && sameLines(a.lines[0], b.lines[0], code) && sameLines(a.lines[1], b.lines[1], code);
}

/** Only copies stand on ways. */
function sameLines(a: readonly Line[], b: readonly Line[], code: Code): boolean {
  return a.length === b.length && a.every((line, index) => {
    const other = b[index];
    return line.kind === "assign" && other?.kind === "assign" && line.to === other.to && sameExpr(line.value, other.value, code);
  });
}

/** Expressions that give the same where they are evaluated at the same moment: variables by name, memory by its address. */
function sameExpr(a: Expr, b: Expr, code: Code): boolean {
  if (a.bits !== b.bits) return false;
  switch (a.kind) {
    case "const":
      return b.kind === "const" && a.value === b.value && a.isAddress === b.isAddress;
    case "read":
      return b.kind === "read" && a.place === b.place;
    case "use":
      return b.kind === "use" && sameVariable(a.def, b.def, code);
    case "load":
      return b.kind === "load" && sameExpr(a.address, b.address, code);
    case "op":
      return (
        b.kind === "op" && a.op === b.op && a.imm === b.imm && a.name === b.name && a.op !== "unknown" && a.args.length === b.args.length &&
        a.args.every((arg, index) => sameAt(arg, b.args[index], code))
      );
  }
}

function sameAt(a: Expr, b: Expr | undefined, code: Code): boolean {
  return b !== undefined && sameExpr(a, b, code);
}

function sameVariable(a: Definition, b: Definition, code: Code): boolean {
  return a === b || code.variableOf(a) === code.variableOf(b);
}

/** A block that asks what the blocks asked; they lead to it. */
function askedOnce(blocks: readonly CodeBlock[], id: number): CodeBlock {
  const [first] = blocks;
  if (first === undefined) throw new Error("There is no question without a block.");
  const made: CodeBlock = { id, start: -1, lines: [], ending: first.ending, successors: [...first.successors], predecessors: [...blocks], edgeLines: [...first.edgeLines] };
  for (const target of made.successors) {
    const others = target.predecessors.filter((each) => !blocks.includes(each));
    target.predecessors.splice(0, target.predecessors.length, ...others, made);
  }
  for (const block of blocks) {
    block.ending = { kind: "jump" };
    block.successors.splice(0, block.successors.length, made);
    block.edgeLines.splice(0, block.edgeLines.length, []);
  }
  return made;
}
