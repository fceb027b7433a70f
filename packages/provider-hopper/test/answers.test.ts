import { readFileSync } from "node:fs";
import type { DeepOperationName, OperationResult, ProgressUpdate } from "@rea/core";
import { parseOperationResult, type AnalysisClient } from "@rea/provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, clientOf, sampleProgram, standInAbsent, standInProvider, symbolsOf, targetOf } from "./stand-in.js";

const hostileName = "evil\u202e\u0007name";
const longString = "🙂".repeat(1_200);
const veryLong = `${"y".repeat(5_000)}needle`;

describe.skipIf(standInAbsent !== undefined)("what Hopper's bridge answers about a real program", () => {
  let client: AnalysisClient;
  let symbols: ReadonlyMap<string, string>;

  beforeAll(async () => {
    const path = sampleProgram();
    symbols = symbolsOf(path);
    const names = { [place("counter")]: hostileName, [place("buffer")]: "half \ud83d of a pair" };
    client = await clientOf(standInProvider({ names, strings: [longString, veryLong], wide_strings: ["привет 🙂"] }), targetOf(path));
  });
  afterAll(async () => {
    expect(await client.close()).toEqual({ remaining: [] });
  });

  const place = (name: string): string => symbols.get(name) ?? "missing";

  async function told<N extends DeepOperationName>(operation: N, params: object = {}): Promise<OperationResult<N>> {
    return parseOperationResult(operation, (await ask(client, operation, params)).result, "hopper");
  }

  test("lists the procedures that the linker knows, with sizes, thunks and the entry point", async () => {
    const { items, total, coverage } = await told("list_procedures", { limit: 500 });
    expect(total).toBe(items.length);
    expect(coverage).toEqual({ state: "complete", omissions: [] });
    for (const name of ["main", "choose", "tell", "measure"]) {
      const item = items.find(({ value }) => value === name);
      expect(item).toMatchObject({ address: place(name), procedure: { external: false, thunk: false, name_source: "symbol" } });
      expect(item?.procedure.size).toBeGreaterThan(0);
    }
    expect(items.filter(({ procedure }) => procedure.sources.includes("entry")).map(({ value }) => value)).toEqual(["_start"]);
  });

  test("finds a procedure by entry and by name, and says which one holds an address inside", async () => {
    expect(await told("procedure_address", { procedure: "choose" })).toBe(place("choose"));
    expect(await told("procedure_info", { procedure: place("choose") })).toMatchObject({ name: "choose", entrypoint: place("choose"), signature: "int (void)" });
    const inside = `0x${(BigInt(place("choose")) + 1n).toString(16)}`;
    const refused = told("procedure_info", { procedure: inside });
    await expect(refused).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "target_not_found" }, action: `Pass ${place("choose")}, the entry of the procedure that holds the address.` });
    await expect(told("procedure_info", { procedure: "no such name" })).rejects.toMatchObject({ code: "target_unavailable" });
    expect(await told("resolve_containing_procedure", { address: inside })).toMatchObject({ found: true, procedure: { address: place("choose"), name: "choose" } });
    expect(await told("resolve_containing_procedure", { address: place("counter") })).toMatchObject({ found: false, reason: "not_in_procedure" });
    expect(await told("resolve_containing_procedure", { address: "0x10" })).toMatchObject({ found: false, reason: "outside_segments" });
  });

  test("joins callers, callees and references", async () => {
    const sorted = (names: readonly string[]): string[] => names.map(place).sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
    expect((await told("procedure_callers", { procedure: "choose" })).items).toEqual(sorted(["tell", "main"]));
    expect((await told("procedure_callees", { procedure: "main" })).items).toEqual(sorted(["tell", "choose"]));
    const { items: calls } = await told("xrefs", { address: place("choose") });
    const { references } = await told("procedure_references", { procedure: "choose", direction: "incoming" });
    expect(references.items.filter(({ to }) => to === place("choose"))).toEqual(calls.map((from) => ({ from, to: place("choose"), kind: "call", operand_index: null })));
    const outgoing = await told("procedure_references", { procedure: "tell", max_instructions: 3 });
    expect(outgoing).toMatchObject({ instructions_scanned: 3, instruction_scan_truncated: true, references: { coverage: { state: "partial" } } });
  });

  test("reads instructions and bytes as the file holds them", async () => {
    const file = readFileSync(sampleProgram());
    const { instructions } = await told("read_function_instructions", { procedure: "tell", limit: 500 });
    const [first] = instructions.items;
    const { file_offset: offset } = await told("address_to_file_offset", { address: place("tell") });
    const whole = instructions.items.map(({ bytes_hex }) => bytes_hex).join("");
    expect(first?.address).toBe(place("tell"));
    expect(whole).toBe(file.subarray(offset ?? 0, (offset ?? 0) + whole.length / 2).toString("hex"));
    expect((await told("procedure_assembly", { procedure: "tell" })).split("\n")).toHaveLength(instructions.items.length);
    const read = await told("read_bytes", { address: place("tell"), length: 16 });
    expect(read).toMatchObject({ bytes_hex: whole.slice(0, 32), complete: true });
    expect(await told("address_to_file_offset", { address: place("buffer") })).toMatchObject({ file_offset: null, reason: "The file does not store this address." });
    const last = (await told("list_segments", { limit: 500 })).items.at(-1)?.end ?? "0x0";
    const short = await ask(client, "read_bytes", { address: `0x${(BigInt(last) - 4n).toString(16)}`, length: 16 });
    expect(short).toMatchObject({ result: { returned_bytes: 4, complete: false }, limitations: ["Only 4 of 16 bytes are mapped from this address on."] });
  });

  test("walks from item to item, forth and back, to both ends", async () => {
    const { instructions } = await told("read_function_instructions", { procedure: "main", limit: 500 });
    const [first, second] = instructions.items.map(({ address }) => address);
    expect(await told("next_address", { address: first })).toBe(second);
    expect(await told("prev_address", { address: second })).toBe(first);
    const segments = (await told("list_segments")).items;
    expect(await told("prev_address", { address: segments[0]?.start })).toBeNull();
    expect(await told("next_address", { address: `0x${(BigInt(segments.at(-1)?.end ?? 0) - 1n).toString(16)}` })).toBeNull();
    expect(await told("goto_address", { address: place("tell") })).toBe(place("tell"));
    expect(await told("current_procedure")).toBe("tell");
    expect((await ask(client, "next_address")).resolved_parameters).toEqual({ address: place("tell") });
    await expect(told("goto_address", { address: "0x10" })).rejects.toMatchObject({ code: "invalid_request", details: { issues: [{ path: "address", reason: "out_of_range" }] } });
  });

  test("makes hostile text of the target visible, and cuts between whole characters", async () => {
    const names = await told("list_names", { address: place("counter") });
    expect(names.items).toMatchObject([{ value: "evil\\u{202e}\\u{7}name", value_truncated: false }]);
    expect((await told("list_names", { address: place("buffer") })).items).toMatchObject([{ value: "half \ufffd of a pair" }]);
    const { items } = await told("list_strings", { limit: 500 });
    const cut = items.find(({ value }) => value.startsWith("🙂"));
    expect(cut).toMatchObject({ value: "🙂".repeat(1_024), value_truncated: true, string: { encoding: "utf-8", byte_length: 4_800 } });
    expect(items.find(({ value }) => value === "привет 🙂")).toMatchObject({ string: { encoding: "utf-16le", byte_length: 18 } });
    expect(items).toContainEqual(expect.objectContaining({ value: "hello from the sample", value_truncated: false, string: { encoding: "ascii", byte_length: 21, terminated: true } }));
  });

  test("searches by text and by expression, and says what it did not look at", async () => {
    expect((await told("search_strings", { pattern: "HELLO" })).items).toMatchObject([{ value: "hello from the sample" }]);
    expect((await told("search_strings", { pattern: "HELLO", case_sensitive: true })).items).toEqual([]);
    expect((await told("search_procedures", { pattern: "^(?:ch|t)[a-z]{2,}l?e?$", mode: "regex" })).items.map(({ value }) => value).sort()).toEqual(["choose", "tell"]);
    const beyond = await told("search_strings", { pattern: "needle" });
    expect(beyond).toMatchObject({ items: [], coverage: { state: "partial", omissions: [{ scope: "strings", reason: "limit_entry_bytes", count: 1, limit: 4_096 }] } });
    for (const pattern of ["(?=a)", "(a)\\1", "[", "a{2000}", "(?<!a)b", "\\p{Script=Greek}", "(((a{1000}){1000}){1000})"]) {
      await expect(told("search_strings", { pattern, mode: "regex" }), pattern).rejects.toMatchObject({ code: "invalid_request", details: { issues: [{ path: "pattern", reason: "invalid_format" }] } });
    }
  });

  test("puts the dossier of a procedure together, each part of it a page", async () => {
    await told("set_comment", { address: place("tell"), comment: "first\nsecond" });
    const dossier = await told("analyze_function", { procedure: "tell", include_assembly: true, max_instructions: 5, max_pseudocode_chars: 7, limit: 2 });
    const { instructions } = await told("read_function_instructions", { procedure: "tell", limit: 500 });
    expect(dossier.procedure).toMatchObject({ address: place("tell"), name: "tell", signature: "int (void)", classification: { external: false } });
    expect(dossier.pseudocode).toMatchObject({ state: "available", value: { text: "int sub", offset: 0, returned_chars: 7, truncated: true, next_offset: 7 } });
    expect(dossier.assembly).toMatchObject({ state: "available", value: { offset: 0, truncated: true, next_offset: 5 } });
    expect(dossier.comments).toMatchObject({ value: { items: [{ address: place("tell"), kind: "comment", text: "first\nsecond" }] } });
    expect(dossier.callers).toMatchObject({ value: { items: [{ address: place("main"), name: "main" }] } });
    expect(dossier.native_api.state).toBe("unavailable");
    expect(dossier.instruction_scan).toEqual({ scanned: instructions.items.length, truncated: false });
    const whole = await told("analyze_function", { procedure: "tell", limit: 500, include_assembly: true, max_instructions: 5_000 });
    if (whole.basic_blocks.state !== "available" || whole.assembly.state !== "available") throw new Error("a facet is missing");
    const blocks = whole.basic_blocks.value.items;
    expect(blocks.reduce((sum, { instruction_count }) => sum + instruction_count, 0)).toBe(instructions.items.length);
    expect(blocks.some(({ successors }) => successors.some(({ kind }) => kind === "jump"))).toBe(true);
    expect(whole.assembly.value.text).toBe(await told("procedure_assembly", { procedure: "tell" }));
    const rest = await told("analyze_function", { procedure: "tell", limit: 500, collection_offset: { basic_blocks: 1 } });
    expect(rest.basic_blocks).toMatchObject({ value: { items: blocks.slice(1) } });
    const user = await told("analyze_function", { procedure: "choose", limit: 500 });
    expect(user.outgoing_references).toMatchObject({ state: "available", value: { truncated: false } });
    await told("set_comment", { address: place("tell"), comment: "" });
  });

  test("keeps what is noted in the document, and does not call a name set that was taken", async () => {
    const address = place("measure");
    expect(await told("set_comment", { address, comment: "two\nlines" })).toBe(true);
    expect(await told("comment", { address })).toBe("two\nlines");
    expect(await told("inline_comment", { address })).toBeNull();
    expect(await told("set_address_name", { address, name: "measure_text" })).toBe(true);
    expect(await told("procedure_address", { procedure: "measure_text" })).toBe(address);
    expect(await told("set_address_name", { address, name: "choose" })).toBe(false);
    const several = await told("set_addresses_names", { names: [{ address, name: "measure" }, { address: "0x10", name: "nowhere" }] });
    expect(several.items).toEqual([
      { address, ok: true, reason: null },
      { address: "0x10", ok: false, reason: "The address lies outside every segment." },
    ]);
    expect(await told("set_bookmark", { address, name: "here" })).toBe(true);
    expect((await told("list_bookmarks")).items).toEqual([{ address, name: "here" }]);
    expect([await told("unset_bookmark", { address }), await told("unset_bookmark", { address })]).toEqual([true, false]);
    await expect(told("set_comment", { address: "0x10", comment: "x" })).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("knows the one document of the target, and no other", async () => {
    expect((await told("list_documents")).items).toEqual(["sample"]);
    expect(await told("current_document")).toBe("sample");
    expect((await told("list_segments", { document: "sample" })).items.length).toBeGreaterThan(0);
    await expect(told("list_segments", { document: "another" })).rejects.toMatchObject({ code: "invalid_request", details: { issues: [{ path: "document" }] } });
  });

  test("tells how far it is, and never goes back", async () => {
    const updates: ProgressUpdate[] = [];
    const fresh = await clientOf(standInProvider({ analysis_ms: 1_500 }), targetOf(sampleProgram()));
    await ask(fresh, "list_procedures", {}, { progress: { report: (update) => void updates.push(update) } });
    expect(updates.map(({ phase }) => phase)).toEqual(expect.arrayContaining(["engine_start", "engine_connect", "engine_ready", "engine_analysis"]));
    for (const [index, update] of updates.entries()) expect(update.completed).toBeGreaterThanOrEqual(updates[index - 1]?.completed ?? 0);
    await fresh.close();
  });
});
