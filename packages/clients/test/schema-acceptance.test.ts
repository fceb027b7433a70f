import { jsonObject, z } from "@rea/core";
import { modelRules, modelViolations } from "@rea/clients";
import { toCatalogue } from "@rea/tool";
import { tools } from "@rea/tools";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import { expect, test } from "vitest";

const catalogue = z.array(jsonObject).parse(JSON.parse(JSON.stringify(toCatalogue(tools))));

const strict = { strict: true, strictTypes: true, strictTuples: true, strictRequired: true, allErrors: true } as const;
const drafts = [
  ["draft-07", () => new Ajv.default(strict)],
  ["2020-12", () => new Ajv2020.default(strict)],
] as const;

for (const [draft, create] of drafts) {
  test(`every schema compiles under strict ${draft}, and takes each example of its tool`, () => {
    const ajv = create();
    for (const tool of tools) {
      const entry = catalogue.find(({ name }) => name === tool.name);
      const input = ajv.compile(jsonObject.parse(entry?.["inputSchema"]));
      for (const { input: example } of tool.examples) expect(input(example), `${tool.name}: ${JSON.stringify(input.errors)}`).toBe(true);
      expect(input({ ...tool.examples[0].input, unexpected_key: 1 }), tool.name).toBe(false);
      // A result may be of several types; strict mode wants such a list to be said so.
      const output = create === drafts[0][1] ? new Ajv.default({ ...strict, allowUnionTypes: true }) : new Ajv2020.default({ ...strict, allowUnionTypes: true });
      output.compile(jsonObject.parse(entry?.["outputSchema"]));
    }
  });
}

for (const rules of modelRules) {
  test(`${rules.label} takes every tool by what it documents`, () => {
    expect(rules.sources.length).toBeGreaterThan(0);
    expect(rules.sources.every((source) => source.startsWith("https://"))).toBe(true);
    expect(modelViolations(rules, catalogue)).toEqual([]);
  });
}

const tool = (inputSchema: object, name = "a_tool") => [jsonObject.parse({ name, description: "d", inputSchema: { type: "object", properties: {}, ...inputSchema } })];
const rulesOf = (id: string) => {
  const found = modelRules.find((rules) => rules.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

test("each rule is broken by a tool that breaks it", () => {
  const deep = (levels: number): object => (levels === 0 ? { type: "string" } : { type: "object", properties: { a: deep(levels - 1) } });
  const broken: readonly (readonly [string, readonly ReturnType<typeof jsonObject.parse>[], RegExp])[] = [
    ["anthropic", tool({}, "n".repeat(60)), /name is not/],
    ["anthropic", tool({ anyOf: [] }), /root uses anyOf/],
    ["anthropic", tool({ properties: { "a b": { type: "string" } } }), /name that is not taken/],
    ["gemini", tool({ properties: { a: { type: "string", const: "x" } } }), /uses const/],
    ["gemini", tool({ properties: { a: { type: "integer", enum: [1] } } }), /no texts/],
    ["gemini", tool({ properties: { "1a": { type: "string" } } }), /name that is not taken/],
    ["moonshot", tool({ properties: { a: {} } }), /names no type/],
    ["moonshot", tool({ properties: { a: true } }), /is no object/],
    ["moonshot", tool({ properties: { a: { type: "object", anyOf: [] } } }), /type beside anyOf/],
    ["moonshot", Array.from({ length: 129 }, () => tool({})).flat(), /129 tools/],
    ["openai", tool({ properties: { a: deep(12) } }), /nested too deeply/],
    ["openai", tool({ properties: { a: { type: "string", enum: Array.from({ length: 1001 }, String) } } }), /too many values/],
    ["openai", [jsonObject.parse({ name: "x", description: "d".repeat(1025), inputSchema: { type: "object", properties: {} } })], /description is too long/],
    ["openai", tool({ $ref: "#" }), /uses \$ref/],
    ["openai", [jsonObject.parse({ name: "x", description: "", inputSchema: { type: "array" } })], /no object at its root/],
  ];
  for (const [id, tools_, text] of broken) expect(modelViolations(rulesOf(id), tools_).join("\n"), id).toMatch(text);
});
