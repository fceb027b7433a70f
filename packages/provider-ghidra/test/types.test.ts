import type { AnalysisClient } from "@rea/provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, GhidraBench, result } from "./ghidra-bench.js";
import { standInAbsent } from "./stub-installation.js";
import { smallProgram } from "./stub-program.js";

describe.skipIf(standInAbsent !== undefined)("types from Ghidra", () => {
  let bench: GhidraBench;
  let client: AnalysisClient;
  beforeAll(async () => {
    bench = new GhidraBench();
    client = await bench.open(
      smallProgram({
        types: [
          { name: "int", size: 4, alignment: 4 },
          { name: "node *", kind: "pointer", size: 8, alignment: 8 },
          { name: "int:3", kind: "bits", to: "int", size: 1, bit_offset: 2, bit_size: 3 },
          {
            name: "node",
            kind: "struct",
            path: "/graph/node",
            size: 24,
            alignment: 8,
            packing: -1,
            fields: [
              { offset: 0, name: "next", type: "node *" },
              { offset: 8, name: "value", type: "int" },
              { offset: 12, name: "flags", type: "int:3" },
              { offset: 16, type: "int" },
            ],
          },
          { name: "node", kind: "struct", path: "/other/node", size: 1, packing: 1, fields: [] },
          { name: "either", kind: "union", size: 4, fields: [{ offset: 0, name: "number", type: "int" }] },
          { name: "color", kind: "enum", size: 4, values: [{ name: "RED", value: 0 }, { name: "NONE", value: -1 }] },
          { name: "node_t", kind: "typedef", to: "node", size: 24 },
          { name: "void", size: 0 },
          { name: "text", kind: "string" },
        ],
        data: [{ at: "0x403040", length: 24, type: "node" }],
      }),
    );
  });
  afterAll(async () => {
    await client.close();
    await bench.close();
  });

  it("are laid out by name", async () => {
    const node = await ask(client, "inspect_native_data_type", { type: "struct graph::node" });
    expect(node.limitations).toEqual([]);
    expect(node.result).toEqual({
      name: "node",
      kind: "struct",
      declaration: "struct node",
      size: 24,
      alignment: 8,
      packed: false,
      fields: [
        { offset: 0, name: "next", type: "node *", size: 8, bit_offset: null, bit_size: null, role: "member" },
        { offset: 8, name: "value", type: "int", size: 4, bit_offset: null, bit_size: null, role: "member" },
        { offset: 12, name: "flags", type: "int", size: 4, bit_offset: 2, bit_size: 3, role: "member" },
        { offset: 16, name: null, type: "int", size: 4, bit_offset: null, bit_size: null, role: "member" },
      ],
      enumerators: [],
      referenced_types: ["int", "node *"],
    });
    expect(await result(client, "inspect_native_data_type", { type: "other::node" })).toMatchObject({ size: 1, packed: true });
    expect((await ask(client, "inspect_native_data_type", { type: "node" })).limitations).toEqual([expect.stringContaining("Several different types")]);
  });

  it.each([
    ["either", { kind: "union", declaration: "union either", packed: null }],
    ["color", { kind: "enum", enumerators: [{ name: "RED", value: "0" }, { name: "NONE", value: "-1" }] }],
    ["node_t", { kind: "typedef", declaration: "typedef node node_t", fields: [{ name: "next" }, { name: "value" }, { name: "flags" }, { name: null }] }],
    ["node *", { kind: "pointer", size: 8 }],
    ["void", { kind: "void", size: 0 }],
    ["text", { kind: "string", size: null }],
    ["int", { kind: "base", size: 4, declaration: "int" }],
  ])("of every kind: %s", async (type, expected) => {
    expect(await result(client, "inspect_native_data_type", { type })).toMatchObject(expected);
  });

  it("are found by the address of a variable or a function, and what is none is unknown with the reason", async () => {
    expect(await result(client, "inspect_native_data_type", { address: "0x403040" })).toMatchObject({ name: "node", kind: "struct" });
    expect((await ask(client, "inspect_native_data_type", { address: "0x403048" })).limitations).toEqual(["The address is 8 bytes into the variable."]);
    expect(await result(client, "inspect_native_data_type", { address: "0x401000" })).toMatchObject({
      name: "main",
      kind: "function",
      declaration: "int main(int argc, char * * argv)",
      fields: [{ name: "argc", role: "parameter", offset: null }, { name: "argv" }],
      referenced_types: ["char * *", "int"],
    });
    for (const question of [{ type: "nothing" }, { type: "::" }, { address: "0x404000" }]) {
      expect(await ask(client, "inspect_native_data_type", question)).toMatchObject({ result: { kind: "unknown", name: null }, limitations: [expect.any(String)] });
    }
  });
});
