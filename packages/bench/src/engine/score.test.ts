import { expect, test } from "vitest";
import { truthSchema } from "../corpus/truth.js";
import type { Findings } from "./analyse-file.js";
import { groupReports } from "./group-report.js";
import { score } from "./score.js";

const truth = truthSchema.parse({
  text: [0x1000, 0x1100],
  functions: [{ start: 0x1010, size: 0x20 }, { start: 0x1040, size: 0x10 }, { start: 0x1080 }],
  cold_parts: [{ start: 0x1060 }],
  crt: [0x1000],
  fill: [[0x1028, 0x1030], [0x10a0, 0x1100]],
  relocations: [{ at: 0x1015, to: 0x1040, code: true }, { at: 0x1042, to: 0x2000, code: false }],
  call_sites: [{ after: 0x1019, to: [0x1040, 0x1050] }],
  switch_tables: 2,
});

const nothing: Findings = { analysisMs: [5], peakMiB: 1, codeBytes: 0x100, starts: [], stubs: [], ranges: [], references: [], pointers: [], switches: 0, unresolved: 0 };

test("starts that are neither functions nor neutral count against precision, functions not found against recall", () => {
  const { precision, recall } = score(truth, { ...nothing, starts: [0x1000, 0x1010, 0x1044, 0x1060, 0x3000], stubs: [0x1080, 0x1090] });
  expect(precision).toEqual({ right: 2, all: 3 });
  expect(recall).toEqual({ right: 2, all: 3 });
});

test("code is the functions without fill; a function of unknown size reaches to what comes next", () => {
  const { codeFound, codeRight } = score(truth, { ...nothing, ranges: [[0x1000, 0x1050], [0x1060, 0x1070]] });
  expect(codeFound).toEqual({ right: 0x18 + 0x10, all: 0x18 + 0x10 + 0x20 });
  // Between the two functions lies what belongs to none.
  expect(codeRight).toEqual({ right: 0x18 + 0x10, all: 0x18 + 0x10 + 0x10 });
});

test("a reference counts for the instruction that holds the relocated field or ends at the call's return", () => {
  const found = score(truth, { ...nothing, references: [0x1014, 0x1040] });
  expect(found.relocations).toEqual({ right: 1, all: 2 });
  expect(found.callSites).toEqual({ right: 1, all: 1 });
  expect(score(truth, { ...nothing, references: [0x1014, 0x1048] }).callSites).toEqual({ right: 0, all: 1 });
});

test("words of data that hold no address count as those that were not found do", () => {
  const told = truthSchema.parse({ ...truth, pointers: { sections: [[0x3000, 0x3020]], cells: [{ at: 0x3000, to: 0x1010 }, { at: 0x3008, to: 0x1040 }] } });
  const { pointers } = score(told, { ...nothing, pointers: [0x3000, 0x1010, 0x3010, 0x1040, 0x3020, 0x1040] });
  expect(pointers).toEqual({ right: 1, all: 3 });
});

test("a group pools its programs and names every figure below its target", () => {
  const row = { name: "one", group: "unwind", codeBytes: 1, switches: 0, unresolved: 0, coldMs: 1, warmMs: 1, objdumpMs: null, peakMiB: 1 } as const;
  const [report] = groupReports([
    { ...row, score: score(truth, { ...nothing, starts: [0x1010, 0x1040, 0x1080], ranges: [[0x1010, 0x1030], [0x1040, 0x1050], [0x1080, 0x1100]] }) },
    { ...row, score: score(truth, nothing) },
    { name: "two", group: "PE", skipped: "no compiler" },
  ]);
  expect(report).toMatchObject({ group: "unwind", programs: 2, recall: { right: 3, all: 6 }, missed: ["recall", "code found"] });
});
