import { addressInput, evidenceInput, z } from "@rea/core";
import { describe, expect, it } from "vitest";
import {
  catalogueViolations,
  defineTool,
  effectClasses,
  inputFromArguments,
  toCatalogue,
  toCatalogueEntry,
  toCommandLine,
  toMarkdown,
  type Tool,
} from "./index.js";

const definition = {
  name: "look_closer",
  family: "enhanced",
  description: "Returns what is there. Continue with look_away.",
  input: z.strictObject({
    address: addressInput.describe("Where"),
    max_items: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(5).describe("How many | at most"),
    direction: z.enum(["forward", "backward"]).default("forward").describe("Which way"),
    kinds: z.array(z.enum(["call", "jump"])).optional().describe("Kinds wanted"),
    names: z.array(z.strictObject({ name: z.string().max(9).describe("Name") })).optional().describe("Names"),
    left: evidenceInput.optional().describe("Record"),
    out_path: z.string().optional().describe("Where to write"),
    deep: z.boolean().default(false).describe("Go deep"),
  }),
  output: z.strictObject({ items: z.array(z.strictObject({ at: z.string() })), note: z.string().nullable() }),
  effects: effectClasses.engineEvidence,
  evidence: true,
  requires: ["xrefs"],
  target: { kinds: ["executable"], path_input: false },
  paths: ["out_path"],
  cli: { command: "look", target: "open", positionals: ["address"] },
  examples: [{ title: "Look", input: { address: "0x1000" } }],
  run: () => Promise.reject(new Error("not called")),
} as const;
const tool: Tool = defineTool<z.ZodObject, z.ZodType, "xrefs">(definition);

describe("the catalogue entry", () => {
  const entry = toCatalogueEntry(tool);

  it("shows addresses as an anchored pattern and keeps what callers may write", () => {
    expect(entry.inputSchema.properties?.["address"]).toEqual({
      type: "string",
      description: "Where",
      pattern: "^0[xX][0-9a-fA-F]{1,32}$",
    });
    expect(entry.inputSchema.required).toEqual(["address"]);
  });

  it("closes objects at every level but leaves Evidence inputs open", () => {
    expect(entry.inputSchema.additionalProperties).toBe(false);
    expect(entry.inputSchema.properties?.["names"]?.items?.additionalProperties).toBe(false);
    expect(entry.inputSchema.properties?.["left"]).toEqual({
      type: "object",
      description: "Record",
      properties: { evidence_id: { type: "string", pattern: "^ev_[0-9a-f]{64}$" } },
      required: ["evidence_id"],
    });
  });

  it("leaves out bounds that say nothing", () => {
    expect(JSON.stringify(entry)).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(entry.inputSchema.properties?.["max_items"]).toMatchObject({ type: "integer", minimum: 0, default: 5 });
  });

  it("declares only the envelope of the output", () => {
    expect(entry.outputSchema).toEqual({
      type: "object",
      properties: { result: { type: "object" }, evidence_id: { type: "string" }, evidence: { type: "object" } },
      required: ["result", "evidence_id", "evidence"],
    });
  });

  it("gives scalar and nullable results their own types", () => {
    const of = (output: z.ZodType) => toCatalogueEntry({ ...tool, output }).outputSchema.properties?.["result"]?.type;
    expect(of(z.string().nullable())).toEqual(["string", "null"]);
    expect(of(z.boolean())).toBe("boolean");
    expect(of(z.discriminatedUnion("s", [z.strictObject({ s: z.literal("a") }), z.strictObject({ s: z.literal("b") })]))).toBe("object");
  });

  it("derives title and hints from name and effects", () => {
    expect(entry.title).toBe("Look closer");
    expect(entry.annotations).toEqual({
      title: "Look closer",
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    });
  });

  it("is sorted by name in the catalogue", () => {
    const names = toCatalogue([{ ...tool, name: "b" }, { ...tool, name: "a_b" }, { ...tool, name: "a" }]).map(({ name }) => name);
    expect(names).toEqual(["a", "a_b", "b"]);
  });
});

describe("the discipline check", () => {
  const violations = (input: z.ZodObject, more: Partial<Tool> = {}) => catalogueViolations(toCatalogue([{ ...tool, ...more, input }]));

  it("finds nothing wrong with a clean tool", () => {
    expect(catalogueViolations(toCatalogue([tool]))).toEqual([]);
  });

  it.each([
    ["a union", z.strictObject({ a: z.union([z.string(), z.strictObject({ b: z.string() })]) }), "input.a uses anyOf"],
    ["a null", z.strictObject({ a: z.string().nullable() }), "input.a has several types"],
    ["an open object", z.strictObject({ a: z.looseObject({ b: z.string() }) }), "input.a accepts unknown keys"],
    ["a loose pattern", z.strictObject({ a: z.string().regex(/x+/) }), "input.a has a loose pattern"],
    ["a look-around", z.strictObject({ a: z.string().regex(/^(?!x)y$/) }), "input.a has a look-around"],
    ["a long field description", z.strictObject({ a: z.string().describe("x".repeat(81)) }), "input.a has a long description"],
    ["an untyped field", z.strictObject({ a: z.unknown() }), "input.a has no type"],
    ["a number enum", z.strictObject({ a: z.literal([1, 2]) }), "input.a has an enum of non-strings"],
  ])("reports %s", (_title, input, message) => {
    expect(violations(input)).toContain(`look_closer: ${message}`);
  });

  it("counts objects and arrays on the way down, and allows six", () => {
    const nested = (levels: number): z.ZodType => (levels === 0 ? z.string() : z.array(nested(levels - 1)));
    expect(violations(z.strictObject({ a: nested(5) }))).toEqual([]);
    expect(violations(z.strictObject({ a: nested(6) }))).toEqual(["look_closer: input.a[][][][][] is nested deeper than allowed"]);
  });

  it("reports two tools of one name, a long description and a tool that is too big", () => {
    expect(catalogueViolations(toCatalogue([tool, tool]))).toContain("two tools share a name");
    expect(violations(definition.input, { description: "x".repeat(401) })).toContain("look_closer: the description is too long");
    const fields = Array.from({ length: 200 }, (_, index) => [`field_${String(index)}`, z.string().describe("y".repeat(60))] as const);
    expect(violations(z.strictObject(Object.fromEntries(fields))).join()).toMatch(/look_closer: it has \d+ bytes/);
  });
});

describe("the command line", () => {
  const line = toCommandLine(tool);

  it("names command, target and positionals as the tool says", () => {
    expect(line).toMatchObject({ command: "look", target: "open", tool: "look_closer" });
    expect(line.positionals.map(({ field }) => field)).toEqual(["address"]);
    expect(line.options.map(({ flag }) => flag)).not.toContain("address");
  });

  it("describes every other field as a kebab-case option with type, choices and default", () => {
    const option = (flag: string) => line.options.find((item) => item.flag === flag);
    expect(option("max-items")).toMatchObject({ field: "max_items", type: "integer", default: 5, minimum: 0, required: false });
    expect(option("direction")).toMatchObject({ type: "string", choices: ["forward", "backward"], default: "forward" });
    expect(option("kinds")).toMatchObject({ type: "string", array: true, choices: ["call", "jump"] });
    expect(option("names")).toMatchObject({ type: "json", array: false });
    expect(option("left")).toMatchObject({ type: "evidence" });
    expect(option("out-path")).toMatchObject({ type: "string", path: true });
    expect(option("deep")).toMatchObject({ type: "boolean", default: false });
  });

  it("gives tools without a command their own name, and keeps the path of the target out of the options", () => {
    const input = z.strictObject({ path: z.string().optional().describe("Path") });
    const general = toCommandLine({ ...tool, cli: null, input, target: { kinds: ["executable"], path_input: true } });
    expect(general).toMatchObject({ command: "look-closer", target: "input", positionals: [], options: [] });
  });

  it("turns parsed values back into the tool's input and leaves absent ones out", () => {
    expect(inputFromArguments(tool, { "max-items": 3, address: "0x1", nonsense: 1 })).toEqual({ address: "0x1", max_items: 3 });
  });
});

describe("the reference", () => {
  const text = toMarkdown([tool]);

  it("states inputs with bounds and defaults, effects, needs, command, result and example", () => {
    expect(text).toContain("### `look_closer`");
    expect(text).toContain("| `max_items` | integer (0..) | 5 | How many \\| at most |");
    expect(text).toContain("| `names[].name` | string (..9) | required | Name |");
    expect(text).toContain("- Effects: idempotent, may start a process or use the network, produces Evidence");
    expect(text).toContain("- Needs: `xrefs`");
    expect(text).toContain("- Command: `rea look PATH ADDRESS`");
    expect(text).toContain("Result: {`items`: list of {at}, `note`: string or null}");
    expect(text).toContain('"address": "0x1000"');
  });

  it("is the same for any order of the tools", () => {
    const other = { ...tool, name: "another" };
    expect(toMarkdown([tool, other])).toBe(toMarkdown([other, tool]));
  });
});
