import type { OperationResult } from "@rea/core";
import { fitting, pageBytes } from "../inspection/reply-bytes.js";
import type { Extraction } from "./extract.js";

type ExtractionPage = OperationResult<"extract_artifact">;

/**
 * One page of what an extraction wrote and skipped: first the files, then what was skipped, counted through. At least one
 * entry, and no more than have room in a reply.
 */
export function extractionPage(found: Extraction, { offset, limit }: { readonly offset: number; readonly limit: number }): ExtractionPage {
  const { artifacts: written, skipped: left, limitations, coverage, cleanup, ...rest } = found;
  const total = written.length + left.length;
  const files = written.slice(offset, offset + limit);
  const from = Math.max(0, offset - written.length);
  const skips = left.slice(from, from + limit - files.length);
  const shown = fitting<(typeof files)[number] | (typeof skips)[number]>([...files, ...skips], pageBytes(limit), 1).length;
  const end = offset + shown;
  return {
    ...rest,
    artifacts: files.slice(0, shown).map((one) => ({ ...one })),
    artifacts_total: written.length,
    skipped: skips.slice(0, Math.max(0, shown - files.length)).map((one) => ({ ...one })),
    skipped_total: left.length,
    offset,
    next_offset: end < total ? end : null,
    cleanup: { ...cleanup, residual_paths: [...cleanup.residual_paths] },
    coverage: { state: coverage.state, omissions: [...coverage.omissions] },
    limitations: [...limitations],
  };
}
