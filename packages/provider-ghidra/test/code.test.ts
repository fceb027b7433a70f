import { deepOperations } from "@rea/core";
import type { AnalysisClient } from "@rea/provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, GhidraBench, result } from "./ghidra-bench.js";
import { standInAbsent } from "./stub-installation.js";
import { smallProgram } from "./stub-program.js";

describe.skipIf(standInAbsent !== undefined)("code from Ghidra", () => {
  let bench: GhidraBench;
  let client: AnalysisClient;
  beforeAll(async () => {
    bench = new GhidraBench();
    client = await bench.open(smallProgram());
  });
  afterAll(async () => {
    await client.close();
    await bench.close();
  });

  it.each([
    ["0x401000", "0x401000"],
    ["0X00401040", "0x401040"],
    ["helper", "0x401040"],
    ["main_alias", "0x401000"],
    ["puts", "0x400800"],
    ["libc.so.6::puts", "0x400800"],
    ["KERNEL32.DLL::ExitProcess", "0x403000"],
    ["0x403000", "0x403000"],
  ])("a procedure is found by entry or exact name: %s", async (procedure, entry) => {
    expect(await result(client, "procedure_address", { procedure })).toBe(entry);
  });

  it("what is no entry or name is not found, with what holds the address", async () => {
    await expect(ask(client, "procedure_info", { procedure: "0x401004" })).rejects.toMatchObject({
      code: "target_unavailable",
      details: { reason: "target_not_found" },
      message: expect.stringContaining("Pass 0x401000"),
    });
    for (const procedure of ["0x999999", "hel", "HELPER", "0xffffffffffffffffffff", "\u202e"]) {
      await expect(ask(client, "procedure_info", { procedure }), procedure).rejects.toMatchObject({ code: "target_unavailable", details: { reason: "target_not_found" } });
    }
  });

  it("info tells signature and locals where Ghidra has them", async () => {
    expect(await result(client, "procedure_info", { procedure: "main" })).toEqual({
      name: "main",
      entrypoint: "0x401000",
      length: 32,
      basicblock_count: 2,
      signature: "int main(int argc, char * * argv)",
      locals: [{ description: "undefined8 local_10 at Stack[-0x10]:8", provenance: "analysis" }],
      classification: { external: false, thunk: false, thunk_target: null, provenance: "code of this program" },
    });
    const none = await ask(client, "procedure_info", { procedure: "helper" });
    expect(none).toMatchObject({ result: { signature: null }, limitations: [expect.stringContaining("no signature")], locations: [{ kind: "address", address: "0x401040" }] });
    expect(await result(client, "procedure_info", { procedure: "ExitProcess" })).toMatchObject({ length: null, basicblock_count: null, classification: { external: true } });
  });

  it("a listing shows what its operands lead to", async () => {
    const listing = await result(client, "procedure_assembly", { procedure: "main" });
    expect(listing).toBe(
      [
        "0x401000  PUSH RBP",
        "0x401001  MOV RBP,RSP",
        '0x401004  MOV EDI,0x402000  ; "hello, world"',
        "0x401009  CALL 0x00401040  ; helper",
        "0x40100e  CALL qword ptr [0x403000]",
        "0x401014  JNZ 0x00401000",
        "0x401016  RET",
      ].join("\n"),
    );
    const page = await result(client, "read_function_instructions", { procedure: "main", offset: 2, limit: 2 });
    expect(page).toMatchObject({
      procedure: "0x401000",
      instructions: { items: [{ address: "0x401004", bytes_hex: "bf00204000", text: "MOV EDI,0x402000", length: 5 }, { address: "0x401009" }], total: 7, next_offset: 4 },
      instructions_scanned: 2,
      instruction_scan_truncated: true,
    });
  });

  it("callers and callees are direct calls, imports at their places", async () => {
    expect(await result(client, "procedure_callees", { procedure: "main" })).toMatchObject({ items: ["0x401040", "0x403000"] });
    expect(await result(client, "procedure_callees", { procedure: "helper" })).toMatchObject({ items: ["0x400800"] });
    expect(await result(client, "procedure_callers", { procedure: "puts" })).toMatchObject({ items: ["0x401040"] });
    expect(await result(client, "procedure_callers", { procedure: "ExitProcess" })).toMatchObject({ items: ["0x401000"] });
    // The jumps of main itself and of helper call nothing.
    expect(await result(client, "procedure_callers", { procedure: "main" })).toMatchObject({ items: [], total: 0 });
    expect(await result(client, "xrefs", { address: "0x401000" })).toMatchObject({ items: ["0x401014", "0x401047"] });
    expect(await result(client, "xrefs", { address: "0x403000" })).toMatchObject({ items: ["0x40100e"] });
  });

  it("references tell their kinds, and a scan that was cut says so", async () => {
    expect(await result(client, "procedure_references", { procedure: "main" })).toMatchObject({
      direction: "outgoing",
      references: {
        items: [
          { from: "0x401004", to: "0x402000", kind: "address", operand_index: 1 },
          { from: "0x401009", to: "0x401040", kind: "call", operand_index: 0 },
          { from: "0x40100e", to: "0x403000", kind: "read", operand_index: 0 },
          { from: "0x401014", to: "0x401000", kind: "jump", operand_index: 0 },
        ],
        coverage: { state: "complete" },
      },
      instructions_scanned: 7,
      instruction_scan_truncated: false,
    });
    expect(await result(client, "procedure_references", { procedure: "main", max_instructions: 3 })).toMatchObject({
      references: { items: [{ to: "0x402000" }], coverage: { state: "partial", omissions: [{ reason: "limit_items", count: 4, limit: 3 }] } },
      instruction_scan_truncated: true,
    });
    expect(await result(client, "procedure_references", { procedure: "main", direction: "incoming" })).toMatchObject({
      references: { items: [{ from: "0x401014", to: "0x401000" }, { from: "0x401047", to: "0x401000", kind: "jump" }] },
    });
  });

  it.each([
    ["0x401004", { found: true, procedure: { address: "0x401000", name: "main" } }],
    ["0x401030", { found: false, reason: "not_in_procedure", procedure: null }],
    ["0x500000", { found: false, reason: "outside_segments", procedure: null }],
  ])("what holds %s", async (address, expected) => {
    expect(await result(client, "resolve_containing_procedure", { address })).toMatchObject(expected);
  });

  it.each([
    ["0x401004", "instruction", "0x401004"],
    ["0x401006", "mid_instruction", "0x401004"],
    ["0x402003", "data", null],
    ["0x401100", "undecodable", null],
    ["0x999999", "outside", null],
  ])("what stands at %s is %s", async (address, outcome, start) => {
    expect(await result(client, "inspect_native_instruction", { address })).toMatchObject({ outcome, instruction_start: start });
  });

  it("an instruction is taken apart", async () => {
    expect(await result(client, "inspect_native_instruction", { address: "0x401004" })).toEqual({
      outcome: "instruction",
      address: "0x401004",
      instruction_start: "0x401004",
      bytes_hex: "bf00204000",
      length: 5,
      text: "MOV EDI,0x402000",
      mnemonic: "MOV",
      operands: [
        { text: "EDI", kind: "register", access: "write" },
        { text: "0x402000", kind: "immediate", access: "read" },
      ],
      references: [{ from: "0x401004", to: "0x402000", kind: "address", operand_index: 1 }],
      flow: "sequential",
    });
  });

  it.each([
    ["0x401009", "direct", [{ address: "0x401040", name: "helper", basis: "direct call" }]],
    ["0x40100e", "resolved_indirect", [{ address: "0x403000", name: "ExitProcess", basis: "import slot" }]],
    ["0x401045", "unresolved", []],
    ["0x401047", "direct", [{ address: "0x401000", name: "main", basis: "direct jump to another procedure (tail call)" }]],
    ["0x401082", "not_a_call", []],
    ["0x401000", "not_a_call", []],
    ["0x401002", "not_a_call", []],
  ])("what a call at %s reaches: %s", async (address, outcome, targets) => {
    expect(await result(client, "resolve_native_call_targets", { address })).toMatchObject({ outcome, targets });
  });

  it("names of addresses are Ghidra's, but not its labels; without a cursor an address is needed", async () => {
    expect(await result(client, "address_name", { address: "0x401080" })).toBe("FUN_00401080");
    expect(await result(client, "address_name", { address: "0x403000" })).toBe("ExitProcess");
    expect(await result(client, "address_name", { address: "0x401010" })).toBeNull();
    await expect(ask(client, "address_name")).rejects.toMatchObject({ code: "invalid_request", details: { issues: [{ path: "address", reason: "missing_argument" }] } });
  });

  it("pseudocode is Ghidra's, and null for an import", async () => {
    const answer = await ask(client, "procedure_pseudo_code", { procedure: "main" });
    expect(answer).toMatchObject({ confidence: "inferred", result: expect.stringContaining('helper("hello, world");\n  return 0;') });
    expect(await result(client, "procedure_pseudo_code", { procedure: "puts" })).toBeNull();
  });

  it("a dossier joins all of it, each part by its own offset", async () => {
    const dossier = deepOperations.analyze_function.result.parse(await result(client, "analyze_function", { procedure: "main", include_assembly: true, max_instructions: 2, max_pseudocode_chars: 8, limit: 2, collection_offset: { outgoing_references: 2 } }));
    expect(dossier).toMatchObject({
      procedure: { address: "0x401000", name: "main", signature: "int main(int argc, char * * argv)" },
      pseudocode: { state: "available", value: { text: "int main", offset: 0, returned_chars: 8, truncated: true, next_offset: 8 } },
      assembly: { state: "available", value: { text: "0x401000  PUSH RBP\n0x401001  MOV RBP,RSP", truncated: true, next_offset: 2 } },
      comments: { value: { items: [{ address: "0x401000", kind: "comment", text: "where it\nbegins" }, { address: "0x401004", kind: "inline", text: "the greeting" }] } },
      callees: { value: { items: [{ address: "0x401040", name: "helper" }, { address: "0x403000", name: "ExitProcess" }] } },
      outgoing_references: { value: { items: [{ from: "0x40100e" }, { from: "0x401014" }], total: 4, truncated: false } },
      referenced_strings: { value: { items: [{ address: "0x402000", value: "hello, world", value_truncated: false }] } },
      referenced_names: { value: { items: [{ address: "0x401040", name: "helper" }, { address: "0x403000", name: "ExitProcess" }] } },
      basic_blocks: {
        value: {
          items: [
            { start: "0x401000", end: "0x401016", instruction_count: 6, successors: [{ address: "0x401000", kind: "branch" }, { address: "0x401016", kind: "fallthrough" }] },
            { start: "0x401016", end: "0x401017", instruction_count: 1, successors: [] },
          ],
        },
      },
      native_api: {
        value: {
          calling_convention: { name: "__stdcall" },
          parameters: [{ position: 0, location: "EDI:4" }, { position: 1, location: "RSI:8" }],
          return_type: "int",
          signature_source: "analysis",
        },
      },
      instruction_scan: { scanned: 7, truncated: false },
    });
    const rest = await result(client, "analyze_function", { procedure: "main", pseudocode_offset: 8 });
    expect(rest).toMatchObject({ pseudocode: { value: { offset: 8, truncated: false, text: expect.stringMatching(/^\(int argc/) } }, assembly: { state: "unavailable" } });
  });

  it("switches show their cases and where all others go", async () => {
    expect(await result(client, "analyze_function", { procedure: "0x401080" })).toMatchObject({
      native_api: {
        value: {
          calling_convention: null,
          return_type: null,
          jump_tables: [
            {
              jump: "0x401082",
              address: "0x402080",
              entry_bytes: 4,
              entries: 4,
              bound_basis: "decompiler",
              numbering: "value",
              lowest: "0",
              default: "0x401088",
              targets: [
                { address: "0x401084", cases: ["0..2"] },
                { address: "0x401086", cases: ["7"] },
              ],
            },
          ],
        },
      },
    });
  });
});

describe.skipIf(standInAbsent !== undefined)("imports of an ELF program", () => {
  it("stand at their stub or slot, not in the block that Ghidra makes up for them", async () => {
    const bench = new GhidraBench();
    const imported = (name: string, number: number) => [
      { name, entry: `EXTERNAL:0x${String(number)}`, namespace: "<EXTERNAL>" },
      { name, entry: `0x10500${String(number)}`, size: 1, thunk_of: `EXTERNAL:0x${String(number)}`, namespace: "<EXTERNAL>" },
    ];
    const client = await bench.open({
      blocks: [
        { name: ".text", start: "0x101000", size: 0x1000, permissions: "rx", file_offset: 0x1000 },
        { name: ".got", start: "0x103000", size: 0x100, permissions: "rw", file_offset: 0x3000 },
        { name: "EXTERNAL", start: "0x105000", size: 0x10, permissions: "rw" },
      ],
      functions: [
        ...imported("puts", 1),
        ...imported("free", 2),
        ...imported("lost", 3),
        { name: "puts", entry: "0x101000", size: 0x10, thunk_of: "0x105001" },
        { name: "main", entry: "0x101100", size: 0x20 },
      ],
      instructions: [
        { at: "0x101000", bytes: "ff25", text: "JMP qword ptr [0x103008]", flow: "computed_jump" },
        { at: "0x101100", bytes: "e8fbfeffff", text: "CALL 0x00101000", flow: "call" },
        { at: "0x101105", bytes: "ff1500000000", text: "CALL qword ptr [0x103000]", flow: "computed_call" },
      ],
      references: [
        { from: "0x101000", to: "0x105001", type: "computed_jump" },
        { from: "0x103008", to: "0x105001", type: "data" },
        { from: "0x103000", to: "0x105002", type: "data" },
        { from: "0x101100", to: "0x101000", type: "call" },
        { from: "0x101105", to: "0x105002", type: "computed_call" },
        { from: "0x101105", to: "0x103000", type: "indirection" },
      ],
    });
    const { items } = deepOperations.list_procedures.result.parse(await result(client, "list_procedures"));
    expect(items.map(({ address, value, procedure }) => [address, value, procedure.external])).toEqual([
      ["0x101000", "puts", true],
      ["0x101100", "main", false],
      ["0x103000", "free", true],
      ["0x105003", "lost", true],
    ]);
    const names = deepOperations.list_names.result.parse(await result(client, "list_names"));
    expect(names.items.map(({ address, value }) => `${address} ${value}`)).toEqual(["0x101000 puts", "0x101100 main", "0x103000 free", "0x105003 lost"]);
    expect(await result(client, "procedure_callees", { procedure: "main" })).toMatchObject({ items: ["0x101000", "0x103000"] });
    for (const procedure of ["free", "0x105002", "0x103000"]) {
      expect(await result(client, "procedure_callers", { procedure }), procedure).toMatchObject({ items: ["0x101100"] });
    }
    expect(await result(client, "procedure_address", { procedure: "puts" })).toBe("0x101000");
    expect(await result(client, "resolve_native_call_targets", { address: "0x101105" })).toMatchObject({
      outcome: "resolved_indirect",
      targets: [{ address: "0x103000", name: "free", basis: "import slot" }],
    });
    expect(await result(client, "list_segments")).toMatchObject({ items: [{}, {}, { name: "EXTERNAL", provenance: "made up by Ghidra for imports" }] });
    await client.close();
    await bench.close();
  });
});
