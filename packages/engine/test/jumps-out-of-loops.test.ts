import fc from "fast-check";
import { expect, test } from "vitest";
import { Flags } from "../src/decompile/structure/flag.js";
import { leftByJump } from "../src/decompile/structure/left-by-jump.js";
import { countJumps } from "../src/decompile/structure/node-facts.js";
import type { Node } from "../src/decompile/structure/node.js";
import { setBefore } from "../src/decompile/structure/set-before.js";
import { withoutJumps } from "../src/decompile/structure/without-jumps.js";
import { constant, read, use, type Expr } from "../src/ir/expression.js";
import { Oracle, runNodes, variable, variables, withFlags } from "./structured-run.js";

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
