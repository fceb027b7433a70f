import type { Overview } from "@rea/tools";
import { expect, test } from "vitest";
import { renderOverviewPage } from "./overview-page-text.js";
import { styleFor } from "./style.js";

const overview: Overview = {
  document: "one",
  format: null,
  architecture: "x86_64",
  procedure_count: 1,
  string_count: null,
  name_count: 0,
  segment_count: 1,
  segments: [],
  entry_points: [{ address: "0xffffffffffffffff", name: null, kind: "entry" }],
  detail: "detailed",
  largest_procedures: [{ address: "0xffffffffffffffff", name: "proc_ffffffffffffffff", size: 1 }],
  coverage: { state: "complete", omissions: [] },
  limitations: ["A limit of the analysis."],
};

test("raw machine code gets a page of what analysis found, with commands that open it the same way", () => {
  const openedWith = ["--raw-architecture", "x86_64", "--raw-base", "0xffffffffffffffff"];
  const text = renderOverviewPage(overview, { bytes: 1, sha256: "ab" }, { path: "-one", width: 110, style: styleFor(false), openedWith });
  for (const part of ["x86_64", "1 functions, 0 names, 1 segments", "0xffffffffffffffff (entry)", "Largest functions", "A limit of the analysis."]) expect(text).toContain(part);
  expect(text).toContain("rea function ./-one 0xffffffffffffffff --raw-architecture x86_64 --raw-base 0xffffffffffffffff");
  expect(text).not.toContain("Not an executable");
  expect(text).not.toContain("null");
});
