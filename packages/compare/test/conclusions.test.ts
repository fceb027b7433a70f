import { canonicalSha256, type Evidence, type ReconstructionClaim, type UnknownRevision } from "@rea/core";
import { describe, expect, test } from "vitest";
import { compareBundles, compareFunctions, correlate, findChangedBehavior, verifyReconstruction, type BundleContents } from "../src/index.js";
import { files, runs } from "./comparison-records.js";
import { cite, dossierOf, otherTarget, recordOf, unavailable, type FunctionShape } from "./dossiers.js";

function functions(left: FunctionShape, right: FunctionShape, of: object = otherTarget): Evidence {
  return recordOf(compareFunctions({ left: recordOf(dossierOf(left)), right: recordOf(dossierOf(right), of) }, cite), { operation: "compare_functions" });
}

describe("changed behaviour", () => {
  const statusOf = (...records: Evidence[]) => findChangedBehavior(records, cite).behavior_status;

  test("is observed in runs, and only there", () => {
    expect(statusOf(runs({ terminal: "changed" }))).toBe("observed_changed");
    expect(statusOf(functions({}, { constant: 9 }))).toBe("unknown");
    expect(findChangedBehavior([functions({}, { constant: 9 })], cite)).toMatchObject({ summary: { static_candidates: 1, observed_changes: 0 }, findings: [{ kind: "static_candidate", dimension: "assembly" }] });
  });

  test("is excluded only by a complete comparison of runs that nothing speaks against", () => {
    expect(statusOf(runs())).toBe("observed_unchanged");
    expect(statusOf(runs(), functions({}, {}))).toBe("observed_unchanged");
    expect(statusOf(functions({}, {}))).toBe("unknown");
    expect(statusOf(runs({ terminal: "truncated" }))).toBe("unknown");
    expect(statusOf(runs(), files("changed"))).toBe("unknown");
    expect(statusOf(runs(), files("unknown"))).toBe("unknown");
  });

  test("a contradiction is never unchanged", () => {
    expect(statusOf(runs(), files("contradiction"))).toBe("unknown");
    expect(statusOf(runs(), functions({}, { constant: 9 }, {}))).toBe("unknown");
    expect(statusOf(runs({ terminal: "contradiction" }), runs())).toBe("unknown");
    expect(findChangedBehavior([files("contradiction")], cite).summary.contradictions).toBeGreaterThan(0);
  });
});

describe("correlation", () => {
  const verdict = (code: Evidence, run: Evidence, expected: "cochanged" | "static_only" | "runtime_only" | "both_unchanged", selector = "assembly") =>
    correlate(
      {
        mappings: [
          {
            static: { comparison: code.evidence_id, selector },
            runtime: { comparison: run.evidence_id, dimension: "terminal" },
            hypothesis: { statement: "They go together.", expected_pattern: expected },
            side_alignment: "left_to_left",
          },
        ],
        statics: [code],
        runtimes: [run],
      },
      cite,
    );

  test.each([
    ["cochanged", "correlated"],
    ["static_only", "contradicted"],
    ["runtime_only", "contradicted"],
    ["both_unchanged", "contradicted"],
  ] as const)("of two changes under %s is %s", (pattern, expected) => {
    expect(verdict(functions({}, { constant: 9 }), runs({ terminal: "changed" }), pattern).status).toBe(expected);
  });

  test("is unknown where a side does not settle its part, unless the other contradicts already", () => {
    expect(verdict(functions({}, { constant: 9 }), runs({ exit: "unchanged" }), "cochanged").status).toBe("unknown");
    expect(verdict(functions({}, {}), runs({ exit: "unchanged" }), "cochanged").status).toBe("contradicted");
    expect(verdict(functions({}, { constant: 9 }, {}), runs({ terminal: "changed" }), "cochanged").correlations[0]).toMatchObject({ status: "unknown", static_state: "contradiction" });
  });

  test("selects a member of an artifact by its logical path", () => {
    expect(verdict(files("changed"), runs({ terminal: "changed" }), "cochanged", "bin/app").status).toBe("correlated");
    expect(verdict(files("changed"), runs({ terminal: "changed" }), "cochanged", "bin/other").correlations[0]?.static_state).toBe("unchanged");
  });

  test("never says cause, and refuses a mapping to what was not given", () => {
    const code = functions({}, {});
    const run = runs();
    expect(verdict(code, run, "both_unchanged").limitations.join(" ")).toContain("not as cause");
    const mapping = { static: { comparison: `ev_${"0".repeat(64)}`, selector: "status" }, runtime: { comparison: run.evidence_id, dimension: "status" }, hypothesis: { statement: "x", expected_pattern: "cochanged" }, side_alignment: "left_to_left" } as const;
    expect(() => correlate({ mappings: [mapping], statics: [code], runtimes: [run] }, cite)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});

describe("a reconstruction", () => {
  const listing = (more: object = {}) =>
    recordOf({ items: [{ name: "puts", address: "0x10" }], coverage: { state: "complete", omissions: [] }, offset: 0, limit: 10, total: 1, next_offset: null, has_more: false, ...more }, { operation: "list_names" });
  const verify = (claims: readonly ReconstructionClaim[], records: readonly Evidence[], unknowns: readonly UnknownRevision[] = []) =>
    verifyReconstruction(
      { schema_version: 1, name: "copy", claims: [...claims] },
      { find: (input) => records.find(({ evidence_id }) => evidence_id === input.evidence_id), wholeOf: () => undefined, unknowns, cite },
    );
  const shared = { claim_id: "c", statement: "It is so." };
  const reference = ({ evidence_id }: Evidence) => ({ evidence_id });

  test.each([
    ["unchanged", "pass"],
    ["changed", "fail"],
    ["unknown", "unknown"],
    ["contradiction", "unknown"],
  ] as const)("whose runs are %s is %s", (state, expected) => {
    const run = runs({ terminal: state });
    const verdict = verify([{ ...shared, kind: "behavioral", comparison: reference(run), dimensions: ["terminal"] }], [run]);
    expect(verdict.status).toBe(expected);
    expect(verdict.claims[0]?.counter_fact === null).toBe(expected !== "fail");
    expect(verdict.recommended_probes.length).toBe(expected === "unknown" ? 1 : 0);
  });

  test("is unknown, with a probe, when a record is gone", () => {
    const run = runs();
    expect(verify([{ ...shared, kind: "behavioral", comparison: reference(run), dimensions: ["terminal"] }], [])).toMatchObject({
      status: "unknown",
      recommended_probes: [{ claim_id: "c", operation: "import_evidence_bundle" }],
    });
  });

  test("one failed claim decides, and pass speaks of the declared claims alone", () => {
    const [same, other] = [runs(), runs({ terminal: "changed", exit: "unchanged" })];
    const claim = (record: Evidence): ReconstructionClaim => ({ ...shared, kind: "behavioral", comparison: reference(record), dimensions: ["terminal"] });
    expect(verify([claim(same), claim(other)], [same, other]).status).toBe("fail");
    expect(verify([claim(same)], [same]).limitations).toContain("The verdict is about the declared claims and nothing else.");
  });

  test("a value is compared as JSON, and where the record is cut nothing is said", () => {
    const record = listing();
    const value = (of: Evidence, pointer: string, equals: string) => verify([{ ...shared, kind: "value", evidence: reference(of), pointer, equals }], [of]).claims[0]?.status;
    expect(value(record, "/items/0/name", '"puts"')).toBe("pass");
    expect(value(record, "/total", "1")).toBe("pass");
    expect(value(record, "/total", "2")).toBe("fail");
    expect(value(record, "/nothing", "2")).toBe("unknown");
    expect(value(record, "/total", "puts")).toBe("unknown");
    const cut = listing({ total: 5, has_more: true });
    expect(value(cut, "/total", "4")).toBe("unknown");
  });

  test("absence needs the whole collection, presence only the item", () => {
    const [whole, cut] = [listing(), listing({ coverage: { state: "partial", omissions: [] }, has_more: true, total: 2 })];
    const claim = (kind: "presence" | "absence", of: Evidence, value: string) => verify([{ ...shared, kind, evidence: reference(of), collection: "", match: { key: "name", value } }], [of]).claims[0];
    expect(claim("presence", whole, "puts")?.status).toBe("pass");
    expect(claim("presence", cut, "puts")?.status).toBe("pass");
    expect(claim("presence", whole, "exit")?.status).toBe("fail");
    expect(claim("presence", cut, "exit")?.status).toBe("unknown");
    expect(claim("absence", whole, "exit")?.status).toBe("pass");
    expect(claim("absence", cut, "exit")?.status).toBe("unknown");
    expect(claim("absence", cut, "puts")).toMatchObject({ status: "fail", counter_fact: { place: "/0" } });
  });

  test("an open unknown with Evidence against the cited record keeps a claim from passing", () => {
    const run = runs();
    const claim: ReconstructionClaim = { ...shared, kind: "behavioral", comparison: reference(run), dimensions: ["terminal"] };
    const doubt = { unknown_id: `unk_${"0".repeat(64)}`, status: "contradicted", contradicting_evidence_ids: [run.evidence_id], supporting_evidence_ids: [] };
    expect(verify([claim], [run], [unknownLike(doubt)]).status).toBe("unknown");
    expect(verify([claim], [run], [unknownLike({ ...doubt, status: "resolved" })]).status).toBe("pass");
  });

  test("a structural claim on a function whose dossier lacks a part is unknown", () => {
    const comparison = functions({ dossier: { assembly: unavailable } }, { dossier: { assembly: unavailable } });
    const claim = (dimension: string): ReconstructionClaim => ({ ...shared, kind: "structural", comparison: reference(comparison), dimensions: [dimension] });
    expect(verify([claim("assembly")], [comparison]).status).toBe("unknown");
    expect(verify([claim("cfg")], [comparison]).status).toBe("pass");
  });

  test("that fails shows what the original has and what the copy has instead", () => {
    const comparison = functions({}, { constant: 9 });
    const claim: ReconstructionClaim = { ...shared, kind: "structural", comparison: reference(comparison), dimensions: ["cfg", "assembly"] };
    const { counter_fact: fact } = verify([claim], [comparison]).claims[0] ?? {};
    expect(fact?.place).toMatch(/^\/changes\/\d+$/u);
    expect([fact?.expected, fact?.actual]).toEqual([expect.stringContaining("0x7"), expect.stringContaining("0x9")]);
  });
});

describe("bundles", () => {
  const bundle = (ids: { readonly [id: string]: string }): BundleContents => ({
    sha256: canonicalSha256(ids),
    records: new Map(Object.entries(ids).map(([id, value]) => [id, { evidence_id: id.padEnd(67, "0"), operation: "xrefs", subject_sha256: null, parts: { normalized_result: value } }])),
    unknowns: [],
    unresolved: 0,
  });
  const whole = { pairs: [], offset: 0, limit: 100 };

  test("records pair by id, or as the caller says, and by nothing else", () => {
    const [left, right] = [bundle({ a: "1", b: "2" }), bundle({ a: "1", c: "2" })];
    expect(compareBundles(left, right, whole)).toMatchObject({ status: "changed", summary: { records_unchanged: 1, records_added: 1, records_removed: 1, records_changed: 0 } });
    const paired = compareBundles(left, right, { ...whole, pairs: [{ left_evidence_id: "b", right_evidence_id: "c" }] });
    expect(paired).toMatchObject({ status: "unchanged", summary: { records_unchanged: 2 } });
    expect(compareBundles(left, left, whole).status).toBe("unchanged");
  });

  test("exchanged sides mirror the counts, and pages make the whole", () => {
    const [left, right] = [bundle({ a: "1", b: "2", d: "4", f: "6" }), bundle({ a: "1", c: "2", e: "5" })];
    const [there, back] = [compareBundles(left, right, whole).summary, compareBundles(right, left, whole).summary];
    expect([back.records_added, back.records_removed]).toEqual([there.records_removed, there.records_added]);
    const all = compareBundles(left, right, whole).changes.items;
    expect(all.flatMap((_, offset) => compareBundles(left, right, { ...whole, offset, limit: 1 }).changes.items)).toEqual(all);
  });

  test("a pair that a bundle does not hold is refused", () => {
    expect(() => compareBundles(bundle({ a: "1" }), bundle({ a: "1" }), { ...whole, pairs: [{ left_evidence_id: "z", right_evidence_id: "a" }] })).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});

/** What the judge reads of a revision; the rest is of no account to it. */
function unknownLike(given: { readonly unknown_id: string; readonly status: string; readonly contradicting_evidence_ids: readonly string[]; readonly supporting_evidence_ids: readonly string[] }): UnknownRevision {
  return {
    registry_version: 1,
    revision: 1,
    previous_revision_digest: null,
    revision_digest: "0".repeat(64),
    scope_digest: null,
    question: "q",
    domain: "d",
    severity: "low",
    required_authority: null,
    required_confidence: "observed",
    required_environment: null,
    recommended_probes: [],
    relationships: [],
    resolution: null,
    mutation_evidence_ids: [],
    unknown_id: given.unknown_id,
    status: given.status === "resolved" ? "resolved" : "contradicted",
    contradicting_evidence_ids: [...given.contradicting_evidence_ids],
    supporting_evidence_ids: [...given.supporting_evidence_ids],
  };
}
