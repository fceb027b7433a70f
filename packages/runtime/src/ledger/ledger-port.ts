import {
  bundleChunks,
  BundleReader,
  escapeUntrusted,
  jsonObject,
  ReaError,
  throwIfAborted,
  type LedgerPort,
  type OperationContext,
} from "@rea/core";
import { publishFile } from "../publish-file.js";
import { requireLocalPath } from "../target/local-path.js";
import { openRegularFile } from "../target/open-file.js";
import { namingFile } from "../target/refused-file.js";
import { ledgerFull, LedgerStore, type LedgerOptions } from "./ledger-store.js";

const inlineBytes = 1 << 20;
const chunkBytes = 1 << 18;

/** The transfer tools' view of a ledger: inline bundle, export to a file, import from one. */
export function createLedgerPort(ledger: LedgerStore, options: LedgerOptions): LedgerPort {
  return {
    whole: (sha256) => ledger.whole(sha256),
    bundle: (context) => inlineBundle(ledger, context),
    exportBundle: async (input, context) => {
      const source = ledger.bundleSource({ wholes: input.include_wholes });
      const counts = { records: ledger.recordCount, unknowns: ledger.unknownCount };
      const written = await publishFile({
        path: input.path,
        field: "path",
        overwrite: input.overwrite,
        chunks: bundleChunks(source),
        signal: context.signal,
        operation: "export_evidence_bundle",
      });
      return { path: escapeUntrusted(input.path), bytes: written.bytes, ...counts, sha256: written.sha256 };
    },
    importBundle: async (input, context) => {
      const staged = new LedgerStore(options);
      try {
        const action = "Export the bundle again with export_evidence_bundle and import that file.";
        const { unresolvedLinks } = await namingFile({ path: input.path, action }, () =>
          readBundle(input.path, staged, { context, operation: "import_evidence_bundle" }),
        );
        throwIfAborted(context.signal, "import_evidence_bundle");
        const { imported, unknownsAdded } = ledger.merge(staged);
        const unresolved = unresolvedLinks.filter((id) => !ledger.has(id)).length;
        return { imported, total: ledger.recordCount, unknowns_added: unknownsAdded, unresolved_links: unresolved };
      } finally {
        staged.clear();
      }
    },
  };
}

/**
 * Reads a bundle file into an empty store, chunk by chunk. When it throws, the store must be thrown away.
 * Throws `target_unavailable` (missing, unreadable, not_regular), `truncated`, `evidence_integrity_mismatch`, `cancelled`.
 */
async function readBundle(
  path: string,
  staged: LedgerStore,
  { context, operation }: { readonly context: OperationContext; readonly operation: string },
): Promise<{ readonly unresolvedLinks: readonly string[] }> {
  requireLocalPath(path, "path", operation);
  const file = await openRegularFile(path);
  try {
    if (file.size > staged.limits.bytes) throw ledgerFull("bytes", staged.limits.bytes);
    const reader = new BundleReader({
      maxBytes: staged.limits.bytes,
      maxRecords: staged.limits.records,
      takeRecord: (record) => staged.add(record),
      takeWhole: (whole) => staged.addWhole(whole),
    });
    let completed = 0;
    for await (const chunk of chunksOf(file.handle.createReadStream({ autoClose: false, highWaterMark: chunkBytes }))) {
      throwIfAborted(context.signal, operation);
      reader.write(chunk);
      completed += chunk.byteLength;
      context.progress.report({ phase: "read", completed, message: "Reading the bundle." });
    }
    const summary = reader.end();
    staged.addUnknowns(summary.unknowns);
    return summary;
  } finally {
    await file.handle.close();
  }
}

async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
}

async function inlineBundle(ledger: LedgerStore, context: OperationContext) {
  const parts: string[] = [];
  let bytes = 0;
  for (const chunk of bundleChunks(ledger.bundleSource({ wholes: false }))) {
    bytes += Buffer.byteLength(chunk);
    if (bytes > inlineBytes) throw tooLargeInline();
    parts.push(chunk);
  }
  await new Promise((resolve) => setImmediate(resolve));
  throwIfAborted(context.signal, "get_evidence_bundle");
  return jsonObject.parse(JSON.parse(parts.join("")));
}

function tooLargeInline(): ReaError<"truncated"> {
  return new ReaError("truncated", {
    message: "The bundle takes more than 1 MiB, too much for a reply. Write it to a file with export_evidence_bundle.",
    details: { limit: "inline_bytes", maximum: inlineBytes },
    action: "Call export_evidence_bundle with a path.",
  });
}
