import { afterAll, describe, expect, test } from "vitest";
import { EngineRoom, typed, type Asker } from "./engine-room.js";

const source = `
#include <stdlib.h>
struct node { struct node *next; int weight : 5; char name[12]; };
struct node root; int counters[4]; int g;
__attribute__((noinline)) int scale(int x, int k) { return x * k + 7; }
__attribute__((noinline)) int pick(const char *text, int length) { int total = 0; for (int i = 0; i < length; i++) total += text[i]; g = total; return scale(total, length); }
__attribute__((noinline)) double mean(double first, float second, int third, const struct node *of) { root.next = (struct node *)of; return (first + second) / third; }
int main(int argc, char **argv) { if (argc < 2) return 1; int count = atoi(argv[1]); counters[count & 3] = (int)mean(count, 2.5f, argc, &root); return scale(pick(argv[1], count), 3); }
`;

const room = new EngineRoom();
afterAll(() => room.close());
const file = room.build("program", source, ["-g", "-O1"]);
const plain = room.build("plain", source, ["-O1"]);

describe.skipIf(file === undefined || plain === undefined)("a program with debug information", () => {
  const asker = new Map<string, Promise<Asker>>();
  const ask = async (operation: Parameters<Asker>[0], question: object, from = file ?? "") => {
    const known = asker.get(from) ?? room.open(from);
    asker.set(from, known);
    return await (await known)(operation, question);
  };
  const addressOf = async (name: string): Promise<string> => {
    const found = typed("list_names", (await ask("list_names", { limit: 500 })).result);
    return found.items.find(({ value }) => value === name)?.address ?? "";
  };

  test("tells the layout of a type by name and by the address of a variable", async () => {
    const named = typed("inspect_native_data_type", (await ask("inspect_native_data_type", { type: "struct node" })).result);
    expect(named).toMatchObject({ name: "node", kind: "struct", size: 24, alignment: 8, packed: false, referenced_types: ["char [12]", "int", "struct node *"] });
    expect(named.fields.map(({ name, offset, size, bit_offset, bit_size }) => [name, offset, size, bit_offset, bit_size])).toEqual([
      ["next", 0, 8, null, null],
      ["weight", 8, 4, 0, 5],
      ["name", 9, 12, null, null],
    ]);
    const variable = typed("inspect_native_data_type", (await ask("inspect_native_data_type", { address: await addressOf("counters") })).result);
    expect(variable).toMatchObject({ kind: "array", declaration: "int counters[4]", size: 16, fields: [] });
    const fn = typed("inspect_native_data_type", (await ask("inspect_native_data_type", { address: await addressOf("pick") })).result);
    expect(fn).toMatchObject({ kind: "function", declaration: "int pick(const char *, int)" });
    expect(fn.fields.map(({ name, type, role }) => [name, type, role])).toEqual([["text", "const char *", "parameter"], ["length", "int", "parameter"]]);
  });

  test("says unknown, with the reason, where there is no such type or no debug information", async () => {
    const missing = await ask("inspect_native_data_type", { type: "nothing_of_the_kind" });
    expect(missing.result).toMatchObject({ name: null, kind: "unknown", fields: [] });
    expect(missing.limitations.join(" ")).toContain("no type of that name");
    const without = await ask("inspect_native_data_type", { type: "node" }, plain);
    expect(without.result).toMatchObject({ kind: "unknown" });
    expect(without.limitations.join(" ")).toContain("no debug information");
  });

  test.each([[{}], [{ type: "node", address: "0x1000" }]])("takes exactly one of type and address, not %j", async (question) => {
    await expect(ask("inspect_native_data_type", question)).rejects.toThrow("exactly one");
  });

  test("gives functions their prototypes, in dossiers and in C", async () => {
    const dossier = typed("analyze_function", (await ask("analyze_function", { procedure: "mean" })).result);
    expect(dossier.procedure.signature).toBe("double mean(double first, float second, int third, const struct node *of)");
    const api = dossier.native_api.state === "available" ? dossier.native_api.value : undefined;
    expect(api?.return_type).toBe("double");
    expect(api?.signature_source).toContain("debug information");
    expect(api?.parameters.map(({ name, type, location }) => [name, type, location])).toEqual([
      ["first", "double", "xmm0"],
      ["second", "float", "xmm1"],
      ["third", "int", "rdi"],
      ["of", "const struct node *", "rsi"],
    ]);
    const lines = dossier.pseudocode.state === "available" ? dossier.pseudocode.value.lines : undefined;
    const ownLine = source.slice(0, source.indexOf("double mean(")).split("\n").length;
    expect(lines?.map((each) => each.source)).toEqual(lines?.map(() => ({ file: "program.c", line: ownLine })));
    const text = String((await ask("procedure_pseudo_code", { procedure: "pick" })).result);
    expect(text).toContain("int32_t pick(const char *text, int32_t length) {");
    expect(text).toContain("int32_t total;");
    expect(String((await ask("procedure_pseudo_code", { procedure: "pick" }, plain)).result)).toContain("pick(const char *arg1, int32_t arg2)");
  });

  test("shows what a result is made of, over the calls", async () => {
    const trace = typed("trace_native_values", (await ask("trace_native_values", { procedure: "pick" })).result);
    const texts = trace.nodes.map(({ kind, text }) => `${kind}: ${text}`);
    expect(texts).toContain("return: ((x * k) + 7)");
    expect(texts).toContain("parameter: length");
    expect(texts.some((text) => text.startsWith("argument: pick argument 2"))).toBe(true);
    const ids = new Set(trace.nodes.map(({ id }) => id));
    expect(trace.edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
    expect(new Set(trace.frontier.map(({ reason }) => reason))).toEqual(new Set(["library_function", "memory", "no_known_caller"]));
    expect(trace.coverage.state).toBe("partial");
  });

  test("shows where parameters go, and stays inside its bounds", async () => {
    const trace = typed("trace_native_values", (await ask("trace_native_values", { procedure: "scale", direction: "forward" })).result);
    expect(trace.nodes.some(({ kind, text }) => kind === "call_result" && text.includes("pick("))).toBe(true);
    const small = typed("trace_native_values", (await ask("trace_native_values", { procedure: "pick", max_nodes: 3, max_procedures: 1 })).result);
    expect(small.nodes).toHaveLength(3);
    expect(small.frontier.some(({ reason }) => reason === "node_limit")).toBe(true);
    expect(small.coverage.omissions.map(({ scope }) => scope)).toContain("nodes");
  });

  test("is written with the same bytes in whatever order and by how many workers its functions are asked for", async () => {
    const names = ["main", "mean", "pick", "scale"];
    const texts = async (order: readonly string[], workers: number): Promise<ReadonlyMap<string, string>> => {
      const askers = await Promise.all(Array.from({ length: workers }, () => room.open(file ?? "")));
      const found = await Promise.all(order.map(async (name, index) => {
        const { result } = await (askers[index % workers] ?? ask)("procedure_pseudo_code", { procedure: name });
        return [name, String(result)] as const;
      }));
      return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
    };
    const first = await texts(names, 1);
    expect(await texts([...names].reverse(), 1)).toEqual(first);
    expect(await texts(names, 2)).toEqual(first);
    expect(await texts(["pick", "scale", "main", "mean"], 3)).toEqual(first);
  });
});
