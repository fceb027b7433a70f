import {
  bundleChunks,
  escapeUntrusted,
  jsonObject,
  ReaError,
  throwIfAborted,
  type BundleSummary,
  type LedgerPort,
  type OperationContext,
} from "@rea/core";
import { publishFile } from "../publish-file.js";
import { namingFile } from "../target/refused-file.js";
import { readBundleFile } from "./bundle-file.js";
import { LedgerStore, type LedgerOptions } from "./ledger-store.js";

const inlineBytes = 1 << 20;

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
        const { unresolvedLinks } = await namingFile({ path: input.path, action }, () => readInto(staged, input.path, context));
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

/** Reads a bundle file into an empty store. When it throws, the store must be thrown away. */
async function readInto(staged: LedgerStore, path: string, context: OperationContext): Promise<BundleSummary> {
  const summary = await readBundleFile(path, {
    limits: staged.limits,
    takeRecord: (record) => staged.add(record),
    takeWhole: (whole) => staged.addWhole(whole),
    field: "path",
    context,
    operation: "import_evidence_bundle",
  });
  staged.addUnknowns(summary.unknowns);
  return summary;
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
