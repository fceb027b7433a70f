import { deepOperations, ReaError, unescapeUntrusted, z } from "@rea/core";
import { describe, expect, test } from "vitest";
import type { NativeOperationName } from "../src/native-operations.js";
import { handlerOf } from "../src/operations/handlers.js";
import { fakeQuery, functions, incomplete, longText, names, strings, type FakeOptions } from "./fake-program.js";

const pageSchema = z.object({
  items: z.array(z.unknown()),
  total: z.number(),
  next_offset: z.number().nullable(),
  has_more: z.boolean(),
});
const valuesSchema = z.object({ items: z.array(z.object({ value: z.string() })) });

function run(operation: NativeOperationName, params: object = {}, options: FakeOptions = {}) {
  const contract = deepOperations[operation];
  const handler = handlerOf(operation);
  const query = fakeQuery(options);
  const found = handler.run(query, contract.params.parse(params));
  return { ...found, result: contract.result.parse(found.result) };
}

function refusal(work: () => unknown): ReaError {
  try {
    work();
  } catch (error) {
    if (error instanceof ReaError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function pages(operation: NativeOperationName, params: object = {}): unknown[] {
  const items: unknown[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const { result } = run(operation, { ...params, offset, limit: 1 });
    const page = pageSchema.parse(result);
    expect(page.items).toHaveLength(1);
    expect(page.has_more).toBe(page.next_offset !== null);
    items.push(...page.items);
    offset = page.next_offset;
  }
  return items;
}

describe("paging", () => {
  test.each([
    ["list_procedures", {}, functions.length],
    ["list_names", {}, names.length],
    ["list_strings", {}, strings.length],
    ["list_segments", {}, 3],
    ["search_strings", { pattern: "e" }, 4],
    ["procedure_callees", { procedure: "main" }, 2],
  ] as const)("pages of one item of %s add up to the whole list", (operation, params, count) => {
    const whole = pageSchema.parse(run(operation, params).result);
    expect(whole.items).toHaveLength(count);
    expect(whole.total).toBe(count);
    expect(pages(operation, params)).toEqual(whole.items);
  });

  test("an offset past the end gives an empty page with the total", () => {
    expect(run("list_names", { offset: 100 }).result).toMatchObject({ items: [], total: names.length, has_more: false, next_offset: null });
  });
});

describe("untrusted text", () => {
  test("bidirectional characters and text that looks like an escape are shown reversibly", () => {
    const { items } = valuesSchema.parse(run("list_strings").result);
    expect(items[2]?.value).toBe("Grüße\\u{202e}olleh");
    expect(items[3]?.value).toBe("HELLO \\u{5c}u{202e} wide");
    expect(items.slice(0, 4).map(({ value }) => unescapeUntrusted(value))).toEqual(strings.slice(0, 4).map((item) => item.text()));
  });

  test("a value is cut at 1,024 code points in lists and not inside a surrogate pair", () => {
    const { items } = pageSchema.parse(run("list_strings").result);
    expect(items[4]).toMatchObject({ value: `${"x".repeat(1023)}\u{1f600}`, value_truncated: true });
    const found = pageSchema.parse(run("search_strings", { pattern: "tail" }).result);
    expect(found.items).toEqual([{ address: "0x402100", value: longText, value_truncated: false }]);
  });

  test("a name is found in the form that results show", () => {
    const error = refusal(() => run("procedure_address", { procedure: "greeting\\u{202e}" }));
    expect(error.code).toBe("target_unavailable");
    expect(error.message).not.toContain("greeting");
  });
});

describe("documents", () => {
  test("the one document is called target and is stated when left out", () => {
    expect(run("list_documents").result).toMatchObject({ items: ["target"] });
    expect(run("list_names").resolved).toEqual({ document: "target" });
    expect(run("list_names", { document: "target" }).resolved).toEqual({});
  });

  test("an unknown document is refused with the number of documents", () => {
    const error = refusal(() => run("list_names", { document: "other" }));
    expect(error.code).toBe("invalid_request");
    expect(error.message).toContain("1 document");
    expect(error.details).toMatchObject({ issues: [{ path: "document", reason: "invalid_value" }] });
  });
});

describe("procedures", () => {
  test("an ambiguous name is refused with the candidate addresses", () => {
    const error = refusal(() => run("procedure_info", { procedure: "helper" }));
    expect(error.code).toBe("invalid_request");
    expect(error.details).toMatchObject({ issues: [{ path: "procedure", expected: "one of 0x401020, 0x401030" }] });
  });

  test("an address inside a procedure is refused with the entry to pass", () => {
    const error = refusal(() => run("procedure_info", { procedure: "0x401004" }));
    expect(error.code).toBe("target_unavailable");
    expect(error.details).toMatchObject({ reason: "target_not_found" });
    expect(error.action).toContain("0x401000");
  });

  test("a guessed start makes the page inferred, firmer ones leave it derived", () => {
    expect(run("list_procedures").confidence).toBe("inferred");
    expect(run("list_procedures", { limit: 3 }).confidence).toBe("derived");
  });

  test("an import stub is external and names what it leads to", () => {
    const { result } = run("procedure_info", { procedure: "puts" });
    expect(result).toMatchObject({ entrypoint: "0x401050", classification: { external: true, thunk: true, thunk_target: "puts" } });
  });

  test("a hole between procedures and an unmapped address are told apart", () => {
    expect(run("resolve_containing_procedure", { address: "0x401028" }).result).toMatchObject({ found: false, reason: "not_in_procedure" });
    expect(run("resolve_containing_procedure", { address: "0x10" }).result).toMatchObject({ found: false, reason: "outside_segments" });
    expect(run("resolve_containing_procedure", { address: "0x40101e" }).result).toMatchObject({
      found: true,
      procedure: { address: "0x401000", name: "main" },
    });
  });
});

describe("references", () => {
  test("an empty list from an incomplete analysis says partial", () => {
    const { result } = run("xrefs", { address: "0x401030" }, { omissions: [incomplete] });
    expect(result).toMatchObject({ items: ["0x401020"], coverage: { state: "partial" } });
    expect(run("xrefs", { address: "0x401fff" }, { omissions: [incomplete] }).result).toMatchObject({
      items: [],
      coverage: { state: "partial", omissions: [{ reason: "analysis_incomplete", count: 12 }] },
    });
    expect(run("xrefs", { address: "0x401fff" }).result).toMatchObject({ items: [], coverage: { state: "complete" } });
  });

  test("outgoing references stop with the instructions that were scanned", () => {
    const params = { procedure: "main", max_instructions: 3 };
    expect(run("procedure_references", params).result).toMatchObject({
      references: {
        items: [{ to: "0x402000" }, { to: "0x401050", kind: "call" }],
        total: 2,
        coverage: { state: "partial", omissions: [{ scope: "instructions", reason: "limit_items", limit: 3 }] },
      },
      instructions_scanned: 3,
      instruction_scan_truncated: true,
    });
    expect(run("procedure_references", { procedure: "main" }).result).toMatchObject({
      references: { coverage: { state: "complete" } },
      instruction_scan_truncated: false,
    });
  });

  test("incoming references include pointers in data", () => {
    const { result } = run("procedure_references", { procedure: "0x401040", direction: "incoming" });
    expect(result).toMatchObject({ references: { items: [{ from: "0x403008", kind: "address", operand_index: null }] } });
  });
});

describe("instructions", () => {
  test("an address in the middle of an instruction gives its start", () => {
    expect(run("inspect_native_instruction", { address: "0x401006" }).result).toMatchObject({
      outcome: "mid_instruction",
      instruction_start: "0x401004",
      mnemonic: "lea",
    });
    expect(run("inspect_native_instruction", { address: "0x7" }).result).toMatchObject({ outcome: "outside", text: null });
  });

  test.each([
    ["0x40100b", "direct", ["0x401050"]],
    ["0x401015", "resolved_indirect", ["0x403000"]],
    ["0x401050", "resolved_indirect", ["0x403000"]],
    ["0x401020", "direct", ["0x401030"]],
    ["0x40101b", "unresolved", []],
    ["0x401000", "not_a_call", []],
  ])("the call at %s is %s", (at, outcome, targets) => {
    const { result } = run("resolve_native_call_targets", { address: at });
    expect(result).toMatchObject({ outcome, targets: targets.map((address) => ({ address })) });
  });

  test("a listing names what its operands lead to", () => {
    const listing = z.string().parse(run("procedure_assembly", { procedure: "main" }).result);
    expect(listing).toContain('lea rdi, [rip+0xff5]  ; greeting\\u{202e}');
    expect(listing).toContain("call 0x401050  ; puts");
    expect(listing.split("\n")).toHaveLength(7);
  });
});

describe("bytes", () => {
  test("a range that ends in a hole gives its mapped prefix and says so", () => {
    const found = run("read_bytes", { address: "0x403ff0", length: 64 });
    expect(found.result).toMatchObject({ requested_bytes: 64, returned_bytes: 16, complete: false, bytes_hex: "00".repeat(16) });
    expect(found.limitations).toHaveLength(2);
    expect(run("read_bytes", { address: "0x10" }).result).toMatchObject({ returned_bytes: 0, complete: false });
  });

  test("zero-fill has no file offset, and offsets count from the start of the file on disk", () => {
    expect(run("address_to_file_offset", { address: "0x401004" }).result).toMatchObject({ file_offset: 0x11004, reason: null });
    expect(run("address_to_file_offset", { address: "0x403100" }).result).toEqual({
      address: "0x403100",
      file_offset: null,
      reason: expect.stringContaining("zero-filled"),
    });
  });
});

describe("byte search", () => {
  test("finds every place, also overlapping ones, and never across mappings", () => {
    const { result } = run("search_bytes", { pattern: "cc ?? cc", limit: 1 });
    // Three mappings of 0x1000, 0x1000 and 0x100 stored bytes, all 0xcc.
    expect(result).toMatchObject({ items: [{ address: "0x401000", file_offset: 0x11000, section: ".text" }], total: 2 * 0xffe + 0xfe });
    expect(run("search_bytes", { pattern: "CCCC 00" }).result).toMatchObject({ items: [], coverage: { state: "complete" } });
  });

  test.each(["?? ??", "4", "48 8", "0x48", "zz", "4? 05"])("%s is no byte pattern", (pattern) => {
    const work = () => deepOperations.search_bytes.params.safeParse({ pattern }).success && run("search_bytes", { pattern });
    if (pattern.length < 2) expect(work()).toBe(false);
    else expect(refusal(work).details).toMatchObject({ issues: [{ path: "pattern", reason: "invalid_format" }] });
  });
});

describe("navigation", () => {
  test("the cursor starts at the entry point and stands in for a missing address", () => {
    expect(run("current_address").result).toBe("0x401000");
    expect(run("current_procedure").result).toBe("main");
    const next = run("next_address");
    expect(next.result).toBe("0x401004");
    expect(next.resolved).toEqual({ document: "target", address: "0x401000" });
  });

  test("going to an unmapped address is refused and moves nothing", () => {
    expect(run("goto_address", { address: "0x401020" }).cursor).toBe(0x401020n);
    expect(refusal(() => run("goto_address", { address: "0x1" })).code).toBe("invalid_request");
  });

  test("there is no neighbour past either end", () => {
    expect(run("prev_address", { address: "0x401000" }).result).toBeNull();
    expect(run("next_address", { address: "0x402100" }).result).toBeNull();
  });
});

describe("analyze_function", () => {
  test("each collection pages on its own", () => {
    const { result } = run("analyze_function", { procedure: "main", limit: 1, collection_offset: { callees: 1 } });
    expect(result).toMatchObject({
      callees: { value: { items: [{ address: "0x401050", name: "puts" }], total: 2, truncated: false, next_offset: null } },
      outgoing_references: { value: { returned: 1, total: 4, truncated: true, next_offset: 1 } },
      referenced_strings: { value: { items: [{ address: "0x402000", value: "usage: hello %s [file]\\u{a}" }] } },
      pseudocode: { state: "unavailable" },
      assembly: { state: "unavailable" },
      native_api: { state: "unavailable" },
    });
  });

  test("the listing pages by instructions", () => {
    const params = { procedure: "main", include_assembly: true, max_instructions: 3, assembly_offset: 3 };
    const { result } = run("analyze_function", params);
    expect(result).toMatchObject({ assembly: { value: { offset: 3, truncated: true, next_offset: 6 } } });
  });
});

describe("summarize_program", () => {
  test("the most telling strings come first", () => {
    const { result } = run("summarize_program", { limit: 2 });
    expect(result).toMatchObject({
      notable_strings: [{ value: "https://example.org/report" }, { value: expect.stringContaining("usage:"), references: 1 }],
    });
  });

  test("rankings are by size and by number of callers", () => {
    expect(run("summarize_program", { limit: 1 }).result).toMatchObject({
      procedure_count: functions.length,
      largest_procedures: [{ name: "main", size: 32 }],
      most_called_procedures: [{ address: "0x401020", callers: 1 }],
      entry_points: [{ address: "0x401000", name: "main", kind: "entry" }],
    });
  });
});
