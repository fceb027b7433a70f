import { BundleReader, throwIfAborted, type BundleSummary, type BundleWhole, type Evidence, type OperationContext } from "@rea/core";
import { requireLocalPath } from "../target/local-path.js";
import { openRegularFile } from "../target/open-file.js";
import { ledgerFull, type LedgerLimits } from "./ledger-store.js";

const chunkBytes = 1 << 18;

export interface BundleFileReading {
  readonly limits: LedgerLimits;
  readonly takeRecord: (record: Evidence) => void;
  readonly takeWhole?: (whole: BundleWhole) => void;
  /** The input field that holds the path. */
  readonly field: string;
  readonly context: OperationContext;
  readonly operation: string;
}

/**
 * Reads a bundle file chunk by chunk. When it throws, everything that was taken must be thrown away.
 * Throws `target_unavailable` (missing, unreadable, not_regular), `truncated`, `evidence_integrity_mismatch`, `cancelled`.
 */
export async function readBundleFile(path: string, { limits, takeRecord, takeWhole, field, context, operation }: BundleFileReading): Promise<BundleSummary> {
  requireLocalPath(path, field, operation);
  const file = await openRegularFile(path);
  try {
    if (file.size > limits.bytes) throw ledgerFull("bytes", limits.bytes);
    const reader = new BundleReader({ maxBytes: limits.bytes, maxRecords: limits.records, takeRecord, ...(takeWhole === undefined ? {} : { takeWhole }) });
    let completed = 0;
    for await (const chunk of chunksOf(file.handle.createReadStream({ autoClose: false, highWaterMark: chunkBytes }))) {
      throwIfAborted(context.signal, operation);
      reader.write(chunk);
      completed += chunk.byteLength;
      context.progress.report({ phase: "read", completed, message: "Reading the bundle." });
    }
    return reader.end();
  } finally {
    await file.handle.close();
  }
}

async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
}
