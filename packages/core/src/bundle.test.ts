import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { refusalOf } from "../test/refusal.js";
import { BundleReader } from "./bundle-reader.js";
import type { BundleWhole, EvidenceBundle } from "./bundle-schema.js";
import { bundleChunks, createBundle, parseBundle, serializeBundle, type BundleParts } from "./bundle.js";
import { canonicalDigestOfWhole, canonicalJson } from "./canonical-json.js";
import { emptySha256, sha256Hex } from "./digest.js";
import { ReaError } from "./errors.js";
import { createEvidence, type EvidenceDraft } from "./evidence.js";
import type { Evidence } from "./evidence-schema.js";
import { unknownMutationPredicate } from "./evidence-words.js";
import { firstUnknownRevision, nextUnknownRevision, type UnknownState } from "./unknown-revision.js";

const hostile: unknown = JSON.parse(
  '{"__proto__":{"a":1},"constructor":2,"toString":3,"":4,"\u{1f600}":5,"\ufb01":6,"esc":"\\u001b"}',
);

function record(change: Partial<EvidenceDraft>): Evidence {
  return createEvidence({
    subject: { name: "NAME-OF-FILE", digest: { sha256: emptySha256 }, format: "elf", architecture: null, local_path: "/LOCAL/PATH" },
    provider: { id: "rea-native", name: "REA native analysis", version: "1" },
    operation: "xrefs_to",
    parameters: hostile,
    normalized_result: hostile,
    confidence: "observed",
    authority: "shipped-artifact",
    ...change,
  });
}

const state: UnknownState = {
  status: "open",
  severity: "high",
  supporting_evidence_ids: [],
  contradicting_evidence_ids: [],
  required_authority: null,
  required_confidence: "derived",
  required_environment: null,
  recommended_probes: [],
  relationships: [],
  resolution: null,
};
const mutation = (unknown: unknown): Evidence =>
  record({ operation: "update_unknown", predicate_type: unknownMutationPredicate, normalized_result: { unknown } });

const capture = record({
  predicate_type: "rea.process-capture/v4",
  authority: "controlled-replay",
  environment: { id: null, platform: "linux", architecture: "x86_64", isolation: "process" },
});
const plain = record({ operation: "list_strings", evidence_links: [`ev_${"0".repeat(64)}`, capture.evidence_id] });
const first = firstUnknownRevision({ domain: "network", question: "Which host?", scope_digest: emptySha256 }, state);
const firstMutation = mutation(first);
const second = nextUnknownRevision(first, firstMutation.evidence_id, { ...state, supporting_evidence_ids: [plain.evidence_id] });
const records = [capture, plain, firstMutation, mutation(second), record({ subject: null, normalized_result: null })];
const wholes = [
  { kind: "artifact-graph" as const, content: { nodes: [{ id: "art_1" }, hostile], edges: [] } },
  { kind: "function-inventory" as const, content: [1, 2, [3]] },
];
const parts: BundleParts = { records, unknowns: [second, first], wholes };
const bundle = createBundle(parts);
const bytes = serializeBundle(bundle);

/** A bundle with some members replaced, in canonical bytes. */
const altered = (change: { readonly [key: string]: unknown }): Uint8Array => Buffer.from(canonicalJson({ ...bundle, ...change }));
const refusal = (input: Uint8Array): { readonly [key: string]: unknown } => refusalOf(() => parseBundle(input));

describe("createBundle", () => {
  test("derives its lists from the records", () => {
    expect(bundle.artifacts).toEqual([{ digest: { sha256: emptySha256 }, format: "elf", architecture: null }]);
    expect(bundle.providers).toEqual([{ id: "rea-native", name: "REA native analysis", version: "1" }]);
    expect(bundle.environments).toEqual([capture.environment]);
    const citation = { evidence_id: capture.evidence_id, operation: "xrefs_to", authority: "controlled-replay" };
    expect([bundle.scenarios, bundle.captures]).toEqual([[citation], [citation]]);
  });

  test("gives identical bytes for every order and repetition of its parts", () => {
    const shuffled = fc.shuffledSubarray([...records, ...records], { minLength: records.length * 2 });
    fc.assert(
      fc.property(shuffled, fc.boolean(), (some, turned) => {
        const turn = <T>(list: readonly T[]): T[] => (turned ? [...list].reverse() : [...list]);
        const again = createBundle({ records: some, unknowns: turn([first, second, first]), wholes: turn(wholes) });
        expect(serializeBundle(again)).toEqual(bytes);
      }),
      { numRuns: 30 },
    );
  });

  test("refuses unknowns that refer to something outside", () => {
    const broken = (change: Partial<BundleParts>): unknown =>
      refusalOf(() => createBundle({ ...parts, ...change }))["constraint"];
    expect(broken({ records: [firstMutation] })).toBe("evidence_retained");
    expect(broken({ unknowns: [second] })).toBe("history_complete");
  });

  test("writes the canonical JSON of the bundle, piece by piece", () => {
    expect(Buffer.from(bytes).toString()).toBe(canonicalJson(bundle));
    expect([...bundleChunks(bundle)].join("")).toBe(canonicalJson(bundle));
    const empty = createBundle({ records: [], unknowns: [] });
    expect(Buffer.from(serializeBundle(empty)).toString()).toBe(canonicalJson(empty));
    expect(Object.keys(empty)).not.toContain("wholes");
  });
});

describe("parseBundle", () => {
  test("export, import, export gives identical bytes, with and without wholes", () => {
    const without = createBundle({ records, unknowns: [first, second] });
    for (const original of [bundle, without]) {
      const exported = serializeBundle(original);
      const imported = parseBundle(exported);
      expect(imported).toEqual(original);
      expect(serializeBundle(imported)).toEqual(exported);
      expect(serializeBundle(createBundle({ ...imported, wholes: imported.wholes ?? [] }))).toEqual(exported);
    }
  });

  test("keeps hostile keys through record, bundle, import and export", () => {
    const imported = parseBundle(bytes).records.find((item) => item.evidence_id === plain.evidence_id);
    expect(canonicalJson(imported?.normalized_result)).toBe(canonicalJson(hostile));
    expect(Object.getOwnPropertyNames(imported?.parameters)).toContain("__proto__");
  });

  test("reads chunks of any size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), (size) => {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.slice(index * size, (index + 1) * size),
        );
        expect(parseBundle(chunks)).toEqual(bundle);
      }),
      { numRuns: 20 },
    );
  });

  test("one changed nibble is refused everywhere but in names and local paths", () => {
    const free = new Set<number>();
    const text = Buffer.from(bytes).toString("latin1");
    for (const value of ["NAME-OF-FILE", "/LOCAL/PATH"]) {
      for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
        for (let index = 0; index < value.length; index += 1) free.add(at + index);
      }
    }
    const offsets = fc.integer({ min: 0, max: bytes.length - 1 }).filter((offset) => !free.has(offset));
    fc.assert(
      fc.property(offsets, fc.boolean(), fc.integer({ min: 1, max: 15 }), (offset, high, change) => {
        const changed = Uint8Array.from(bytes);
        changed[offset] = (bytes[offset] ?? 0) ^ (high ? change << 4 : change);
        expect(refusal(changed)["constraint"]).toEqual(expect.stringMatching(/./));
      }),
      { numRuns: 1000 },
    );
    expect(free.size).toBeGreaterThan(50);
    const renamed = Buffer.from(text.replaceAll("NAME-OF-FILE", "NAME-OF-FILM"), "latin1");
    expect(parseBundle(renamed).records).toHaveLength(records.length);
  });

  test("names the record, the derived list, the unknown or the whole", () => {
    const forged = bundle.records.map((item) => (item.evidence_id === plain.evidence_id ? { ...item, operation: "x" } : item));
    expect(refusal(altered({ records: forged }))).toMatchObject({ reason: "id_mismatch", evidence_id: plain.evidence_id });
    expect(refusal(altered({ captures: [] }))["constraint"]).toBe("derived_list: captures");
    expect(refusal(altered({ artifacts: [null, ...bundle.artifacts] }))["constraint"]).toBe("derived_list: artifacts");
    expect(refusal(altered({ unknowns: [second] }))).toMatchObject({
      reason: "unknown_graph",
      constraint: "history_complete",
      actual: { unknown_id: first.unknown_id, revision: 2 },
    });
    const [whole] = bundle.wholes ?? [];
    if (whole === undefined) throw new Error("The bundle has wholes.");
    const replaced = (change: Partial<BundleWhole>): unknown =>
      refusal(altered({ wholes: [{ ...whole, ...change }] }));
    expect(replaced({ content: {} })).toMatchObject({ constraint: "whole_sha256", expected: whole.sha256 });
    expect(replaced({ bytes: 1 })).toMatchObject({ constraint: "whole_bytes", expected: 1, actual: whole.bytes });
  });

  test("refuses entries that are twice or not in order", () => {
    const [one, two] = bundle.records;
    expect(refusal(altered({ records: [one, ...bundle.records] }))).toMatchObject({
      reason: "duplicate_id",
      evidence_id: one?.evidence_id,
    });
    expect(refusal(altered({ records: [two, one, ...bundle.records.slice(2)] }))["constraint"]).toBe("records: sorted");
    expect(refusal(altered({ unknowns: [second, first] }))["constraint"]).toBe("unknowns: sorted");
    expect(refusal(altered({ wholes: [...(bundle.wholes ?? []), ...(bundle.wholes ?? [])] }))["constraint"]).toContain("wholes");
    expect(refusal(altered({ wholes: [] }))["constraint"]).toBe("wholes: not_empty");
  });

  test("reports failures in the order of the checks, not of the bytes", () => {
    const [one, ...others] = bundle.records;
    const wrongId = { ...one, operation: "x" };
    const steps: [EvidenceBundle | { readonly [key: string]: unknown }, string][] = [
      [{ wholes: [{ ...bundle.wholes?.[0], bytes: 1 }] }, "whole_bytes"],
      [{ captures: [] }, "derived_list: captures"],
      [{ unknowns: [second] }, "history_complete"],
      [{ records: [wrongId, ...others] }, "evidence_id"],
      [{ records: [wrongId, wrongId, ...others] }, "records: unique"],
      [{ records: [wrongId, wrongId, ...others, { evidence_id: 1 }] }, "schema_version: invalid_value"],
    ];
    let change = {};
    for (const [next, constraint] of steps) {
      change = { ...change, ...next };
      expect(refusal(altered(change))["constraint"]).toBe(constraint);
    }
    const text = canonicalJson({ ...bundle, ...change });
    expect(refusal(Buffer.from(` ${text}`))["reason"]).toBe("non_canonical");
    expect(refusal(Buffer.from(text.slice(0, -1)))["constraint"]).toBe("json_syntax");
  });

  test("refuses older versions by name, whatever else is wrong with them", () => {
    expect(refusal(Buffer.from('{"bundle_version": 1, "records": [{}]}'))).toMatchObject({
      reason: "unsupported_version",
      constraint: "bundle_version",
      actual: 1,
    });
    expect(refusal(Buffer.from('{"bundle_version":2}'))["reason"]).toBe("schema");
    expect(refusal(Buffer.from("[]"))["reason"]).toBe("schema");
    expect(refusal(altered({ extra: [1] }))["constraint"]).toBe("top level: unrecognized_keys");
  });

  test("10,000 nested arrays anywhere are a typed refusal", () => {
    const deep = "[".repeat(10_000);
    for (const start of ["", '{"artifacts":', '{"records":[{"normalized_result":', '{"wholes":[{"content":{"a":[']) {
      expect(refusal(Buffer.from(start + deep))).toMatchObject({ reason: "bounds", constraint: "depth" });
    }
  });

  test("bounds each record and each item of a whole, not the bundle", () => {
    const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    const withWhole = (item: unknown): EvidenceBundle =>
      createBundle({ records: [], unknowns: [], wholes: [{ kind: "capture", content: { items: [item, item] } }] });
    const deepest = serializeBundle(withWhole(nested(64)));
    expect(serializeBundle(parseBundle(deepest))).toEqual(deepest);
    expect(refusalOf(() => withWhole(nested(65)))["constraint"]).toBe("depth");
    const deeper = Buffer.from(deepest).toString().replace("[".repeat(65), "[".repeat(66));
    expect(refusal(Buffer.from(deeper))["constraint"]).toBe("depth");
    const inRecord = serializeBundle(createBundle({ records: [record({ normalized_result: nested(63) })], unknowns: [] }));
    expect(serializeBundle(parseBundle(inRecord))).toEqual(inRecord);
    expect(refusalOf(() => record({ normalized_result: nested(64) }))["constraint"]).toBe("depth");
  });

  test("refuses a bundle over the limits by their name", () => {
    const limited = (limits: { maxBytes?: number; maxRecords?: number }): unknown => {
      try {
        return parseBundle(bytes, limits);
      } catch (error) {
        return error instanceof ReaError ? [error.code, error.details] : error;
      }
    };
    expect(limited({ maxBytes: bytes.length - 1 })).toEqual(["truncated", { limit: "bytes", maximum: bytes.length - 1 }]);
    expect(limited({ maxRecords: records.length + 1 })).toEqual([
      "truncated",
      { limit: "records", maximum: records.length + 1 },
    ]);
    expect(limited({ maxBytes: bytes.length, maxRecords: records.length + 2 })).toEqual(bundle);
  });

  test("refuses random bytes and never fails otherwise", () => {
    const pieces = ["{", "}", "[", "]", ",", '"records":', '"bundle_version":2', '"unknowns":', '"wholes":', "{}", "null", '"a"', "1"];
    const input = fc.oneof(
      fc.uint8Array(),
      fc.array(fc.constantFrom(...pieces)).map((list) => Uint8Array.from(Buffer.from(list.join("")))),
    );
    fc.assert(
      fc.property(input, (data) => {
        expect(refusal(data)["reason"]).toBeDefined();
      }),
      { numRuns: 1000 },
    );
  });
});

describe("BundleReader", () => {
  test("hands over records and wholes and sums up the rest", () => {
    const taken: Evidence[] = [];
    const reader = new BundleReader({ takeRecord: (item) => taken.push(item) });
    reader.write(bytes);
    const summary = reader.end();
    expect(taken).toEqual(bundle.records);
    expect(summary).toMatchObject({
      sha256: sha256Hex(bytes),
      bytes: bytes.length,
      records: records.length,
      wholes: 2,
      unknowns: [first, second],
      unresolvedLinks: [`ev_${"0".repeat(64)}`],
    });
  });

  test("stops handing over after the first failure", () => {
    const [one, two, ...others] = bundle.records;
    const taken: Evidence[] = [];
    const reader = new BundleReader({ takeRecord: (item) => taken.push(item) });
    reader.write(altered({ records: [one, { ...two, operation: "x" }, ...others] }));
    expect(taken).toEqual([one]);
    expect(() => reader.end()).toThrow("does not match");
  });
});

test("a whole's digest is the one that records commit to", () => {
  const { sha256, bytes: size } = canonicalDigestOfWhole(wholes[0]?.content);
  expect(bundle.wholes).toContainEqual(expect.objectContaining({ sha256, bytes: size, kind: "artifact-graph" }));
});
