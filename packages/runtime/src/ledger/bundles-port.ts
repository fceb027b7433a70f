import { canonicalSha256, type BundlesPort, type Evidence, type OperationContext } from "@rea/core";
import type { BundleContents, BundledRecord } from "@rea/compare";
import { namingFile } from "../target/refused-file.js";
import { readBundleFile } from "./bundle-file.js";
import type { LedgerOptions } from "./ledger-store.js";

const operation = "compare_bundles";

/** Work on bundle files; nothing of them enters the ledger. */
export function createBundlesPort({ limits }: LedgerOptions): BundlesPort {
  return {
    compare: async ({ left_bundle_path: left, right_bundle_path: right, record_pairs: pairs, offset, limit }, context) => {
      const contents = async (field: string, path: string): Promise<BundleContents> => {
        const records = new Map<string, BundledRecord>();
        const takeRecord = (record: Evidence): void => void records.set(record.evidence_id, summaryOf(record));
        const action = "Export the bundle again with export_evidence_bundle and compare that file.";
        const read = await namingFile({ path, action }, () => readBundleFile(path, { limits, takeRecord, field, context: unmeasured(context), operation }));
        return { sha256: read.sha256, records, unknowns: read.unknowns, unresolved: read.unresolvedLinks.length };
      };
      context.progress.report({ phase: "read", completed: 0, message: "Reading the bundles." });
      const [before, after] = [await contents("left_bundle_path", left), await contents("right_bundle_path", right)];
      const { compareBundles } = await import("@rea/compare");
      const result = compareBundles(before, after, { pairs, offset, limit });
      return {
        result,
        raw_result: null,
        provider: { id: "rea-comparison", name: "REA comparison", version: "1" },
        analysis_profile: null,
        subject: null,
        confidence: "derived",
        limitations: result.limitations,
        locations: [],
        resolved_parameters: { left_bundle_path: { sha256: before.sha256 }, right_bundle_path: { sha256: after.sha256 } },
      };
    },
  };
}

/** Two files are read one after the other, so their bytes do not make one measure. */
function unmeasured({ signal }: OperationContext): OperationContext {
  return { signal, progress: { report: () => undefined } };
}

function summaryOf(record: Evidence): BundledRecord {
  const { evidence_id, operation: producedBy, subject, ...rest } = record;
  const parts = Object.entries({ ...rest, operation: producedBy, subject: subject?.digest ?? null });
  return {
    evidence_id,
    operation: producedBy,
    subject_sha256: subject?.digest.sha256 ?? null,
    parts: Object.fromEntries(parts.map(([name, value]) => [name, canonicalSha256(value)])),
  };
}
