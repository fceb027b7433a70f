import { Worker } from "node:worker_threads";
import { ReaError, throwIfAborted, toReaError } from "@rea/core";
import type { AssetCatalog, CatalogRendition } from "../apple/asset-catalog/asset-catalog.js";
import type { InterfaceDocument, UndecodedNib } from "../apple/nib/interface-document.js";
import { decodeDocument, type CatalogPart, type DecodedDocument, type DocumentTask } from "./decode-document.js";

/** Smaller documents are decoded sooner than a thread starts. */
const largeBytes = 64 * 1024;

// Beside this module's directory when built; a bundle is one file, and the worker stands beside it.
const entry = new URL(import.meta.url.endsWith(".ts") ? "../../dist/document-worker.js" : /\/documents\/[^/]+$/u.test(import.meta.url) ? "../document-worker.js" : "./document-worker.js", import.meta.url);

export interface Decoding {
  readonly operation: string;
  readonly signal: AbortSignal;
}

/** What `readInterfaceDocument` finds, found by another thread when the document is large. Throws `cancelled`. */
export async function decodeInterfaceDocument(bytes: Uint8Array, decoding: Decoding): Promise<InterfaceDocument | UndecodedNib> {
  const decoded = await decodeApart({ kind: "nib", bytes }, decoding);
  if (decoded.kind !== "nib") throw cutShort(decoding);
  return decoded.found;
}

/** What `readAssetCatalog` finds, with renditions from `offset` on, `limit` of them. Throws `cancelled`. */
export async function decodeAssetCatalog(bytes: Uint8Array, page: { readonly offset: number; readonly limit: number }, decoding: Decoding): Promise<AssetCatalog | undefined> {
  const decoded = await decodeApart({ kind: "catalog", bytes, ...page }, decoding);
  if (decoded.kind !== "catalog") throw cutShort(decoding);
  return decoded.found === undefined ? undefined : catalogOf(decoded.found, bytes);
}

function catalogOf({ offset, renditions, ...rest }: CatalogPart, bytes: Uint8Array): AssetCatalog {
  const rendition = (index: number): CatalogRendition | undefined => {
    const placed = renditions[index - offset];
    if (placed?.found.stored === undefined) return placed?.found;
    const { found, dataOffset, dataBytes } = placed;
    return { ...found, stored: { ...placed.found.stored, data: bytes.subarray(dataOffset, dataOffset + dataBytes) } };
  };
  return { ...rest, rendition };
}

async function decodeApart(task: DocumentTask, { operation, signal }: Decoding): Promise<DecodedDocument> {
  throwIfAborted(signal, operation);
  if (task.bytes.byteLength <= largeBytes) return decodeDocument(task);
  // stdout belongs to whoever uses the library.
  const thread = new Worker(entry, { stdout: true, execArgv: [] });
  const over = new AbortController();
  try {
    return await new Promise<DecodedDocument>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(toReaError(new DOMException("aborted", "AbortError"), operation)), { once: true, signal: over.signal });
      thread.once("error", reject);
      thread.once("exit", () => reject(cutShort({ operation })));
      thread.once("message", resolve);
      const bytes = Uint8Array.prototype.slice.call(task.bytes);
      thread.postMessage({ ...task, bytes }, [bytes.buffer]);
    });
  } finally {
    over.abort();
    await thread.terminate();
  }
}

function cutShort({ operation }: Pick<Decoding, "operation">): ReaError {
  return new ReaError("artifact_operation_failed", { message: "The decoding of a document was cut short. Call again.", details: { operation, reason: "unavailable" } });
}
