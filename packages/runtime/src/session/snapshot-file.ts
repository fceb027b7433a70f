import {
  bundleChunks,
  BundleReader,
  canonicalJson,
  canonicalSha256,
  evidenceRefusal,
  isDeepOperation,
  jsonObject,
  jsonValue,
  parseStrictJson,
  ReaError,
  z,
  type BundleSource,
  type OperationContext,
} from "@rea/core";
import type { LedgerStore } from "../ledger/ledger-store.js";
import { requireLocalPath } from "../target/local-path.js";
import { openRegularFile } from "../target/open-file.js";
import { namingFile } from "../target/refused-file.js";
import { maximumEntries, queryId, snapshotEntrySchema, type AnswerCache, type CacheScope, type SnapshotEntry } from "./answer-cache.js";
import { checkSeal, sealed } from "./snapshot-seal.js";

const snapshotVersion = 2;
const maximumBytes = 256 * 1024 ** 2;

const snapshotSchema = z.strictObject({
  snapshot_version: z.literal(snapshotVersion),
  target: jsonObject,
  binding: jsonObject,
  entries: z.array(snapshotEntrySchema).max(maximumEntries),
  evidence_bundle: jsonValue,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The canonical text of a snapshot file, in pieces. */
export function snapshotChunks(cache: AnswerCache, evidence: BundleSource): Generator<string> {
  return sealed(bodyChunks(cache, evidence), tailText(cache.scope));
}

function* bodyChunks(cache: AnswerCache, evidence: BundleSource): Generator<string> {
  yield `{"binding":${canonicalJson(cache.scope.binding)},"entries":`;
  let separator = "[";
  for (const entry of cache.entries()) {
    yield `${separator}${canonicalJson(entry)}`;
    separator = ",";
  }
  yield `${separator === "[" ? "[]" : "]"},"evidence_bundle":`;
  yield* bundleChunks(evidence);
}

function tailText({ target }: Pick<CacheScope, "target">): string {
  return `,"snapshot_version":${String(snapshotVersion)},"target":${canonicalJson(target)}}`;
}

/**
 * Reads a snapshot file for a target and binding: checks everything, fills `staged` with its Evidence and returns its
 * entries. When it throws, `staged` must be thrown away and nothing has changed.
 *
 * Throws `evidence_integrity_mismatch` (`id_mismatch` when any byte of the file was changed, `target_mismatch`,
 * `profile_mismatch` and the reasons of bundles),
 * `target_unavailable` for the file itself, `truncated` for a file beyond 256 MiB.
 */
export async function readSnapshot(
  path: string,
  scope: CacheScope,
  { staged, context }: { readonly staged: LedgerStore; readonly context: OperationContext },
): Promise<SnapshotEntry[]> {
  requireLocalPath(path, "snapshot_path", "open_binary");
  const bytes = await readWhole(path, context);
  const action = "Open the target without snapshot_path and save the snapshot again with close_binary.";
  return namingFile({ path, action }, async () => readEntries(bytes, scope, staged));
}

function readEntries(bytes: Uint8Array, scope: CacheScope, staged: LedgerStore): SnapshotEntry[] {
  const parsed = snapshotSchema.safeParse(parseSnapshot(bytes));
  if (!parsed.success) throw refuseSchema(parsed.error);
  checkSeal(bytes, tailText(parsed.data), parsed.data.sha256);
  requireEqual("target_mismatch", "target", scope.target, parsed.data.target);
  requireEqual("profile_mismatch", "binding", scope.binding, parsed.data.binding);
  checkEntries(scope, parsed.data.entries);
  readEvidence(parsed.data.evidence_bundle, staged);
  return parsed.data.entries;
}

async function readWhole(path: string, { signal }: OperationContext): Promise<Uint8Array> {
  const file = await openRegularFile(path);
  try {
    if (file.size > maximumBytes) {
      throw new ReaError("truncated", {
        message: "The analysis snapshot is larger than 256 MiB. Open the target without it.",
        details: { limit: "bytes", maximum: maximumBytes },
      });
    }
    return await file.handle.readFile({ signal });
  } finally {
    await file.handle.close();
  }
}

/** Bounds hold for each entry and each record, not for the file. */
function parseSnapshot(bytes: Uint8Array): unknown {
  return parseStrictJson(bytes, {
    frameDepthOf: (member) => (member === "evidence_bundle" ? 3 : 2),
  });
}

function refuseSchema(error: z.ZodError): ReaError {
  const [issue] = error.issues;
  const place = issue?.path.slice(0, 1).map(String).join(".") ?? "";
  const version = place === "snapshot_version";
  return evidenceRefusal(
    version ? "unsupported_version" : "schema",
    version
      ? "The analysis snapshot has an unsupported version. Save it again with this version."
      : "The file is not an analysis snapshot. Name a file that close_binary saved.",
    { constraint: place === "" ? "top level" : place },
  );
}

function requireEqual(reason: "target_mismatch" | "profile_mismatch", what: string, expected: unknown, actual: unknown): void {
  const [wanted, found] = [canonicalSha256(expected), canonicalSha256(actual)];
  if (wanted === found) return;
  throw evidenceRefusal(reason, `The analysis snapshot was saved for another ${what}. Open the target without it.`, {
    constraint: what,
    expected: wanted,
    actual: found,
  });
}

function checkEntries(scope: CacheScope, entries: readonly SnapshotEntry[]): void {
  let last = "";
  for (const entry of entries) {
    const { query_id: id, operation, parameters } = entry;
    if (id <= last) throw evidenceRefusal("duplicate_id", "The entries of the snapshot are not sorted and unique.", { constraint: id });
    last = id;
    if (isDeepOperation(operation) && queryId(scope, operation, parameters) === id) continue;
    throw evidenceRefusal("id_mismatch", "A query id of the snapshot does not match its entry.", { constraint: id });
  }
}

function readEvidence(bundle: unknown, staged: LedgerStore): void {
  const reader = new BundleReader({
    maxBytes: staged.limits.bytes,
    maxRecords: staged.limits.records,
    takeRecord: (record) => staged.add(record),
    takeWhole: (whole) => staged.addWhole(whole),
  });
  const text = canonicalJson(bundle, { depth: 128, nodes: Number.MAX_SAFE_INTEGER, stringBytes: 16 * 1024 ** 2 });
  reader.write(Buffer.from(text));
  staged.addUnknowns(reader.end().unknowns);
}
