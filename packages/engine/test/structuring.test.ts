import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Code, CodeBlock, CodeEnding, Line } from "../src/decompile/lower/code.js";
import { withoutConstantBranches } from "../src/decompile/lower/constant-branches.js";
import { withoutEmptyBlocks } from "../src/decompile/lower/empty-blocks.js";
import { inOrder } from "../src/decompile/lower/in-order.js";
import { shareConditions } from "../src/decompile/lower/shared-conditions.js";
import { splitBlock } from "../src/decompile/lower/split-block.js";
import { fewJumps } from "../src/decompile/structure/few-jumps.js";
import { Flags } from "../src/decompile/structure/flag.js";
import type { Node } from "../src/decompile/structure/node.js";
import { structure } from "../src/decompile/structure/structure.js";
import { tidy } from "../src/decompile/structure/tidy.js";
import { withoutJumps } from "../src/decompile/structure/without-jumps.js";
import { constant, read, use, type Expr } from "../src/ir/expression.js";
import { mostSteps, Oracle, runNodes, variables, withFlags } from "./structured-run.js";

/** What a block is, and the numbers of the blocks it leads to. */
interface Drawn {
  readonly kind: "jump" | "branch" | "switch" | "return";
  readonly to: readonly number[];
  readonly question: number;
  readonly isEmpty: boolean;
  /** The variable that the block sets to an answer, if any, and whether it asks for one instead of for memory. */
  readonly sets: number | undefined;
  readonly asksVariable: boolean;
}

const drawn = (count: number): fc.Arbitrary<Drawn> =>
  fc.record({
    kind: fc.constantFrom("jump" as const, "branch" as const, "branch" as const, "branch" as const, "switch" as const, "return" as const),
    to: fc.array(fc.nat(count - 1), { minLength: 4, maxLength: 4 }),
    question: fc.nat(3),
    isEmpty: fc.boolean(),
    sets: fc.option(fc.nat(2), { nil: undefined, freq: 1 }),
    asksVariable: fc.boolean(),
  });
const program = fc.integer({ min: 2, max: 14 }).chain((count) => fc.array(drawn(count), { minLength: count, maxLength: count }));

/** Blocks that say their number; the first is led to by nobody. */
function codeOf(given: readonly Drawn[]): Code {
  const entry: CodeBlock = { id: 1, start: 1, lines: [], ending: { kind: "jump" }, successors: [], predecessors: [], edgeLines: [] };
  const blocks = given.map(({ isEmpty, sets, question }, index): CodeBlock => {
    const to = sets === undefined ? undefined : variables[sets];
    const said: Line[] = isEmpty ? [] : [{ kind: "comment", at: index, text: String(index) }];
    const lines: Line[] = to === undefined ? said : [...said, { kind: "assign", at: index, to, value: read(question, 1) }];
    return { id: index + 2, start: index + 2, lines, ending: { kind: "jump" }, successors: [], predecessors: [], edgeLines: [] };
  });
  const link = (from: CodeBlock, to: CodeBlock | undefined): void => {
    if (to === undefined) return;
    from.successors.push(to);
    from.edgeLines.push([]);
    to.predecessors.push(from);
  };
  link(entry, blocks[0]);
  for (const [index, { kind, to, question, asksVariable }] of given.entries()) {
    const block = blocks[index];
    if (block === undefined) continue;
    const targets = [...new Set(to)].map((each) => blocks[each]).filter((each) => each !== undefined);
    block.ending = endingOf(kind, questionOf(question, asksVariable), targets);
    const ways = { jump: 1, branch: 2, switch: targets.length, return: 0 }[block.ending.kind === "stop" ? "return" : block.ending.kind];
    for (const target of targets.slice(0, ways)) link(block, target);
  }
  const all = inOrder([entry, ...blocks]);
  for (const { predecessors } of all) predecessors.splice(0, predecessors.length, ...predecessors.filter((each) => all.includes(each)));
  return { blocks: all, parameters: [], variables, ...withFlags(), flags: [] };
}

/** What memory answers, a variable, or what is known. */
function questionOf(question: number, asksVariable: boolean): Expr {
  const asked = variables[question]?.members[0];
  if (!asksVariable) return read(question, 1);
  return asked === undefined ? constant(1, 1) : use(asked);
}

function endingOf(kind: Drawn["kind"], condition: Expr, targets: readonly CodeBlock[]): CodeEnding {
  if (kind === "return") return { kind: "return", at: 0, value: undefined };
  if (kind === "jump" || targets.length < 2) return { kind: "jump" };
  if (kind === "branch") return { kind: "branch", at: 0, condition };
  return { kind: "switch", at: 0, selector: read(0, 32), hasDefault: true, cases: targets.slice(0, -1).map(({ start }, index) => ({ value: BigInt(index), to: start })) };
}

function runBlocks(code: Code, oracle: Oracle): string[] {
  const { trace } = oracle;
  let at = code.blocks[0];
  for (let step = 0; at !== undefined && step < mostSteps; step += 1) {
    for (const line of at.lines) {
      if (line.kind === "comment") trace.push(line.text);
      if (line.kind === "assign") oracle.set(line.to, line.value);
    }
    const { ending, successors }: CodeBlock = at;
    if (ending.kind === "return" || ending.kind === "stop") return [...trace, "end"];
    if (ending.kind === "jump") at = successors[0];
    else if (ending.kind === "branch") at = successors[oracle.answer(ending.condition) === 1 ? 0 : 1];
    else {
      const chosen = BigInt(oracle.answer(ending.selector));
      const found = ending.cases.find(({ value }) => value === chosen);
      at = found === undefined ? successors.at(-1) : successors.find(({ start }) => start === found.to);
    }
  }
  return trace;
}

/** Of runs that may go on without end, as much as both have. */
function expectSame(given: readonly Drawn[], seed: number, made: (code: Code) => readonly Node[]): void {
  const expected = runBlocks(codeOf(given), new Oracle(seed));
  const found = runNodes(made(codeOf(given)), new Oracle(seed));
  const isWhole = expected.at(-1) === "end";
  const length = isWhole ? expected.length : Math.min(expected.length, found.length);
  expect(found.slice(0, isWhole ? undefined : length)).toEqual(expected.slice(0, length));
}

describe("statements for a graph of blocks do what the blocks do", () => {
  const check = (made: (code: Code) => readonly Node[], numRuns = 300): void => {
    fc.assert(fc.property(program, fc.nat(), (given, seed) => { expectSame(given, seed, made); }), { numRuns });
  };

  test("as they are nested", () => { check((code) => structure(code).nodes); });
  test("in the forms people write", () => { check((code) => tidy(structure(code).nodes)); });
  test("with jumps forward written as what C has for them", () => { check((code) => withoutJumps(tidy(structure(code).nodes), new Flags(code)), 2_000); });
  test("with questions whose answer is known", () => { check((code) => structure(withoutConstantBranches(code)).nodes); });
  test("without blocks that only lead on", () => { check((code) => structure(withoutEmptyBlocks(code)).nodes); });
  test("with questions asked in one place", () => { check((code) => structure(shareConditions(withoutEmptyBlocks(code))).nodes); });
  test("with blocks written once for each way to them", () => {
    check((code) => structure(code.blocks.slice(1).reduce((all, { id }) => (isSmallJoin(all, id) ? splitBlock(all, id).code : all), code)).nodes, 100);
  });
  test("with as few jumps as are found", () => { check((code) => fewJumps(shareConditions(withoutEmptyBlocks(code))), 1_000); });
});

function isSmallJoin({ blocks }: Code, id: number): boolean {
  const block = blocks.find((each) => each.id === id);
  return block !== undefined && block.predecessors.length > 1 && !block.predecessors.includes(block) && blocks.length < 40;
}
