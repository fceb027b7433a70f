import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Code, CodeBlock, CodeEnding, Line, Variable } from "../src/decompile/lower/code.js";
import { withoutConstantBranches } from "../src/decompile/lower/constant-branches.js";
import { withoutEmptyBlocks } from "../src/decompile/lower/empty-blocks.js";
import { inOrder } from "../src/decompile/lower/in-order.js";
import { shareConditions } from "../src/decompile/lower/shared-conditions.js";
import { splitBlock } from "../src/decompile/lower/split-block.js";
import { fewJumps } from "../src/decompile/structure/few-jumps.js";
import { Flags } from "../src/decompile/structure/flag.js";
import type { Node } from "../src/decompile/structure/node.js";
import { leftByJump } from "../src/decompile/structure/left-by-jump.js";
import { countJumps } from "../src/decompile/structure/node-facts.js";
import { setBefore } from "../src/decompile/structure/set-before.js";
import { structure } from "../src/decompile/structure/structure.js";
import { tidy } from "../src/decompile/structure/tidy.js";
import { withoutJumps } from "../src/decompile/structure/without-jumps.js";
import { constant, read, use, type Definition, type Expr } from "../src/ir/expression.js";

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

function variable(id: number, bits: number): { readonly variable: Variable; readonly def: Definition } {
  const def: Definition = { id, bits, place: -1, source: { kind: "result" } };
  return { def, variable: { id, bits, parameter: undefined, place: -1, members: [def] } };
}

const variables = [0, 1, 2].map((id) => variable(id, 1).variable);
const firstFlag = 100;

function withFlags(): Pick<Code, "newFlag" | "variableOf"> {
  const all = [...variables];
  const variableOf = (def: Definition): Variable => {
    const found = all.find(({ id }) => id === def.id);
    if (found === undefined) throw new Error("There is no such variable.");
    return found;
  };
  const newFlag = (): ReturnType<Code["newFlag"]> => {
    const made = variable(firstFlag + all.length, 32);
    all.push(made.variable);
    return made;
  };
  return { variableOf, newFlag };
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

/** Answers questions by their number and by what was said before, as memory would; asking changes nothing. Variables hold what they were set to. */
class Oracle {
  readonly trace: string[] = [];
  readonly #variables = new Map<number, number>();
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  set(to: Variable, value: Expr): void {
    this.#variables.set(to.id, this.answer(value));
  }

  answer(expr: Expr): number {
    if (expr.kind === "const") return Number(expr.value);
    if (expr.kind === "read") {
      const mixed = Math.imul(this.#seed ^ Math.imul(expr.place + 1, 0x9e3779b1) ^ Math.imul(this.trace.length + 1, 0x85ebca6b), 0xc2b2ae35);
      return (mixed >>> 13) % (expr.bits === 1 ? 2 : 4);
    }
    if (expr.kind === "use") {
      const value = this.#variables.get(expr.def.id);
      if (value === undefined && expr.def.id < firstFlag) return this.#seed % 2;
      if (value === undefined) throw new Error("A flag is asked for before it is set.");
      return value;
    }
    if (expr.kind !== "op") throw new Error(`no ${expr.kind} was drawn`);
    const [a = 0, b = 0] = expr.args.map((arg) => this.answer(arg));
    if (expr.op === "not") return a ^ 1;
    if (expr.op === "xor" || expr.op === "ne") return a === b ? 0 : 1;
    if (expr.op === "eq") return a === b ? 1 : 0;
    if (expr.op === "and") return a & b;
    if (expr.op === "or") return a | b;
    throw new Error(`no ${expr.op} was drawn`);
  }
}

const mostSteps = 400;

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

type Step =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "set"; readonly to: Variable; readonly value: Expr }
  | { readonly kind: "end" }
  | { readonly kind: "jump"; to: number }
  | { readonly kind: "unless"; readonly condition: Expr; to: number }
  | { readonly kind: "goto"; readonly label: number }
  | { readonly kind: "choose"; readonly selector: Expr; readonly cases: Map<bigint, number>; otherwise: number };

/** Statements as steps with jumps; where `goto` leads is looked up when it is run. */
class Flat {
  readonly steps: Step[] = [];
  readonly labels = new Map<number, number>();

  add(nodes: readonly Node[], breaks: { to: number }[], continues: { to: number }[]): void {
    for (const node of nodes) this.#node(node, breaks, continues);
  }

  #jump(): Extract<Step, { kind: "jump" }> {
    const step = { kind: "jump" as const, to: -1 };
    this.steps.push(step);
    return step;
  }

  #node(node: Node, breaks: { to: number }[], continues: { to: number }[]): void {
    switch (node.kind) {
      case "lines":
        for (const line of node.lines) {
          if (line.kind === "comment") this.steps.push({ kind: "say", text: line.text });
          if (line.kind === "assign") this.steps.push({ kind: "set", to: line.to, value: line.value });
        }
        return;
      case "return":
      case "stop":
        this.steps.push({ kind: "end" });
        return;
      case "goto":
        this.steps.push({ kind: "goto", label: node.label });
        return;
      case "label":
        this.labels.set(node.label, this.steps.length);
        return;
      case "break":
        breaks.push(this.#jump());
        return;
      case "continue":
        continues.push(this.#jump());
        return;
      case "if": {
        const unless = { kind: "unless" as const, condition: node.condition, to: -1 };
        this.steps.push(unless);
        this.add(node.then, breaks, continues);
        const past = this.#jump();
        unless.to = this.steps.length;
        this.add(node.otherwise, breaks, continues);
        past.to = this.steps.length;
        return;
      }
      case "switch":
        this.#switch(node, continues);
        return;
      default:
        this.#loop(node);
    }
  }

  #loop(node: Extract<Node, { readonly body: readonly Node[] }>): void {
    if (node.kind === "for") throw new Error("No loop counts without variables.");
    const [inner, again]: [{ to: number }[], { to: number }[]] = [[], []];
    const start = this.steps.length;
    const test = (condition: Expr): void => {
      const unless = { kind: "unless" as const, condition, to: -1 };
      this.steps.push(unless);
      inner.push(unless);
    };
    if (node.kind === "while") test(node.condition);
    this.add(node.body, inner, again);
    const end = this.steps.length;
    if (node.kind === "do") test(node.condition);
    this.#jump().to = start;
    for (const each of again) each.to = node.kind === "do" ? end : start;
    for (const each of inner) each.to = this.steps.length;
  }

  #switch(node: Extract<Node, { readonly kind: "switch" }>, continues: { to: number }[]): void {
    const inner: { to: number }[] = [];
    const choose = { kind: "choose" as const, selector: node.selector, cases: new Map<bigint, number>(), otherwise: -1 };
    this.steps.push(choose);
    for (const { values, isDefault, body } of node.cases) {
      for (const value of values) choose.cases.set(value, this.steps.length);
      if (isDefault) choose.otherwise = this.steps.length;
      this.add(body, inner, continues);
    }
    if (choose.otherwise < 0) choose.otherwise = this.steps.length;
    for (const each of inner) each.to = this.steps.length;
  }
}

function runNodes(nodes: readonly Node[], oracle: Oracle): string[] {
  const flat = new Flat();
  flat.add(nodes, [], []);
  const { trace } = oracle;
  let at = 0;
  for (let count = 0; count < mostSteps * 20; count += 1) {
    const step = flat.steps[at];
    if (step === undefined) throw new Error("Control ran out of the function.");
    at += 1;
    if (step.kind === "end") return [...trace, "end"];
    if (step.kind === "say") trace.push(step.text);
    else if (step.kind === "set") oracle.set(step.to, step.value);
    else if (step.kind === "jump") at = step.to;
    else if (step.kind === "unless") at = oracle.answer(step.condition) === 1 ? at : step.to;
    else if (step.kind === "choose") at = step.cases.get(BigInt(oracle.answer(step.selector))) ?? step.otherwise;
    else {
      const place = flat.labels.get(step.label);
      if (place === undefined) throw new Error("A jump leads to no label.");
      at = place;
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

/** Statements with jumps to two labels behind them, as they stand in loops that search. */
const written: fc.Arbitrary<readonly Node[]> = fc.letrec<{ readonly list: readonly Node[]; readonly node: Node }>((tie) => ({
  list: fc.array(tie("node"), { minLength: 1, maxLength: 4 }),
  node: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.nat(99).map((number): Node => ({ kind: "lines", lines: [{ kind: "comment", at: 0, text: String(number) }] })),
    fc.tuple(fc.nat(2), fc.nat(3)).map(([to, question]) => assignment(to, question)),
    fc.constantFrom<Node>({ kind: "goto", label: 1 }, { kind: "goto", label: 2 }, { kind: "break" }, { kind: "continue" }),
    fc.tuple(fc.nat(2), condition()).map(([to, asked]): Node => ({ kind: "if", at: 0, condition: asked, then: [known(to, 1), { kind: "goto", label: 1 }], otherwise: [] })),
    fc.record({ condition: condition(), then: tie("list"), otherwise: fc.oneof(fc.constant([]), tie("list")) }).map((parts): Node => ({ kind: "if", at: 0, ...parts })),
    fc.record({ condition: condition(), then: fc.tuple(tie("node"), fc.constantFrom<Node>({ kind: "goto", label: 1 }, { kind: "break" })) }).map((parts): Node => ({ kind: "if", at: 0, otherwise: [], ...parts })),
    tie("list").map((body): Node => ({ kind: "loop", body: [...body, { kind: "lines", lines: [{ kind: "comment", at: 0, text: "again" }] }] })),
    fc.record({ condition: condition(), body: tie("list") }).map((parts): Node => ({ kind: "while", at: 0, ...parts })),
    fc.record({ condition: condition(), body: tie("list") }).map((parts): Node => ({ kind: "do", at: 0, ...parts })),
  ),
})).list;

function condition(): fc.Arbitrary<Expr> {
  return fc.oneof(fc.nat(3).map((question) => read(question, 1)), fc.nat(2).map((number) => use(variables[number]?.members[0] ?? variable(0, 1).def)));
}

function assignment(to: number, question: number): Node {
  const [first] = variables;
  const found = variables[to] ?? first;
  return { kind: "lines", lines: found === undefined ? [] : [{ kind: "assign", at: 0, to: found, value: read(question, 1) }] };
}

function known(to: number, value: 0 | 1): Node {
  const found = variables[to];
  return { kind: "lines", lines: found === undefined ? [] : [{ kind: "assign", at: 0, to: found, value: constant(1, value) }] };
}

test("what is set at the end and on jumps over that is set before", () => {
  let fewer = 0;
  const say = (text: string): Node => ({ kind: "lines", lines: [{ kind: "comment", at: 0, text }] });
  const asked = (to: number): Node => ({ kind: "if", at: 0, condition: use(variables[to]?.members[0] ?? variable(0, 1).def), then: [say("set")], otherwise: [say("not set")] });
  fc.assert(
    fc.property(written, fc.nat(2), fc.nat(), (body, to, seed) => {
      const given: Node[] = [{ kind: "do", at: 0, condition: constant(1, 0), body: [...body, say("next")] }, known(to, 0), { kind: "label", label: 1 }, asked(to), { kind: "label", label: 2 }, asked(0), { kind: "return", at: 0, value: undefined }];
      const found = setBefore(given.slice(0, 2), { label: 1, variableOf: withFlags().variableOf });
      if (found === undefined) return;
      fewer += 1;
      const made = [found.first, ...found.rest, ...given.slice(2)];
      const [expected, seen] = [runNodes(given, new Oracle(seed)), runNodes(made, new Oracle(seed))];
      const length = expected.at(-1) === "end" ? undefined : Math.min(expected.length, seen.length);
      expect(seen.slice(0, length)).toEqual(expected.slice(0, length));
    }),
    { numRuns: 4_000 },
  );
  expect(fewer).toBeGreaterThan(50);
});

/** The statements in a loop, with something behind it before the first label and between the two. */
function searching(body: readonly Node[]): readonly Node[] {
  const say = (text: string): Node => ({ kind: "lines", lines: [{ kind: "comment", at: 0, text }] });
  return [{ kind: "loop", body: [...body, say("next")] }, say("left"), say("normally"), { kind: "label", label: 1 }, say("one"), { kind: "label", label: 2 }, say("two"), { kind: "return", at: 0, value: undefined }];
}

test("jumps out of loops become flags, or conditions that are known behind", () => {
  let fewer = 0;
  fc.assert(
    fc.property(written, fc.nat(), (body, seed) => {
      const given = searching(body);
      const made = withoutJumps(given, new Flags(withFlags()));
      fewer += count(given) - count(made);
      const [expected, found] = [runNodes(given, new Oracle(seed)), runNodes(made, new Oracle(seed))];
      const length = expected.at(-1) === "end" ? expected.length : Math.min(expected.length, found.length);
      expect(found.slice(0, expected.at(-1) === "end" ? undefined : length)).toEqual(expected.slice(0, length));
    }),
    { numRuns: 3_000 },
  );
  expect(fewer).toBeGreaterThan(1_000);
});

test("a condition that tells how a loop was left tells it on every run", () => {
  const say = (text: string): Node => ({ kind: "lines", lines: [{ kind: "comment", at: 0, text }] });
  const end: Node = { kind: "return", at: 0, value: undefined };
  let told = 0;
  const loops = fc.oneof(written.map((body): Node => ({ kind: "loop", body })), fc.record({ condition: condition(), body: written }).map((parts): Node => ({ kind: "while", at: 0, ...parts })));
  fc.assert(
    fc.property(loops, fc.nat(), (loop, seed) => {
      const found = leftByJump(loop, { label: 1, isUsed: () => true, variableOf: withFlags().variableOf });
      if (found === undefined) return;
      told += 1;
      const asked = (then: string, otherwise: string): Node => ({ kind: "if", at: 0, condition: found, then: [say(then)], otherwise: [say(otherwise)] });
      const trace = runNodes([loop, asked("wrong", "right"), end, { kind: "label", label: 1 }, asked("right", "wrong"), end, { kind: "label", label: 2 }, end], new Oracle(seed));
      expect(trace).not.toContain("wrong");
    }),
    { numRuns: 6_000 },
  );
  expect(told).toBeGreaterThan(50);
});

function count(nodes: readonly Node[]): number {
  return [...countJumps(nodes).values()].reduce((sum, each) => sum + each, 0);
}

function isSmallJoin({ blocks }: Code, id: number): boolean {
  const block = blocks.find((each) => each.id === id);
  return block !== undefined && block.predecessors.length > 1 && !block.predecessors.includes(block) && blocks.length < 40;
}
