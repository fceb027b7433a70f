import { isJsonObject, jsonObject, type JsonObject } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import { readFileSync, statSync } from "node:fs";
import { localPath } from "./argument-values.js";
import { type GivenRecord } from "./capture-operand.js";
import { placeOf } from "./record-place.js";
import type { CommandSession } from "./command-session.js";
import { UsageError } from "./usage-error.js";

const operation = "analyze_javascript_application";
const mostJsonBytes = 256 * 1024 * 1024;

/**
 * An analysed application as commands name it: an application, which is analysed now; a saved record; a bundle with one
 * analysis; or `BUNDLE#ev_…`.
 */
export async function applicationRecord(session: CommandSession, { name, text }: { readonly name: string; readonly text: string }): Promise<GivenRecord> {
  const { path, id } = placeOf(text);
  if (id !== undefined) return imported(session, path, id);
  const value = savedJson(path);
  if (value !== undefined && "bundle_version" in value) return imported(session, path, onlyAnalysis(name, value));
  const record = value === undefined ? undefined : recordIn(value);
  return record === undefined ? analysed(await session.call(operation, { input_path: localPath(path), integrity_policy: "record-and-continue" })) : { evidence: record };
}

async function imported(session: CommandSession, path: string, id: string): Promise<GivenRecord> {
  const reply = await session.call("import_evidence_bundle", { path: localPath(path) });
  return reply.ok ? { evidence: { evidence_id: id } } : { failed: reply.error };
}

function analysed(reply: ToolReply): GivenRecord {
  if (!reply.ok) return { failed: reply.error };
  return { evidence: "evidence_id" in reply.value ? { evidence_id: reply.value.evidence_id } : {} };
}

/** The object in a `.json` file; undefined for everything else, which is an application. */
function savedJson(path: string): JsonObject | undefined {
  const absolute = localPath(path);
  const stat = path.endsWith(".json") ? statSync(absolute, { throwIfNoEntry: false }) : undefined;
  if (stat?.isFile() !== true || stat.size > mostJsonBytes) return undefined;
  try {
    return jsonObject.safeParse(JSON.parse(readFileSync(absolute, "utf8"))).data;
  } catch {
    // No JSON after all: the reader of applications says what it makes of it.
    return undefined;
  }
}

/** A record, or the envelope that holds one, as `--json` prints it. */
function recordIn(value: JsonObject): JsonObject | undefined {
  const inside = value["evidence"];
  const record = isJsonObject(inside) ? inside : value;
  return "evidence_id" in record && "normalized_result" in record ? record : undefined;
}

function onlyAnalysis(name: string, bundle: JsonObject): string {
  const records = bundle["records"];
  const ids = Array.isArray(records) ? records.flatMap((record: unknown) => idOf(record)) : [];
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return only;
  throw new UsageError(`${name} is a bundle with ${String(ids.length)} analyses; name one of them as BUNDLE#ev_…`);
}

function idOf(record: unknown): string[] {
  if (typeof record !== "object" || record === null || !("evidence_id" in record) || !("operation" in record)) return [];
  const { evidence_id: id, operation: made } = record;
  return typeof id === "string" && made === operation ? [id] : [];
}
