import { join } from "node:path";
import { unknownMutationPredicate } from "@rea/core";
import { describe, expect, test } from "vitest";
import { call, directory, failure, nativeFake, result, runtimeWith, writeTemporary } from "./support.js";

const question = { question: "Which  host receives\nthe report?", domain: "network", severity: "high", required_confidence: "observed" };

async function opened() {
  const service = runtimeWith({ providers: [nativeFake()] });
  const target = await result(service, "open_binary", { path: writeTemporary("app", "") });
  const reply = await call(service, "procedure_address", { procedure: "0x1000" });
  if (!reply.ok || !("evidence_id" in reply.value)) throw new Error("no record to cite");
  return { service, target, evidenceId: reply.value.evidence_id };
}

describe("the registry of unknowns", () => {
  test("records a question about the active target once, and says so the second time", async () => {
    const { service, target } = await opened();
    const first = await result(service, "record_unknown", question);
    // The id is a digest of domain, question and scope: the empty file's, as published with the format.
    expect(first.unknown.unknown_id).toBe("unk_ccb1a9c790a6befa2510b054efcf35dccb80a74ac3cb1031d66d8568e5a02f85");
    expect([first.created, first.unknown.scope_digest, first.unknown.revision]).toEqual([true, target.sha256, 1]);
    const second = await result(service, "record_unknown", { ...question, question: "Which host receives the report?", severity: "low" });
    expect([second.created, second.unknown]).toEqual([false, first.unknown]);
    expect((await result(service, "list_unknowns")).total).toBe(1);
  });

  test("a mutation is a record of its own, and the next revision names it", async () => {
    const { service, evidenceId } = await opened();
    const reply = await call(service, "record_unknown", question);
    if (!reply.ok || !("evidence" in reply.value)) throw new Error("no record");
    expect(reply.value.evidence.predicate_type).toBe(unknownMutationPredicate);
    expect(reply.value.evidence.authority).toBe("analyst-inference");
    const { unknown } = JSON.parse(JSON.stringify(reply.value.result));
    const next = await result(service, "update_unknown", {
      unknown_id: unknown.unknown_id,
      expected_revision: 1,
      status: "resolved",
      severity: "high",
      required_confidence: "observed",
      supporting_evidence_ids: [evidenceId],
      resolution: { disposition: "verified", rationale: "Seen in the code.", evidence_ids: [evidenceId] },
    });
    expect(next.unknown).toMatchObject({ revision: 2, mutation_evidence_ids: [reply.value.evidence_id], previous_revision_digest: unknown.revision_digest });
    expect(await result(service, "verify_unknown_resolution", { unknown_id: unknown.unknown_id })).toEqual({
      unknown: next.unknown,
      valid: true,
      truth_verified: true,
    });
  });

  test("a withdrawn question is valid and never verified truth; an open one is neither", async () => {
    const { service } = await opened();
    const { unknown } = await result(service, "record_unknown", question);
    const id = { unknown_id: unknown.unknown_id };
    expect(await result(service, "verify_unknown_resolution", id)).toMatchObject({ valid: false, truth_verified: false });
    const state = { ...id, expected_revision: 1, status: "resolved", severity: "low", required_confidence: "inferred" };
    await result(service, "update_unknown", { ...state, resolution: { disposition: "withdrawn", rationale: "Asked in error." } });
    expect(await result(service, "verify_unknown_resolution", id)).toMatchObject({ valid: true, truth_verified: false });
  });

  test("an old revision is a conflict that says which one is current, and changes nothing", async () => {
    const { service } = await opened();
    const { unknown } = await result(service, "record_unknown", question);
    const state = { unknown_id: unknown.unknown_id, status: "blocked", severity: "low", required_confidence: "observed" };
    await result(service, "update_unknown", { ...state, expected_revision: 1 });
    const refused = await failure(service, "update_unknown", { ...state, status: "open", expected_revision: 1 });
    expect(refused).toMatchObject({ code: "revision_conflict", details: { expected: 1, actual: 2 } });
    const { items } = await result(service, "list_unknowns", { status: "blocked" });
    expect(items.map(({ revision }: { revision: number }) => revision)).toEqual([2]);
  });

  test("the same state again is recorded and adds no revision", async () => {
    const { service } = await opened();
    const { unknown } = await result(service, "record_unknown", question);
    const state = { unknown_id: unknown.unknown_id, expected_revision: 1, status: "open", severity: "high", required_confidence: "observed" };
    expect((await result(service, "update_unknown", state)).unknown).toEqual(unknown);
    expect((await result(service, "binary_session")).evidence.unknown_revisions).toBe(1);
  });

  test("of two updates of one revision only one wins", async () => {
    const { service } = await opened();
    const { unknown } = await result(service, "record_unknown", question);
    const state = { unknown_id: unknown.unknown_id, expected_revision: 1, severity: "high", required_confidence: "observed" };
    const replies = await Promise.all([
      call(service, "update_unknown", { ...state, status: "blocked" }),
      call(service, "update_unknown", { ...state, status: "investigating" }),
    ]);
    expect(replies.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect((await result(service, "binary_session")).evidence.unknown_revisions).toBe(2);
  });

  test("what a state breaks by itself is an invalid request; what the session lacks is missing", async () => {
    const { service, evidenceId } = await opened();
    const { unknown } = await result(service, "record_unknown", question);
    const state = { unknown_id: unknown.unknown_id, expected_revision: 1, severity: "high", required_confidence: "observed" };
    const code = async (more: object) => (await failure(service, "update_unknown", { ...state, ...more })).code;
    expect(await code({ status: "resolved" })).toBe("invalid_request");
    expect(await code({ status: "contradicted" })).toBe("invalid_request");
    expect(await code({ status: "open", supporting_evidence_ids: [evidenceId], contradicting_evidence_ids: [evidenceId] })).toBe("invalid_request");
    expect(await code({ status: "open", relationships: [{ type: "related-to", unknown_id: unknown.unknown_id }] })).toBe("invalid_request");
    expect(await code({ status: "resolved", resolution: { disposition: "verified", rationale: "r" } })).toBe("invalid_request");
    const absent = `ev_${"0".repeat(64)}`;
    expect(await failure(service, "update_unknown", { ...state, status: "open", supporting_evidence_ids: [absent] })).toMatchObject({
      code: "evidence_integrity_mismatch",
      details: { reason: "missing", evidence_id: absent },
    });
    expect(await failure(service, "verify_unknown_resolution", { unknown_id: `unk_${"0".repeat(64)}` })).toMatchObject({
      code: "evidence_integrity_mismatch",
      details: { reason: "missing" },
    });
  });

  test("a circle of dependencies is refused and leaves nothing behind", async () => {
    const { service } = await opened();
    const one = (await result(service, "record_unknown", question)).unknown;
    const link = (id: string) => ({ relationships: [{ type: "depends-on", unknown_id: id }] });
    const two = (await result(service, "record_unknown", { ...question, question: "Which port?", ...link(one.unknown_id) })).unknown;
    const before = (await result(service, "binary_session")).evidence;
    const refused = await failure(service, "update_unknown", {
      unknown_id: one.unknown_id,
      expected_revision: 1,
      status: "open",
      severity: "high",
      required_confidence: "observed",
      ...link(two.unknown_id),
    });
    expect(refused).toMatchObject({ code: "evidence_integrity_mismatch", details: { reason: "unknown_graph", constraint: "depends_on_acyclic" } });
    expect((await result(service, "binary_session")).evidence).toEqual(before);
  });

  test("unknowns travel in a bundle and go on in another session", async () => {
    const { service } = await opened();
    const { unknown } = await result(service, "record_unknown", question);
    const path = join(directory(), "bundle.json");
    await result(service, "export_evidence_bundle", { path });
    const other = runtimeWith({ providers: [nativeFake()] });
    expect(await result(other, "import_evidence_bundle", { path })).toMatchObject({ unknowns_added: 1 });
    const state = { unknown_id: unknown.unknown_id, expected_revision: 1, status: "blocked", severity: "high", required_confidence: "observed" };
    expect((await result(other, "update_unknown", state)).unknown.revision).toBe(2);
    const again = join(directory(), "again.json");
    await result(other, "export_evidence_bundle", { path: again });
    expect(await result(service, "import_evidence_bundle", { path: again })).toMatchObject({ unknowns_added: 1 });
  });

  test("a cancelled change leaves neither record nor revision", async () => {
    const { service } = await opened();
    const before = (await result(service, "binary_session")).evidence;
    const abort = new AbortController();
    const pending = call(service, "record_unknown", question, abort.signal);
    abort.abort();
    expect(await pending).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect((await result(service, "binary_session")).evidence).toEqual(before);
  });
});
