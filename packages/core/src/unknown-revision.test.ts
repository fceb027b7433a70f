import { describe, expect, test } from "vitest";

import { refusalOf } from "../test/refusal.js";
import { emptySha256 } from "./digest.js";
import { createEvidence, type EvidenceDraft } from "./evidence.js";
import type { Evidence } from "./evidence-schema.js";
import { unknownMutationPredicate } from "./evidence-words.js";
import { brokenResolutionRule, checkUnknownGraph, evidenceFacts, type EvidenceFacts } from "./unknown-graph.js";
import {
  firstUnknownRevision,
  nextUnknownRevision,
  parseUnknownRevision,
  unknownIdOf,
  type UnknownRevision,
  type UnknownState,
} from "./unknown-revision.js";

const about = { domain: "network", question: "Which host receives the report?", scope_digest: emptySha256 };
const openState: UnknownState = {
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

function record(change: Partial<EvidenceDraft>): Evidence {
  return createEvidence({
    subject: null,
    provider: { id: "rea-native", name: "REA native analysis", version: "1" },
    operation: "xrefs_to",
    parameters: {},
    normalized_result: null,
    confidence: "observed",
    authority: "shipped-artifact",
    ...change,
  });
}

function mutation(unknown: UnknownRevision): Evidence {
  const normalized_result = { unknown, created: unknown.revision === 1 };
  return record({ operation: "record_unknown", predicate_type: unknownMutationPredicate, normalized_result });
}

function factsOf(...records: Evidence[]): (id: string) => EvidenceFacts | undefined {
  const known = new Map(records.map((item) => [item.evidence_id, evidenceFacts(item)]));
  return (id) => known.get(id);
}

const graphRule = (revisions: UnknownRevision[], ...records: Evidence[]): unknown =>
  refusalOf(() => checkUnknownGraph(revisions, factsOf(...records)))["constraint"];

describe("an unknown's id", () => {
  test("is the contract's, whatever the white space in the question", () => {
    const id = "unk_ccb1a9c790a6befa2510b054efcf35dccb80a74ac3cb1031d66d8568e5a02f85";
    expect(unknownIdOf(about)).toBe(id);
    expect(unknownIdOf({ ...about, question: "\n Which\t host receives  the report? " })).toBe(id);
    expect(unknownIdOf({ ...about, scope_digest: null })).not.toBe(id);
  });
});

describe("a revision", () => {
  const first = firstUnknownRevision(about, openState);

  test("reads back, and is refused when anything in it was changed", () => {
    expect(parseUnknownRevision(JSON.parse(JSON.stringify(first)))).toStrictEqual(first);
    expect(refusalOf(() => parseUnknownRevision({ ...first, severity: "low" }))["constraint"]).toBe("revision_digest");
    expect(refusalOf(() => parseUnknownRevision({ ...first, domain: "files" }))["constraint"]).toBe("unknown_id");
    expect(refusalOf(() => parseUnknownRevision({ ...first, extra: 1 }))["reason"]).toBe("schema");
  });

  test("stores sets sorted, so that the order of input does not matter", () => {
    const ids = [`ev_${"b".repeat(64)}`, `ev_${"a".repeat(64)}`];
    const relationships = ["b", "a"].map((digit) => ({
      type: "related-to" as const,
      unknown_id: `unk_${digit.repeat(64)}`,
    }));
    const one = firstUnknownRevision(about, { ...openState, supporting_evidence_ids: ids, relationships });
    const two = firstUnknownRevision(about, {
      ...openState,
      supporting_evidence_ids: [...ids].reverse(),
      relationships: [...relationships].reverse(),
    });
    expect(one).toStrictEqual(two);
  });

  test("keeps the rules about its own state", () => {
    const id = `ev_${"a".repeat(64)}`;
    const broken = (state: Partial<UnknownState>): unknown =>
      refusalOf(() => firstUnknownRevision(about, { ...openState, ...state }))["constraint"];
    const withdrawn = { disposition: "withdrawn" as const, rationale: "No longer asked." };
    expect(broken({ status: "resolved" })).toBe("resolution: present_when_resolved");
    expect(broken({ resolution: withdrawn })).toBe("resolution: present_when_resolved");
    expect(broken({ status: "contradicted" })).toBe("contradicting_evidence_ids: not_empty");
    expect(broken({ supporting_evidence_ids: [id], contradicting_evidence_ids: [id] })).toContain("disjoint");
    expect(broken({ relationships: [{ type: "depends-on", unknown_id: unknownIdOf(about) }] })).toContain("no_self_link");
    expect(broken({ resolution: { disposition: "verified", rationale: "x", evidence_ids: [] } })).toContain("not_empty");
    expect(firstUnknownRevision(about, { ...openState, status: "resolved", resolution: withdrawn }).status).toBe("resolved");
  });

  test("bounds text in code points", () => {
    const question = "😀".repeat(1000);
    expect(firstUnknownRevision({ ...about, question }, openState).question).toBe(question);
    expect(refusalOf(() => firstUnknownRevision({ ...about, question: `${question}a` }, openState))["reason"]).toBe("schema");
  });
});

describe("checkUnknownGraph", () => {
  const first = firstUnknownRevision(about, openState);
  const firstMutation = mutation(first);
  const second = nextUnknownRevision(first, firstMutation.evidence_id, { ...openState, status: "investigating" });

  test("accepts a complete history in any order", () => {
    expect(() => checkUnknownGraph([second, first], factsOf(firstMutation))).not.toThrow();
    expect(second.previous_revision_digest).toBe(first.revision_digest);
  });

  test("refuses a history with a hole or a foreign predecessor", () => {
    expect(graphRule([second], firstMutation)).toBe("history_complete");
    const other = firstUnknownRevision(about, { ...openState, severity: "low" });
    expect(graphRule([other, second], firstMutation)).toBe("previous_revision_digest");
  });

  test("refuses mutation ids that are not the records of the earlier revisions", () => {
    const plain = record({});
    const wrong = nextUnknownRevision(first, plain.evidence_id, openState);
    expect(graphRule([first, wrong], plain)).toBe("mutation_records");
    expect(graphRule([first, second])).toBe("mutation_records");
  });

  test("refuses references that lead outside", () => {
    const cites = firstUnknownRevision(about, { ...openState, supporting_evidence_ids: [firstMutation.evidence_id] });
    expect(graphRule([cites])).toBe("evidence_retained");
    const relationships = [{ type: "related-to" as const, unknown_id: `unk_${"0".repeat(64)}` }];
    expect(graphRule([firstUnknownRevision(about, { ...openState, relationships })])).toBe("relationship_known");
  });

  test("refuses a circle of dependencies among latest revisions, but not one that was dissolved", () => {
    const names = ["a", "b", "c"].map((question) => ({ ...about, question }));
    const ids = names.map(unknownIdOf);
    const circle = names.map((name, index) =>
      firstUnknownRevision(name, {
        ...openState,
        relationships: [{ type: "depends-on", unknown_id: ids[(index + 1) % 3] ?? "" }],
      }),
    );
    expect(graphRule(circle)).toBe("depends_on_acyclic");
    const [head] = circle;
    if (head === undefined) throw new Error("The circle has a head.");
    const headMutation = mutation(head);
    const dissolved = nextUnknownRevision(head, headMutation.evidence_id, openState);
    expect(() => checkUnknownGraph([...circle, dissolved], factsOf(headMutation))).not.toThrow();
  });

  test("a verified resolution needs a supporting record that meets what was asked for", () => {
    const environment = { id: null, platform: "linux", architecture: "x86_64", isolation: "process" } as const;
    const good = record({ authority: "runtime-observation", environment });
    const verified = (cited: Evidence, state: Partial<UnknownState> = {}): string | undefined => {
      const ids = [cited.evidence_id];
      const revision = firstUnknownRevision(about, {
        ...openState,
        status: "resolved",
        supporting_evidence_ids: ids,
        required_authority: "runtime-observation",
        required_environment: { id: null, platform: "linux", architecture: null, isolation: null },
        resolution: { disposition: "verified", rationale: "Seen in the capture.", evidence_ids: ids },
        ...state,
      });
      return brokenResolutionRule(revision, factsOf(cited));
    };
    expect(verified(good)).toBeUndefined();
    expect(verified(record({ environment }))).toBe("resolution_verified");
    expect(verified(record({ authority: "runtime-observation" }))).toBe("resolution_verified");
    expect(verified(record({ authority: "runtime-observation", environment, confidence: "inferred" }))).toBe("resolution_verified");
    expect(verified(good, { supporting_evidence_ids: [] })).toBe("resolution_verified");
    expect(verified(good, { contradicting_evidence_ids: [`ev_${"a".repeat(64)}`] })).toBe("resolution_uncontradicted");
    expect(verified(firstMutation, { required_authority: null, required_environment: null })).toBe("resolution_verified");
  });
});
