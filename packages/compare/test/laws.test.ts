import type { Evidence, ReconstructionClaim } from "@rea/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareBundles, compareFunctions, correlate, findChangedBehavior, verifyReconstruction, type BundleContents } from "../src/index.js";
import { files, runs, type State } from "./comparison-records.js";
import { cite, collection, dossierOf, otherTarget, recordOf, text } from "./dossiers.js";

const names = ["terminal", "interaction", "exit", "filesystem", "protocol", "process", "shim"] as const;
const state: fc.Arbitrary<State> = fc.constantFrom("unchanged", "unchanged", "changed", "unknown", "contradiction", "truncated");
const states = fc.record({ terminal: state, interaction: state, exit: state, filesystem: state, protocol: state, process: state, shim: state });
const run = states.map((given) => ({ given, record: runs(given) }));
const file: fc.Arbitrary<Evidence> = fc.constantFrom("unchanged", "changed", "contradiction", "unknown").map((one: "unchanged" | "changed" | "contradiction" | "unknown") => files(one));

const claimOf = (record: Evidence, dimensions: readonly string[], id = "c"): ReconstructionClaim => ({ claim_id: id, kind: "behavioral", statement: "It is so.", comparison: { evidence_id: record.evidence_id }, dimensions: [...dimensions] });
const judged = (claims: readonly ReconstructionClaim[], records: readonly Evidence[]) =>
  verifyReconstruction({ schema_version: 1, name: "copy", claims: [...claims] }, { find: ({ evidence_id: id }) => records.find((record) => record.evidence_id === id), wholeOf: () => undefined, unknowns: [], cite });

describe("a contradiction", () => {
  test("never becomes a pass, whatever else a claim names", () => {
    fc.assert(
      fc.property(run, fc.subarray([...names], { minLength: 1 }), ({ given, record }, dimensions) => {
        const { status, claims } = judged([claimOf(record, dimensions)], [record]);
        const named = dimensions.map((name) => given[name]);
        if (named.includes("contradiction")) expect(status).not.toBe("pass");
        // Only a certain difference fails, and only what is unchanged throughout passes.
        expect(claims[0]?.status).toBe(named.includes("changed") ? "fail" : named.every((one) => one === "unchanged") ? "pass" : "unknown");
      }),
    );
  });

  test("never becomes unchanged behaviour, whatever is compared beside it", () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 4 }), fc.array(file, { maxLength: 3 }), (ran, read) => {
        const contradicted = ran.some(({ given }) => Object.values(given).includes("contradiction"));
        const found = findChangedBehavior([...ran.map(({ record }) => record), files("contradiction"), ...read], cite);
        expect(found.behavior_status).not.toBe("observed_unchanged");
        expect(found.summary.contradictions).toBeGreaterThanOrEqual(contradicted ? 2 : 1);
      }),
    );
  });

  test("correlates with nothing", () => {
    const pattern = fc.constantFrom("cochanged", "static_only", "runtime_only", "both_unchanged");
    fc.assert(
      fc.property(file, run, fc.constantFrom(...names), pattern, (code, { given, record }, dimension, expected_pattern: "cochanged" | "static_only" | "runtime_only" | "both_unchanged") => {
        const mapping = { static: { comparison: code.evidence_id, selector: "content" }, runtime: { comparison: record.evidence_id, dimension }, hypothesis: { statement: "x", expected_pattern }, side_alignment: "left_to_left" } as const;
        const [found] = correlate({ mappings: [mapping], statics: [code], runtimes: [record] }, cite).correlations;
        if (given[dimension] === "contradiction" || found?.static_state === "contradiction") expect(found?.status).not.toBe("correlated");
      }),
    );
  });
});

describe("more evidence", () => {
  test("never takes back a change that was observed", () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 3 }), fc.array(file, { maxLength: 3 }), (ran, more) => {
        const records = ran.map(({ record }) => record);
        const [before, after] = [findChangedBehavior(records, cite), findChangedBehavior([...records, ...more], cite)];
        if (before.behavior_status === "observed_changed") expect(after.behavior_status).toBe("observed_changed");
        expect(after.summary.observed_changes).toBeGreaterThanOrEqual(before.summary.observed_changes);
      }),
    );
  });

  test("settles claims, and unsettles none", () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 4 }), fc.nat(3), (ran, kept) => {
        const records = ran.map(({ record }) => record);
        const claims = records.map((record, index) => claimOf(record, ["terminal"], `c${String(index)}`));
        const [some, all] = [judged(claims, records.slice(0, kept)), judged(claims, records)];
        some.claims.forEach(({ status }, index) => {
          if (status !== "unknown") expect(all.claims[index]?.status).toBe(status);
        });
      }),
    );
  });

  test("keeps what was certain of two functions of which only a part was seen", () => {
    const lines = fc.array(fc.constantFrom("nop", "ret", "mov eax, 0x5", "xor eax, eax"), { minLength: 1, maxLength: 10 }).map((list) => list.map((line, index) => `0x${(0x1000 + index).toString(16)}  ${line}`));
    const callees = fc.array(fc.constantFrom("puts", "exit", "free"), { maxLength: 5 }).map((list) => list.map((name, index) => ({ address: `0x${(0x5000 + index).toString(16)}`, name })));
    const shape = fc.record({ lines, callees });
    fc.assert(
      fc.property(shape, shape, fc.nat(10), fc.nat(5), (left, right, seenLines, seenCallees) => {
        const whole = { assembly: text(left.lines), callees: collection(left.callees) };
        const cut = {
          assembly: text(left.lines.slice(0, seenLines), seenLines < left.lines.length),
          callees: collection(left.callees.slice(0, seenCallees), left.callees.length),
        };
        const other = recordOf(dossierOf({ dossier: { assembly: text(right.lines), callees: collection(right.callees) } }), otherTarget);
        const compare = (dossier: object) => compareFunctions({ left: recordOf(dossierOf({ dossier })), right: other }, cite).dimensions;
        const known = new Map(compare(whole).map(({ dimension, status }) => [dimension, status]));
        for (const { dimension, status } of compare(cut)) if (status !== "unknown") expect([dimension, status]).toEqual([dimension, known.get(dimension)]);
      }),
    );
  });
});

describe("a function compared with itself", () => {
  test("is unchanged in exactly the parts that are whole", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), fc.nat(4), (wholeText, wholeCalls, calls) => {
        const list = Array.from({ length: calls }, (_, index) => ({ address: `0x${(0x5000 + index).toString(16)}`, name: `f${String(index)}` }));
        const dossier = { assembly: text(["0x1000  ret"], !wholeText), callees: collection(list, wholeCalls ? list.length : list.length + 1) };
        const record = recordOf(dossierOf({ dossier }));
        const { status, dimensions } = compareFunctions({ left: record, right: record }, cite);
        const stateOf = (name: string) => dimensions.find(({ dimension }) => dimension === name)?.status;
        expect([stateOf("assembly"), stateOf("calls"), status]).toEqual([wholeText ? "unchanged" : "unknown", wholeCalls ? "unchanged" : "unknown", wholeText && wholeCalls ? "unchanged" : "unknown"]);
      }),
    );
  });
});

describe("bundles", () => {
  const contents = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e"), fc.constantFrom("1", "2")).map(
    (ids): BundleContents => ({
      sha256: "f".repeat(64),
      records: new Map(Object.entries(ids).map(([id, value]) => [`${id}${value}`, { evidence_id: `ev_${`${id}${value}`.padEnd(64, "0")}`, operation: "xrefs", subject_sha256: null, parts: { normalized_result: value } }])),
      unknowns: [],
      unresolved: 0,
    }),
  );
  const whole = { pairs: [], offset: 0, limit: 100 };

  test("are unchanged against themselves, mirror, and page", () => {
    fc.assert(
      fc.property(contents, contents, fc.integer({ min: 1, max: 4 }), (left, right, limit) => {
        expect(compareBundles(left, left, whole).status).toBe("unchanged");
        const [there, back] = [compareBundles(left, right, whole), compareBundles(right, left, whole)];
        expect([back.status, back.summary.records_added, back.summary.records_removed, back.summary.records_unchanged]).toEqual([there.status, there.summary.records_removed, there.summary.records_added, there.summary.records_unchanged]);
        const pages = [];
        for (let offset: number | null = 0; offset !== null; ) {
          const { changes } = compareBundles(left, right, { ...whole, offset, limit });
          pages.push(...changes.items);
          offset = changes.next_offset;
        }
        expect(pages).toEqual(there.changes.items);
      }),
    );
  });
});

test("a dimension that a comparison does not have is not called unchanged", () => {
  const record = files("unchanged");
  const claim = (dimension: string): ReconstructionClaim => ({ claim_id: "c", kind: "structural", statement: "It is so.", comparison: { evidence_id: record.evidence_id }, dimensions: [dimension] });
  expect(judged([claim("content")], [record]).status).toBe("pass");
  const { status, claims, recommended_probes: probes } = judged([claim("contents")], [record]);
  expect([status, claims[0]?.reason, probes[0]?.rationale]).toEqual(["unknown", "The comparison does not show contents.", expect.stringContaining("content, kind")]);
});
