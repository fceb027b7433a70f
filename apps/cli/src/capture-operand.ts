import { isReaError, type Evidence, type JsonObject } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import { localPath } from "./argument-values.js";
import type { CommandSession } from "./command-session.js";
import { jsonFile } from "./json-file.js";
import { placeOf } from "./record-place.js";
import { UsageError } from "./usage-error.js";

export type GivenRecord = { readonly evidence: { readonly [key: string]: unknown } } | { readonly failed: Extract<ToolReply, { ok: false }>["error"] };

export interface CaptureOperand {
  /** How messages call it. */
  readonly name: string;
  readonly text: string;
  /** Operations whose records it can be. */
  readonly operations: readonly string[];
  /** Makes a record of a capture that lies in a file by itself. */
  readonly adopt: (capture: JsonObject) => Promise<Evidence>;
}

/** The record of a bundle, by its id or as the only capture in it; a capture in a file; or a record itself. */
export async function captureRecord(session: CommandSession, { name, text, operations, adopt }: CaptureOperand): Promise<GivenRecord> {
  const { path, id } = placeOf(text);
  if (id !== undefined) return imported(session, path, id);
  const value = jsonFile(name, path);
  if ("bundle_version" in value) return imported(session, path, onlyCapture(name, value, operations));
  const inside = value["evidence"];
  const record = typeof inside === "object" && inside !== null && "evidence_id" in inside ? inside : value;
  if ("evidence_id" in record) return { evidence: { ...record } };
  try {
    return { evidence: { ...(await adopt(value)) } };
  } catch (error) {
    if (isReaError(error)) return { failed: error.toObject() };
    throw error;
  }
}

async function imported(session: CommandSession, path: string, id: string): Promise<GivenRecord> {
  const reply = await session.call("import_evidence_bundle", { path: localPath(path) });
  return reply.ok ? { evidence: { evidence_id: id } } : { failed: reply.error };
}

function onlyCapture(name: string, bundle: JsonObject, operations: readonly string[]): string {
  const records = bundle["records"];
  const ids = Array.isArray(records) ? records.flatMap((record: unknown) => idOf(record, operations)) : [];
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return only;
  throw new UsageError(`${name} is a bundle with ${String(ids.length)} captures; name one of them as BUNDLE#ev_…`);
}

function idOf(record: unknown, operations: readonly string[]): string[] {
  if (typeof record !== "object" || record === null || !("evidence_id" in record) || !("operation" in record)) return [];
  const { evidence_id: id, operation } = record;
  return typeof id === "string" && typeof operation === "string" && operations.includes(operation) ? [id] : [];
}
