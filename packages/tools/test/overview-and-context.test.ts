import type { OperationResult } from "@rea/core";
import { describe, expect, it } from "vitest";
import { analyzeFunction } from "../src/enhanced/analyze-function.js";
import { binaryOverview } from "../src/enhanced/binary-overview.js";
import { getNavigationContext, inspectAddressContext } from "../src/session/navigation.js";
import { executed, FakeHost, hostOf, notOffered, type FakeProgram } from "./fake-ports.js";

const program: FakeProgram = {
  procedures: [
    { address: "0x10", value: "_start", entry: true },
    { address: "0x20", value: "main" },
  ],
  names: [
    { address: "0x10", value: "_start" },
    { address: "0x40", value: "connect", source: "import-stub" },
    { address: "0x900", value: "connect", source: "import-slot" },
    { address: "0x50", value: "connect_helper" },
    { address: "0x60", value: "puts", source: "import-stub" },
  ],
  strings: [{ address: "0x100", value: "hello" }],
  containing: { "0x24": "0x20" },
};

const summary: OperationResult<"summarize_program"> = {
  procedure_count: 2,
  string_count: 1,
  name_count: 5,
  segment_count: 3,
  entry_points: [{ address: "0x10", name: "_start", kind: "entry" }],
  largest_procedures: [{ address: "0x20", name: "main", size: 900 }],
  most_called_procedures: [{ address: "0x20", name: "main", callers: 1 }],
  notable_strings: [{ address: "0x100", value: "hello", references: 2 }],
  imported_names: [
    { address: "0x40", name: "connect", library: null },
    { address: "0x60", name: "puts", library: null },
  ],
  code_bytes: 1000,
  examined_code_bytes: 999,
  unresolved_indirect_jumps: 3,
  coverage: { state: "partial", omissions: [{ scope: "code", reason: "not_examined", count: 1, limit: null, how_to_continue: null }] },
  limitations: [],
};

describe("binary_overview", () => {
  const overview = async (input: object, host = hostOf(program)) => binaryOverview.output.parse(await host.run(binaryOverview, input));

  it("counts what the lists hold and finds the entry points", async () => {
    const host = hostOf(program, { current_document: () => Promise.resolve(executed("app")) });
    expect(await overview({}, host)).toMatchObject({
      document: "app",
      format: "elf",
      architecture: "x86_64",
      procedure_count: 2,
      string_count: 1,
      name_count: 5,
      segment_count: 3,
      entry_points: [{ address: "0x10", name: "_start", kind: "entry" }],
      detail: "concise",
      coverage: { state: "complete" },
    });
  });

  it("shows a sample of segments and says how to see the rest", async () => {
    const result = await overview({ limit: 2 });
    expect(result.segments).toHaveLength(2);
    expect(result.coverage.omissions).toMatchObject([
      { scope: "segments", reason: "limit_items", how_to_continue: "Call list_segments with offset 2." },
    ]);
  });

  it("adds rankings, telling imports and code coverage when detailed", async () => {
    const host = hostOf(program, { summarize_program: () => Promise.resolve(executed(summary)) });
    const result = await overview({ detail: "detailed" }, host);
    expect(result).toMatchObject({
      largest_procedures: [{ name: "main", size: 900 }],
      most_called_procedures: [{ callers: 1 }],
      notable_strings: [{ references: 2 }],
      notable_imports: [{ address: "0x40", name: "connect", group: "network" }],
      code_coverage: { code_bytes: 1000, examined_code_bytes: 999, examined_ppm: 999_000, unresolved_indirect_jumps: 3 },
    });
    expect(host.records[0]?.confidence).toBe("derived");
  });

  it("leaves the rankings out, and says so, on a provider that makes none", async () => {
    const result = await overview({ detail: "detailed" });
    expect(result.largest_procedures).toBeUndefined();
    expect(result.limitations).toContain("The bound provider does not rank procedures.");
  });

  it("gives null, not zero, for what could not be counted", async () => {
    const host = hostOf(program, { list_strings: () => Promise.reject(notOffered("list_strings")) });
    const result = await overview({}, host);
    expect(result.string_count).toBeNull();
    expect(result.coverage.omissions).toMatchObject([{ scope: "strings", reason: "not_examined" }]);
    expect(result.procedure_count).toBe(2);
  });

  it("stops looking for entry points in a very long list and says where", async () => {
    const procedures = Array.from({ length: 10_001 }, (_, index) => ({ address: `0x${(index + 1).toString(16)}`, value: "f" }));
    const result = await overview({}, hostOf({ ...program, procedures }));
    expect(result.procedure_count).toBe(10_001);
    expect(result.coverage.omissions).toContainEqual(
      expect.objectContaining({ scope: "procedures", reason: "limit_items", how_to_continue: "Page list_procedures from offset 10000." }),
    );
  });
});

describe("get_navigation_context", () => {
  const cursor = (address: string) => ({ current_address: () => Promise.resolve(executed(address)) });
  const document = { current_document: () => Promise.resolve(executed("app")) };

  it("composes document, address and procedure", async () => {
    const host = hostOf(program, { ...cursor("0x24"), ...document });
    expect(await host.run(getNavigationContext, {})).toEqual({
      document: "app",
      address: "0x24",
      procedure: { address: "0x20", name: "main" },
    });
  });

  it("shows a cursor outside of procedures as null", async () => {
    const host = hostOf(program, { ...cursor("0x99"), ...document });
    expect(await host.run(getNavigationContext, {})).toMatchObject({ procedure: null });
  });

  it("works with a given document on a provider without a selected one", async () => {
    const host = hostOf(program, cursor("0x24"));
    expect(await host.run(getNavigationContext, { document: "other" })).toMatchObject({ document: "other" });
    expect(await host.reply(getNavigationContext, {})).toMatchObject({
      ok: false,
      error: { code: "invalid_request", details: { issues: [{ path: "document", reason: "missing_argument" }] } },
    });
  });
});

describe("inspect_address_context", () => {
  const bookmarks: OperationResult<"list_bookmarks"> = {
    items: [
      { address: "0x24", name: "here" },
      { address: "0x99", name: "elsewhere" },
    ],
    coverage: { state: "complete", omissions: [] },
    offset: 0,
    limit: 500,
    total: 2,
    next_offset: null,
    has_more: false,
  };

  it("gives every facet that the provider has and the reason for every one it lacks", async () => {
    const host = hostOf(program, { list_bookmarks: () => Promise.resolve(executed(bookmarks)) });
    expect(await host.run(inspectAddressContext, { address: "0x24", document: "app" })).toMatchObject({
      address: "0x24",
      document: "app",
      name: { state: "available", value: null },
      procedure: { state: "available", value: { address: "0x20", name: "main" } },
      comment: { state: "unavailable", reason: "The bound provider does not offer comment." },
      inline_comment: { state: "unavailable" },
      bookmarks: { state: "available", value: [{ address: "0x24", name: "here" }] },
    });
  });

  it("does not fail with one of its facets", async () => {
    const host = hostOf(program, { comment: () => Promise.reject(notOffered("comment")) });
    const result = await host.run(inspectAddressContext, { address: "0x24" });
    expect(result).toMatchObject({ comment: { state: "unavailable", reason: "The provider does not offer comment." } });
  });
});

describe("analyze_function", () => {
  it("passes the dossier of the provider through with its confidence", async () => {
    const unavailable = { state: "unavailable" as const, reason: "No.", remediation: "None." };
    const dossier: OperationResult<"analyze_function"> = {
      procedure: { address: "0x20", name: "main", signature: null, locals: [], classification: null },
      pseudocode: unavailable,
      assembly: unavailable,
      comments: unavailable,
      callers: unavailable,
      callees: unavailable,
      incoming_references: unavailable,
      outgoing_references: unavailable,
      referenced_strings: unavailable,
      referenced_names: unavailable,
      basic_blocks: unavailable,
      native_api: unavailable,
      instruction_scan: { scanned: 3, truncated: false },
      limitations: [],
    };
    const host = new FakeHost({ analyze_function: () => Promise.resolve(executed(dossier, { confidence: "inferred" })) });
    expect(await host.run(analyzeFunction, { procedure: "main" })).toEqual(dossier);
    expect(host.records[0]).toMatchObject({ confidence: "inferred", parameters: { procedure: "main", limit: 25 } });
  });
});
