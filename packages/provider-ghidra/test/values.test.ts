import { deepOperations } from "@rea/core";
import type { AnalysisClient } from "@rea/provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, GhidraBench } from "./ghidra-bench.js";
import { standInAbsent } from "./stub-installation.js";

const at = (offset: number): string => `0x${(0x401000 + offset).toString(16)}`;

describe.skipIf(standInAbsent !== undefined)("values from Ghidra's decompiler", () => {
  let bench: GhidraBench;
  let client: AnalysisClient;
  beforeAll(async () => {
    bench = new GhidraBench();
    client = await bench.open({
      blocks: [{ name: ".text", start: "0x400000", size: 0x2000, permissions: "rx", file_offset: 0 }],
      functions: [
        {
          name: "choose",
          entry: at(0),
          size: 0x40,
          pcode: [
            { op: "INT_LESS", at: at(0), out: "less", in: ["$0:a", "#10"] },
            { op: "CBRANCH", at: at(1), in: [`@${at(8)}`, "less"] },
            { op: "CALL", at: at(2), out: "r1", in: [`@${at(0x40)}`, "$0:a"] },
            { op: "MULTIEQUAL", at: at(3), out: "m", in: ["r1", "#7", "m2"] },
            { op: "LOAD", at: at(4), out: "l", in: ["#1", "$1:p"] },
            { op: "INT_ADD", at: at(5), out: "s", in: ["m", "l"] },
            { op: "COPY", at: at(5), out: "m2", in: ["s"] },
            { op: "STORE", at: at(6), in: ["#1", "$1:p", "s"] },
            { op: "CALL", at: at(7), in: ["@0x400800", "s"] },
            { op: "CALLIND", at: at(8), out: "x", in: ["!RAX", "x0"] },
            { op: "RETURN", at: at(9), in: ["#0", "s"] },
          ],
        },
        {
          name: "helper",
          entry: at(0x40),
          size: 0x20,
          pcode: [
            { op: "INT_MULT", at: at(0x40), out: "u1", in: ["$0:n", "#3"] },
            { op: "RETURN", at: at(0x41), in: ["#0", "u1"] },
          ],
        },
        {
          name: "start",
          entry: at(0x80),
          size: 0x20,
          pcode: [
            { op: "COPY", at: at(0x80), out: "one", in: ["#1"] },
            { op: "CALL", at: at(0x84), out: "z", in: [`@${at(0)}`, "one", "!RSI"] },
            { op: "RETURN", at: at(0x88), in: ["#0", "z"] },
          ],
        },
        { name: "broken", entry: at(0xc0), size: 0x10, decompile: "fail" },
        { name: "puts", entry: "EXTERNAL:0x1" },
        { name: "puts", entry: "0x400800", size: 0x10, thunk_of: "EXTERNAL:0x1" },
      ],
      references: [{ from: at(0x84), to: at(0), type: "call" }],
    });
  });
  afterAll(async () => {
    await client.close();
    await bench.close();
  });

  async function trace(question: object) {
    const { trace_native_values: operation } = deepOperations;
    const { nodes, edges, frontier, coverage } = operation.result.parse((await ask(client, "trace_native_values", question)).result);
    const name = (id: string): string => {
      const node = nodes.find((each) => each.id === id);
      return `${node?.kind ?? "?"} ${node?.text ?? "?"} @${node?.procedure ?? "?"}`;
    };
    return {
      nodes: nodes.map(({ id }) => name(id)),
      edges: edges.map(({ from, to, kind }) => `${name(from)} -${kind}-> ${name(to)}`),
      frontier: frontier.map(({ node, reason, target }) => `${name(node)}: ${reason} ${target ?? "-"}`),
      coverage,
    };
  }

  it("are followed backward to what they are made of, into callees and out to callers", async () => {
    const { edges, frontier, coverage } = await trace({ procedure: "choose" });
    expect(edges).toEqual(
      expect.arrayContaining([
        `parameter a @${at(0)} -operand-> value less = INT_LESS 0xa @${at(0)}`,
        `value less = INT_LESS 0xa @${at(0)} -operand-> condition CBRANCH @${at(0)}`,
        `call_result r1 = CALL @${at(0)} -merge-> merge m = MULTIEQUAL 0x7 @${at(0)}`,
        `value m2 = COPY @${at(0)} -merge-> merge m = MULTIEQUAL 0x7 @${at(0)}`,
        `memory l = LOAD @${at(0)} -operand-> value s = INT_ADD @${at(0)}`,
        `return RETURN @${at(0x40)} -result-> call_result r1 = CALL @${at(0)}`,
        `parameter n @${at(0x40)} -operand-> value u1 = INT_MULT 0x3 @${at(0x40)}`,
        // A known caller passes it.
        `argument argument 1 one @${at(0x80)} -argument-> parameter a @${at(0)}`,
        `value one = COPY 0x1 @${at(0x80)} -operand-> argument argument 1 one @${at(0x80)}`,
      ]),
    );
    // What the callee's parameter gets is known from the procedure that was asked about.
    expect(edges).toContain(`argument argument 1 a @${at(0)} -argument-> parameter n @${at(0x40)}`);
    expect(frontier).toEqual(expect.arrayContaining([`memory l = LOAD @${at(0)}: memory -`, `initial RSI @${at(0x80)}: unknown_value -`]));
    expect(coverage).toEqual({ state: "complete", omissions: [] });
  });

  it("are followed forward to where they go", async () => {
    const { edges, frontier } = await trace({ procedure: "choose", direction: "forward" });
    expect(edges).toEqual(
      expect.arrayContaining([
        `argument argument 1 a @${at(0)} -argument-> parameter n @${at(0x40)}`,
        `return RETURN @${at(0x40)} -result-> call_result r1 = CALL @${at(0)}`,
        `value s = INT_ADD @${at(0)} -operand-> store STORE @${at(0)}`,
        `return RETURN @${at(0)} -result-> call_result z = CALL @${at(0x80)}`,
      ]),
    );
    expect(frontier).toEqual(expect.arrayContaining([`store STORE @${at(0)}: memory -`, `argument argument 1 s @${at(0)}: library_function 0x400800`]));
  });

  it("stop at bounds, which are told", async () => {
    const one = await trace({ procedure: "choose", max_procedures: 1 });
    expect(one.frontier).toEqual(expect.arrayContaining([`call_result r1 = CALL @${at(0)}: procedure_limit ${at(0x40)}`, `parameter a @${at(0)}: procedure_limit ${at(0x80)}`]));
    expect(one.coverage).toMatchObject({ state: "partial", omissions: [{ scope: "procedures", limit: 1 }] });
    const few = await trace({ procedure: "choose", max_nodes: 3 });
    expect(few.nodes).toHaveLength(3);
    expect(few.coverage).toMatchObject({ state: "partial", omissions: [{ scope: "nodes", limit: 3 }] });
  });

  it("of what has no body, or is not decompiled, are none, with the reason", async () => {
    for (const procedure of ["puts", "broken"]) {
      expect(await ask(client, "trace_native_values", { procedure })).toMatchObject({
        result: { nodes: [], coverage: { state: "partial", omissions: [{ reason: "not_examined" }] } },
        limitations: [expect.stringContaining("no body in this file, or")],
      });
    }
    await expect(ask(client, "trace_native_values", { procedure: "nothing" })).rejects.toMatchObject({ code: "target_unavailable" });
  });
});
