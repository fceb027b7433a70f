import { ReaError, throwIfAborted, type ErrorObject, type Evidence, type OperationContext } from "@rea/core";
import { invoke, type ToolReply, type ToolService } from "@rea/tool";
import { readBundleFile } from "../ledger/bundle-file.js";
import { standardLimits } from "../ledger/ledger-store.js";
import { againInput, type RederivationTarget, type UnrepeatedReason } from "./again-input.js";
import { judgeAgain, type AgainVerdict } from "./judge-again.js";

export interface RederivedRecord {
  readonly evidence_id: string;
  readonly operation: string;
  readonly verdict: AgainVerdict["verdict"];
  /** Why it cannot be made again; null for the other verdicts. */
  readonly reason: UnrepeatedReason | null;
  /** JSON pointer into the record to what is contradicted first; null for the other verdicts. */
  readonly place: string | null;
  /** Code of the error when making it again failed. */
  readonly error_code: string | null;
}

export interface Rederivation {
  readonly target_sha256: string | null;
  readonly summary: { readonly confirmed: number; readonly contradicted: number; readonly not_rederivable: number };
  /** In the order in which they were made again: what a record rests on stands before it. */
  readonly records: readonly RederivedRecord[];
  readonly limitations: readonly string[];
}

export interface RederivationRequest {
  /** Bundle file that this session has imported. */
  readonly bundle: string;
  /** The open target. */
  readonly target: RederivationTarget;
}

const operation = "evidence_verify";
const limitations = [
  "A confirmed record is what this version finds in these bytes again; that both are right is not proved by it.",
  "A record that could not be made again is neither right nor wrong.",
];

/**
 * Makes the records of an imported bundle again from the open target, as far as the tools can, and says of each whether it
 * was confirmed, contradicted, or why it cannot be made again. Throws `cancelled`, and what reading the bundle throws.
 */
export async function rederiveBundle({ tools, host }: ToolService, { bundle, target }: RederivationRequest, context: OperationContext): Promise<Rederivation> {
  const outlines = new Map<string, readonly string[]>();
  const quiet = { signal: context.signal, progress: { report: () => undefined } };
  await readBundleFile(bundle, { limits: standardLimits, takeRecord: (record) => void outlines.set(record.evidence_id, record.evidence_links), field: "path", context: quiet, operation });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const records: RederivedRecord[] = [];
  const contradicted = new Set<string>();
  for (const id of inputsFirst(outlines)) {
    throwIfAborted(context.signal, operation);
    context.progress.report({ phase: operation, completed: records.length, total: outlines.size, message: "Making the records again." });
    const record = host.ports.evidence.find({ evidence_id: id });
    if (record === undefined) throw new ReaError("target_unavailable", { message: "The bundle changed while it was read. Verify it again.", details: { reason: "target_changed" } });
    const judged = record.evidence_links.some((link) => contradicted.has(link)) ? unrepeated("contradicted_input") : await again(record);
    if (judged.verdict === "contradicted") contradicted.add(id);
    records.push({ evidence_id: id, operation: record.operation, ...judged });
  }
  const count = (verdict: AgainVerdict["verdict"]): number => records.filter((record) => record.verdict === verdict).length;
  return { target_sha256: target.sha256, summary: { confirmed: count("confirmed"), contradicted: count("contradicted"), not_rederivable: count("not_rederivable") }, records, limitations };

  async function again(record: Evidence): Promise<Judged> {
    const tool = byName.get(record.operation);
    const asked = againInput(tool, record, target);
    if (tool === undefined || "reason" in asked) return unrepeated("reason" in asked ? asked.reason : "no_tool");
    return judged(record, await invoke(tool, asked.input, host, { signal: context.signal }));
  }
}

type Judged = Omit<RederivedRecord, "evidence_id" | "operation">;

function judged(record: Evidence, reply: ToolReply): Judged {
  if (!reply.ok) {
    if (reply.error.code === "cancelled") throw cancelledError(reply.error);
    const missing = reply.error.code === "evidence_integrity_mismatch";
    return { ...unrepeated(missing ? "missing_input" : "failed"), error_code: reply.error.code };
  }
  if (!("evidence" in reply.value)) return unrepeated("no_tool");
  const verdict = judgeAgain(record, reply.value.evidence);
  if (verdict.verdict === "not_rederivable") return unrepeated(verdict.reason);
  return { verdict: verdict.verdict, reason: null, place: verdict.verdict === "contradicted" ? verdict.place : null, error_code: null };
}

function unrepeated(reason: UnrepeatedReason): Judged {
  return { verdict: "not_rederivable", reason, place: null, error_code: null };
}

function cancelledError({ message }: ErrorObject): ReaError {
  return new ReaError("cancelled", { message, details: { operation, cleanup: "complete" } });
}

/** Ids so that what a record links to comes before it. A record cannot link to itself, nor in a circle: ids are digests. */
function inputsFirst(links: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const ordered = new Set<string>();
  for (const first of links.keys()) {
    const open = [first];
    for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
      const waiting = (links.get(id) ?? []).filter((link) => links.has(link) && !ordered.has(link));
      if (waiting.length === 0) {
        ordered.add(id);
        open.pop();
      } else open.push(...waiting);
    }
  }
  return [...ordered];
}
