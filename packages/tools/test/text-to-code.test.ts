import { omission } from "@rea/core";
import { describe, expect, it } from "vitest";
import { findCodeForString, traceFeature } from "../src/enhanced/text-to-code.js";
import { hostOf, hostWithout, notOffered, type FakeProgram } from "./fake-ports.js";

const program: FakeProgram = {
  strings: [
    { address: "0x100", value: "Usage: app" },
    { address: "0x110", value: "no such file" },
    { address: "0x120", value: "usage error" },
    { address: "0x130", value: "print usage" },
  ],
  procedures: [
    { address: "0x10", value: "main" },
    { address: "0x20", value: "print_usage" },
  ],
  xrefs: { "0x100": ["0x24", "0x14"], "0x120": ["0x500"] },
  containing: { "0x24": "0x20", "0x14": "0x10" },
};

const find = async (input: object, host = hostOf(program)) => ({
  host,
  result: findCodeForString.output.parse(await host.run(findCodeForString, input)),
});

describe("find_code_for_string", () => {
  it("gives each matching string with its references and the procedures around them", async () => {
    const { result, host } = await find({ query: "usage" });
    expect(result.matches).toEqual([
      {
        string: { address: "0x100", value: "Usage: app", value_truncated: false },
        references: [
          { address: "0x24", procedure: { address: "0x20", name: "print_usage" }, status: "in_procedure" },
          { address: "0x14", procedure: { address: "0x10", name: "main" }, status: "in_procedure" },
        ],
        references_complete: true,
      },
      {
        string: { address: "0x120", value: "usage error", value_truncated: false },
        references: [{ address: "0x500", procedure: null, status: "not_in_procedure" }],
        references_complete: true,
      },
      { string: { address: "0x130", value: "print usage", value_truncated: false }, references: [], references_complete: true },
    ]);
    // One search, three xrefs, three containing procedures.
    expect(result).toMatchObject({ operation_budget: 20, operations_used: 7, truncated: false, residual_unknowns: [] });
    expect(result.coverage.state).toBe("complete");
    expect(host.asked).toHaveLength(7);
    expect(host.records[0]?.confidence).toBe("derived");
  });

  it("matches the letter case only when asked to", async () => {
    const { result } = await find({ query: "usage", case_sensitive: true });
    expect(result.matches.map(({ string }) => string.address)).toEqual(["0x120", "0x130"]);
  });

  it("never asks more than its budget, and turns what is left into questions with a next step", async () => {
    const { result, host } = await find({ query: "usage", max_operations: 3 });
    expect(host.asked).toEqual(["search_strings", "xrefs", "resolve_containing_procedure"]);
    expect(result).toMatchObject({ operations_used: 3, truncated: true, coverage: { state: "partial" } });
    expect(result.matches[0]?.references[1]).toEqual({ address: "0x14", procedure: null, status: "not_examined" });
    expect(result.matches[1]).toMatchObject({ references: [], references_complete: false });
    expect(result.residual_unknowns).toContainEqual({
      question: "What refers to the string at 0x120?",
      next_step: "Call xrefs with address 0x120.",
    });
  });

  it("reads the whole list on a provider that cannot search, page by page", async () => {
    const host = hostWithout({ ...program, pageSize: 1 }, ["search_strings"]);
    const { result } = await find({ query: "usage" }, host);
    expect(result.matches).toHaveLength(3);
    expect(host.asked.filter((operation) => operation === "list_strings")).toHaveLength(4);
  });

  it("says that further strings may match when the budget ends within the list", async () => {
    const host = hostWithout({ ...program, pageSize: 1 }, ["search_strings"]);
    const { result } = await find({ query: "usage", max_operations: 2 }, host);
    expect(result.truncated).toBe(true);
    expect(result.residual_unknowns.map(({ question }) => question)).toContain("Do further strings contain the query?");
  });

  it("says when the limit left matches out", async () => {
    const { result } = await find({ query: "usage", limit: 1 });
    expect(result.matches).toHaveLength(1);
    expect(result.coverage.omissions).toMatchObject([{ scope: "strings", reason: "limit_items", limit: 1 }]);
  });

  it("does not call an exact fit truncated", async () => {
    const { result } = await find({ query: "usage", limit: 3 });
    expect(result).toMatchObject({ truncated: false, coverage: { state: "complete" } });
  });

  it("keeps the failure of one look-up local", async () => {
    const host = hostOf(program, { xrefs: () => Promise.reject(notOffered("xrefs")) });
    const { result } = await find({ query: "usage" }, host);
    expect(result.matches).toHaveLength(3);
    expect(result.failures[0]).toMatchObject({ address: "0x100", operation: "xrefs", code: "capability_unavailable" });
    expect(result.coverage.state).toBe("partial");
  });

  it("fails when not one operation answers", async () => {
    const host = hostOf(program, { search_strings: () => Promise.reject(notOffered("search_strings")) });
    expect(await host.reply(findCodeForString, { query: "x" })).toMatchObject({
      ok: false,
      error: { code: "capability_unavailable" },
    });
  });

  it("says that code was not examined where a string seems to have no reference", async () => {
    const notExamined = [omission("code", "not_examined", { count: 16 })];
    const { result } = await find({ query: "print usage" }, hostOf({ ...program, notExamined }));
    expect(result.matches).toMatchObject([{ references: [] }]);
    expect(result).toMatchObject({ truncated: false, coverage: { state: "partial", omissions: notExamined } });
  });

  it("says nothing was found only with complete coverage", async () => {
    const { result } = await find({ query: "absent" });
    expect(result).toMatchObject({ matches: [], coverage: { state: "complete" }, residual_unknowns: [] });
  });
});

describe("trace_feature", () => {
  it("adds procedures by name to what the strings give", async () => {
    const host = hostOf(program);
    const result = traceFeature.output.parse(await host.run(traceFeature, { query: "usage" }));
    expect(result.search_mode).toBe("literal");
    expect(result.procedure_matches).toEqual([{ address: "0x20", value: "print_usage", value_truncated: false }]);
    expect(result.matches).toHaveLength(3);
    expect(result.operations_used).toBe(8);
  });
});
