import { describe, expect, test } from "vitest";

import { refusalOf } from "../test/refusal.js";
import { createAnalysisProfile } from "./analysis-profile.js";
import { canonicalSha256 } from "./canonical-json.js";
import { emptySha256 } from "./digest.js";
import {
  createEvidence,
  evidenceIdOf,
  evidenceInput,
  isEvidenceReference,
  parseEvidence,
  type EvidenceDraft,
} from "./evidence.js";

const draft: EvidenceDraft = {
  subject: {
    name: "empty",
    digest: { sha256: emptySha256 },
    format: "elf",
    architecture: "x86_64",
    local_path: "/somewhere/empty",
  },
  provider: { id: "rea-binary-static", name: "REA binary formats", version: "1" },
  operation: "list_architectures",
  parameters: {},
  normalized_result: { architectures: ["x86_64"] },
  confidence: "observed",
  authority: "shipped-artifact",
};

describe("createEvidence", () => {
  test("derives the contract's id for the empty file", () => {
    expect(createEvidence(draft).evidence_id).toBe("ev_93b2f0e112cf1cbf255fa09ae30e8dcdc04279e68eb0d90dc3aab7851f25eb24");
  });

  test("keeps the null profile in the identity", () => {
    const { evidence_id: id, analysis_profile: profile, subject, ...rest } = createEvidence(draft);
    expect(profile).toBeNull();
    const identity = { digest: subject?.digest, format: subject?.format, architecture: subject?.architecture };
    const without = canonicalSha256({ ...rest, subject: identity });
    expect(without.slice(0, 8)).toBe("6c957d6c");
    expect(id).not.toContain("6c957d6c");
  });

  test("a renamed or moved file keeps its id, another byte or limitation does not", () => {
    const { evidence_id: id, subject } = createEvidence(draft);
    if (subject === null) throw new Error("The draft has a subject.");
    expect(createEvidence({ ...draft, subject: { ...subject, name: "x", local_path: null } }).evidence_id).toBe(id);
    const other = { ...subject, digest: { sha256: "0".repeat(64) } };
    expect(createEvidence({ ...draft, subject: other }).evidence_id).not.toBe(id);
    const one = createEvidence({ ...draft, limitations: ["a", "b"] }).evidence_id;
    expect(one).not.toBe(id);
    expect(createEvidence({ ...draft, limitations: ["b", "a"] }).evidence_id).not.toBe(one);
  });

  test("sorts links, drops repetitions and states a missing subject", () => {
    const links = [`ev_${"b".repeat(64)}`, `ev_${"a".repeat(64)}`, `ev_${"b".repeat(64)}`];
    const record = createEvidence({ ...draft, subject: null, limitations: ["x", "x"], evidence_links: links });
    expect(record.evidence_links).toEqual([links[1], links[0]]);
    expect(record.limitations).toEqual(["x", "The identity of the subject is unavailable."]);
  });

  test("returns a detached and frozen record", () => {
    const list = [1];
    const record = createEvidence({ ...draft, normalized_result: { list, zero: -0, absent: undefined } });
    list.push(2);
    expect(record.normalized_result).toStrictEqual({ list: [1], zero: 0 });
    expect(Object.isFrozen(record.normalized_result)).toBe(true);
  });

  test("refuses a float in a result", () => {
    expect(refusalOf(() => createEvidence({ ...draft, normalized_result: 0.5 }))["reason"]).toBe("number_out_of_range");
  });

  test("refuses a profile of another provider", () => {
    const profile = createAnalysisProfile({
      provider: { id: "rea-native", name: "REA native analysis", version: "1" },
      provider_profile_schema_version: 1,
      parameters: {},
    });
    expect(refusalOf(() => createEvidence({ ...draft, analysis_profile: profile }))["constraint"]).toBe(
      "analysis_profile: provider_equal",
    );
  });
});

describe("parseEvidence", () => {
  const record = createEvidence(draft);

  test("reads back what createEvidence made", () => {
    expect(parseEvidence(JSON.parse(JSON.stringify(record)))).toStrictEqual(record);
  });

  test("keeps members with hostile names", () => {
    const hostile: unknown = JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":3,"":4}');
    const made = createEvidence({ ...draft, normalized_result: hostile, parameters: hostile });
    const text = JSON.stringify(parseEvidence(JSON.parse(JSON.stringify(made))).normalized_result);
    expect(text).toBe('{"__proto__":{"x":1},"constructor":2,"toString":3,"":4}');
  });

  test("names the id of a record whose content was changed", () => {
    expect(refusalOf(() => parseEvidence({ ...record, operation: "other" }))).toMatchObject({
      reason: "id_mismatch",
      constraint: "evidence_id",
      evidence_id: record.evidence_id,
    });
  });

  test("refuses other versions by name", () => {
    expect(refusalOf(() => parseEvidence({ ...record, schema_version: 1 }))["reason"]).toBe("unsupported_version");
    expect(refusalOf(() => parseEvidence({ ...record, schema_version: "2" }))["reason"]).toBe("unsupported_version");
  });

  test("refuses missing keys, unknown keys and values outside the lists", () => {
    const { raw_result: _raw, ...missing } = record;
    expect(refusalOf(() => parseEvidence(missing))["constraint"]).toContain("raw_result");
    expect(refusalOf(() => parseEvidence({ ...record, extra: 1 }))["constraint"]).toBe("top level: unrecognized_keys");
    expect(refusalOf(() => parseEvidence({ ...record, confidence: "certain" }))["constraint"]).toContain("confidence");
    expect(refusalOf(() => parseEvidence(null))["reason"]).toBe("schema");
    expect(refusalOf(() => parseEvidence({ ...record, subject: null }))["constraint"]).toBe("limitations: identity_unavailable");
  });

  test("refuses unsorted links even with a matching id", () => {
    const forged = { ...record, evidence_links: [`ev_${"b".repeat(64)}`, `ev_${"a".repeat(64)}`] };
    const consistent = { ...forged, evidence_id: evidenceIdOf(forged) };
    expect(refusalOf(() => parseEvidence(consistent))["constraint"]).toBe("evidence_links: sorted_unique");
  });

  test("refuses a profile whose digest is wrong even with a matching id", () => {
    const provider = { id: "rea-native", name: "REA native analysis", version: "1" };
    const profile = createAnalysisProfile({ provider, provider_profile_schema_version: 1, parameters: {} });
    const forged = { ...record, provider, analysis_profile: { ...profile, parameters: { a: 1 } } };
    const consistent = { ...forged, evidence_id: evidenceIdOf(forged) };
    expect(refusalOf(() => parseEvidence(consistent))["reason"]).toBe("profile_mismatch");
  });

  test("10,000 nested arrays are a typed refusal", () => {
    let deep: unknown = [];
    for (let level = 1; level < 10_000; level += 1) deep = [deep];
    expect(refusalOf(() => parseEvidence({ ...record, normalized_result: deep }))).toMatchObject({
      reason: "bounds",
      constraint: "depth",
    });
  });
});

describe("evidenceInput", () => {
  test("takes a reference and a full record and tells them apart", () => {
    const record = createEvidence(draft);
    expect(isEvidenceReference(evidenceInput.parse({ evidence_id: record.evidence_id }))).toBe(true);
    const full = evidenceInput.parse(record);
    expect(isEvidenceReference(full)).toBe(false);
    expect(parseEvidence(full)).toStrictEqual(record);
  });
});
