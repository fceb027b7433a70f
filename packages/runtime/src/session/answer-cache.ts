import {
  canonicalJson,
  canonicalSha256,
  isJsonObject,
  jsonObject,
  jsonValue,
  confidenceLevels,
  evidenceLocationSchema,
  z,
  type DeepOperationName,
  type Execution,
  type JsonObject,
  type JsonValue,
} from "@rea/core";
import type { AnalysisProviderBinding, Target } from "@rea/provider";
import { SpillStore } from "../ledger/spill-store.js";

export const maximumEntries = 10_000;
const memoryBytes = 16 * 1024 ** 2;

/** The part of an answer that a binding and a target do not already say. */
const answerSchema = z.strictObject({
  result: jsonValue,
  raw_result: jsonValue,
  confidence: z.enum(confidenceLevels),
  limitations: z.array(z.string()),
  locations: z.array(evidenceLocationSchema),
  resolved_parameters: jsonObject,
});
export type CachedAnswer = z.infer<typeof answerSchema>;

export const snapshotEntrySchema = z.strictObject({
  query_id: z.string().regex(/^query_[0-9a-f]{64}$/),
  operation: z.string(),
  parameters: jsonObject,
  execution: answerSchema,
});
export type SnapshotEntry = z.infer<typeof snapshotEntrySchema>;

/** What the answers belong to. */
export interface CacheScope {
  readonly target: JsonObject;
  readonly binding: JsonObject;
}

export function cacheScope(target: Target, binding: AnalysisProviderBinding): CacheScope {
  const { id, name, version } = binding.provider;
  return {
    target: { sha256: target.sha256, kind: target.kind, format: target.format, architecture: target.architecture },
    binding: {
      provider: { id, name, version },
      analysis_profile: jsonObject.parse(JSON.parse(canonicalJson(binding.analysis_profile))),
    },
  };
}

export function queryId(scope: CacheScope, operation: string, parameters: JsonObject): string {
  return `query_${canonicalSha256({ ...scope, operation, parameters })}`;
}

/** Answers of one target under one binding: collected for the snapshot file, and answered from when they were imported. */
export interface AnswerCache {
  readonly scope: CacheScope;
  readonly size: number;
  /** An imported answer; undefined when the provider must be asked. */
  lookup(operation: DeepOperationName, parameters: JsonObject): CachedAnswer | undefined;
  /** Keeps an answer when it is one that may be kept. */
  keep(operation: DeepOperationName, parameters: JsonObject, execution: Execution<unknown>): void;
  importEntries(entries: readonly SnapshotEntry[]): void;
  /** Sorted by query id. */
  entries(): Iterable<JsonObject>;
  clear(): void;
}

export function createAnswerCache(scope: CacheScope, directory: string): AnswerCache {
  const store = new SpillStore({ memoryBytes, directory });
  const imported = new Set<string>();
  const put = (entry: SnapshotEntry): void => {
    if (store.size < maximumEntries) store.put(entry.query_id, canonicalJson(entry));
  };
  const read = (id: string): SnapshotEntry | undefined => {
    const text = store.get(id);
    return text === undefined ? undefined : snapshotEntrySchema.parse(JSON.parse(text));
  };
  return {
    scope,
    get size() {
      return store.size;
    },
    lookup: (operation, parameters) => {
      if (imported.size === 0 || !isCacheable(operation, parameters)) return undefined;
      const id = queryId(scope, operation, parameters);
      return imported.has(id) ? read(id)?.execution : undefined;
    },
    keep: (operation, parameters, execution) => {
      const answer = answerSchema.safeParse(answerOf(execution));
      if (!isCacheable(operation, parameters) || !answer.success || isPartial(answer.data.result)) return;
      // Somebody annotated the target between the question and the answer, or the provider cannot say beforehand.
      if (execution.resolved_parameters["annotations_sha256"] !== parameters["annotations_sha256"]) return;
      put({ query_id: queryId(scope, operation, parameters), operation, parameters, execution: answer.data });
    },
    importEntries: (entries) => {
      for (const entry of entries) {
        put(entry);
        if (store.has(entry.query_id)) imported.add(entry.query_id);
      }
    },
    *entries() {
      for (const id of [...store.keys()].sort()) yield jsonObject.parse(JSON.parse(store.get(id) ?? "{}"));
    },
    clear: () => {
      store.clear();
      imported.clear();
    },
  };
}

/** Parsed input as it enters a query id. */
export function queryParameters(params: unknown, standing: JsonObject): JsonObject {
  return jsonObject.parse(JSON.parse(canonicalJson({ ...jsonObject.parse(params), ...standing })));
}

const cursorReads: ReadonlySet<string> = new Set(["current_document", "current_address", "current_procedure"]);
const atCursorByDefault: ReadonlySet<string> = new Set([
  "next_address",
  "prev_address",
  "address_name",
  "comment",
  "inline_comment",
]);
const changes: ReadonlySet<DeepOperationName> = new Set([
  "goto_address",
  "set_current_document",
  "set_address_name",
  "set_addresses_names",
  "set_comment",
  "set_inline_comment",
  "set_bookmark",
  "unset_bookmark",
]);

/** True for operations that change annotations or the cursor. */
export function isChange(operation: DeepOperationName): boolean {
  return changes.has(operation);
}

/** True for a read whose answer is another one after the cursor has moved. */
export function readsCursor(operation: string, parameters: JsonObject): boolean {
  return cursorReads.has(operation) || (atCursorByDefault.has(operation) && parameters["address"] === undefined);
}

function isCacheable(operation: DeepOperationName, parameters: JsonObject): boolean {
  return !changes.has(operation) && !readsCursor(operation, parameters);
}

/** A list anywhere near the top of the result that says it is not complete. */
function isPartial(result: JsonValue, depth = 0): boolean {
  if (!isJsonObject(result) || depth > 2) return false;
  const { coverage } = result;
  if (coverage !== undefined && isJsonObject(coverage) && coverage["state"] !== "complete") return true;
  return Object.values(result).some((member) => isPartial(member, depth + 1));
}

function answerOf({ result, raw_result, confidence, limitations, locations, resolved_parameters }: Execution<unknown>) {
  return { result, raw_result, confidence, limitations, locations, resolved_parameters };
}
