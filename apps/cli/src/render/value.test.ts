import { expect, test } from "vitest";
import { renderValue } from "./value.js";
import { styleFor } from "./style.js";

const options = { width: 80, style: styleFor(false) };

test("a page shows its rows, how much there is and how to go on", () => {
  const page = { items: [{ address: "0x10", name: "a" }, { address: "0x20", name: null }], coverage: { state: "complete", omissions: [] }, offset: 0, limit: 2, total: 9, next_offset: 2, has_more: true };
  expect(renderValue(page, options)).toBe(["address  name", "0x10     a", "0x20", "2 shown of 9; continue with --offset 2", ""].join("\n"));
});

test("an empty list that is not complete is never worded as none", () => {
  const page = { items: [], coverage: { state: "partial", omissions: [{ scope: "code", reason: "analysis_incomplete", count: 12, limit: null, how_to_continue: null }] }, offset: 0, limit: 2, total: null, next_offset: null, has_more: false };
  const text = renderValue(page, options);
  expect(text).toContain("not everything was examined");
  expect(text).toContain("code: analysis_incomplete (12)");
  expect(text).toContain("no match in what was examined");
  expect(text).not.toMatch(/none|empty/i);
  expect(renderValue({ edges: [], coverage: page.coverage }, options)).toContain("edges: no match in what was examined");
  expect(renderValue({ ...page, coverage: { state: "complete", omissions: [] } }, options)).toBe("no match\n");
});

test("an unavailable facet says why, an available one shows its value", () => {
  expect(renderValue({ pseudocode: { state: "unavailable", reason: "not offered", remediation: "x" }, size: { state: "available", value: { text: "4" } } }, options)).toBe(
    "pseudocode\n  unavailable: not offered\nsize\n  text: 4\n",
  );
});

test("long lines are cut to the terminal's width on a code point", () => {
  const text = renderValue({ name: "😀".repeat(60) }, { ...options, width: 20 });
  expect([...text.trimEnd()]).toHaveLength(20);
  expect(text).not.toContain("�");
});

test("what the call itself reports is none, not unexamined, when its list is empty", () => {
  const partial = { state: "partial", omissions: [] };
  expect(renderValue({ matches: [], failures: [], coverage: partial }, options)).toContain("matches: no match in what was examined\nfailures: none\n");
});
