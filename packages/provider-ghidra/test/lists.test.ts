import { deepOperations } from "@rea/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AnalysisClient } from "@rea/provider";
import { ask, GhidraBench, result } from "./ghidra-bench.js";
import { standInAbsent } from "./stub-installation.js";
import { smallProgram, units } from "./stub-program.js";

describe.skipIf(standInAbsent !== undefined)("lists from Ghidra", () => {
  let bench: GhidraBench;
  let client: AnalysisClient;
  beforeAll(async () => {
    bench = new GhidraBench();
    client = await bench.open(smallProgram());
  });
  afterAll(async () => {
    await client.close();
    await bench.expectNothingLeft();
    await bench.close();
  });

  it("has one document, whose name is not the file's", async () => {
    expect(await result(client, "list_documents")).toMatchObject({ items: ["target"], total: 1, coverage: { state: "complete" } });
    await expect(ask(client, "list_names", { document: "another" })).rejects.toMatchObject({ code: "invalid_request", details: { issues: [{ path: "document" }] } });
    expect(await result(client, "list_names", { document: "target", limit: 1 })).toMatchObject({ limit: 1 });
  });

  it("segments are half-open, and blocks outside of memory are left out by count", async () => {
    const segments = await result(client, "list_segments");
    expect(segments).toMatchObject({
      total: 5,
      coverage: { state: "partial", omissions: [{ reason: "filtered", count: 1 }] },
    });
    expect(segments).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ name: ".text", start: "0x401000", end: "0x401200", permissions: "r-x", image_base: "0x400000", file_offset: 0x1000, file_size: 0x200, initialized: true }),
        expect.objectContaining({ name: ".bss", initialized: false, file_offset: null, file_size: 0, writable: true }),
      ]),
    });
  });

  it("procedures say where they are from; imports stand at their stub or slot", async () => {
    const { items, total } = deepOperations.list_procedures.result.parse(await result(client, "list_procedures"));
    expect(total).toBe(5);
    expect(items.map(({ address, value }) => [address, value])).toEqual([
      ["0x400800", "puts"],
      ["0x401000", "main"],
      ["0x401040", "helper"],
      ["0x401080", "FUN_00401080"],
      ["0x403000", "ExitProcess"],
    ]);
    expect(items.map(({ procedure }) => procedure)).toEqual([
      { size: 16, sources: ["symbol", "call-target"], name_source: "import", external: true, thunk: true, thunk_target: "puts" },
      { size: 32, sources: ["symbol", "export"], name_source: "export", external: false, thunk: false, thunk_target: null },
      { size: 16, sources: ["symbol", "call-target"], name_source: "symbol", external: false, thunk: false, thunk_target: null },
      { size: 32, sources: [], name_source: "generated", external: false, thunk: false, thunk_target: null },
      { size: null, sources: ["symbol"], name_source: "import", external: true, thunk: false, thunk_target: null },
    ]);
  });

  it("names are those that something states, at exact addresses when one is given", async () => {
    const { items } = deepOperations.list_names.result.parse(await result(client, "list_names"));
    expect(items.map(({ address, value, symbol }) => [address, value, symbol.kind, symbol.library])).toEqual([
      ["0x400800", "puts", "function", "libc.so.6"],
      ["0x401000", "main", "function", null],
      ["0x401000", "main_alias", "label", null],
      ["0x401040", "helper", "function", null],
      ["0x403000", "ExitProcess", "function", "KERNEL32.DLL"],
      ["0x404000", "counter", "label", null],
    ]);
    expect(await result(client, "list_names", { address: "0X00404000" })).toMatchObject({ total: 1, items: [{ value: "counter", symbol: { binding: "global", source: "imported" } }] });
    expect(await result(client, "list_names", { address: "0x404001" })).toMatchObject({ total: 0, items: [] });
  });

  it("strings are found in arrays too, with their encodings, and halves of pairs are replaced", async () => {
    const { items } = deepOperations.list_strings.result.parse(await result(client, "list_strings"));
    expect(items.map(({ address, value, string }) => [address, value, string.encoding, string.byte_length, string.terminated])).toEqual([
      ["0x402000", "hello, world", "ascii", 12, true],
      ["0x402010", "größer", "utf-8", 13, true],
      ["0x402020", "wide\u{1f600}", "utf-16le", 12, false],
      ["0x402040", "first", "ascii", 7, true],
      ["0x402048", "second", "ascii", 7, true],
      ["0x402060", "a\ufffdb", "utf-16le", 6, true],
    ]);
    expect((await ask(client, "list_strings", { address: "0x402048" })).result).toMatchObject({ total: 1, items: [{ value: "second" }] });
    expect((await ask(client, "list_strings")).limitations.join()).toContain("UTF-16");
  });

  it("a page far behind the end is empty and says so", async () => {
    expect(await result(client, "list_procedures", { offset: Number.MAX_SAFE_INTEGER, limit: 5 })).toMatchObject({
      items: [],
      offset: Number.MAX_SAFE_INTEGER,
      total: 5,
      next_offset: null,
      has_more: false,
    });
  });
});

describe.skipIf(standInAbsent !== undefined)("values from Ghidra", () => {
  it("are cut on code points, and made visible where they would hide", async () => {
    const bench = new GhidraBench();
    const long = "\u{1f600}".repeat(1_023);
    const client = await bench.open({
      blocks: [{ name: ".rodata", start: "0x1000", size: 0x100000, permissions: "r", file_offset: 0 }],
      data: [
        { at: "0x1000", length: 4, string: `${long}\u{1f600}`, charset: "UTF-8" },
        { at: "0x2000", length: 4, string: `${long}a\u{1f600}`, charset: "UTF-8" },
        { at: "0x3000", length: 4, string: "x".repeat(5_000) },
        { at: "0x4000", length: 4, string: "\u202eevil\u0007 \\u{41}", charset: "UTF-8" },
        { at: "0x5000", length: 4, string: units(0xdc00, 0xd800), charset: "UTF-16" },
      ],
    });
    const { items } = deepOperations.list_strings.result.parse(await result(client, "list_strings"));
    expect(items.map(({ value, value_truncated: cut }) => [value, cut])).toEqual([
      [`${long}\u{1f600}`, false],
      [`${long}a`, true],
      ["x".repeat(1_024), true],
      ["\\u{202e}evil\\u{7} \\u{5c}u{41}", false],
      ["\ufffd\ufffd", false],
    ]);
    const found = deepOperations.search_strings.result.parse(await result(client, "search_strings", { pattern: "xxxx" }));
    expect(found.items.map(({ value, value_truncated: cut }) => [value.length, cut])).toEqual([[4_096, true]]);
    await client.close();
    await bench.close();
  });

  it("that are large make pages shorter, which join without gap", async () => {
    const bench = new GhidraBench();
    const data = Array.from({ length: 600 }, (_, index) => ({ at: `0x${(0x1000 + index * 16).toString(16)}`, length: 16, string: `${String(index)} ${"\u{1f600}".repeat(1_100)}`, charset: "UTF-8" }));
    const client = await bench.open({ blocks: [{ name: ".rodata", start: "0x1000", size: 0x10000, permissions: "r", file_offset: 0 }], data });
    const seen: string[] = [];
    let pages = 0;
    for (let offset: number | null = 0; offset !== null; pages += 1) {
      const page = deepOperations.list_strings.result.parse(await result(client, "list_strings", { offset, limit: 500 }));
      expect(page.total).toBe(600);
      seen.push(...page.items.map(({ value }) => value.split(" ")[0] ?? ""));
      offset = page.next_offset;
    }
    expect(seen).toEqual(data.map((_, index) => String(index)));
    expect(pages).toBeGreaterThan(2);
    await client.close();
    await bench.expectNothingLeft();
    await bench.close();
  });
});
