import type { Evidence } from "./evidence.js";
import type { JsonObject } from "./json.js";
import type { WebDifferences, WebNormalizationRule } from "./operations/web-comparison.js";
import type { ScreenshotDifferences } from "./operations/screenshot-comparison.js";
import type { Execution, OperationContext } from "./execution.js";

/** Where an image comes from. */
export type ScreenshotSource =
  /** A `capture_web_screenshot` record; its file is read only when this session wrote it. */
  | { readonly kind: "record"; readonly record: Evidence }
  /** An absolute path that the caller named. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

export interface ScreenshotComparisonInput {
  readonly left: ScreenshotSource;
  readonly right: ScreenshotSource;
  readonly channel_threshold: number;
  readonly maximum_pixels: number;
}

/** Compares what was seen of web pages before; contacts no browser. */
export interface WebComparisonsPort {
  /**
   * Compares the captures that two records of `inspect_web_page`, or two of `capture_browser_scenario`, commit to; their wholes
   * must be retained. Throws `evidence_integrity_mismatch`, `invalid_request` and `cancelled`.
   */
  compareCaptures(
    input: { readonly left: Evidence; readonly right: Evidence; readonly normalization: readonly WebNormalizationRule[]; readonly max_changes: number },
    context: OperationContext,
  ): Promise<Execution<WebDifferences>>;
  /**
   * A record for a whole capture that was kept outside a bundle. The capture is checked and retained, the record is not added to
   * the ledger. Throws `evidence_integrity_mismatch`.
   */
  adopt(capture: JsonObject): Promise<Evidence>;
  /**
   * Throws `target_unavailable` for files that cannot be read, `artifact_operation_failed` (`format`) for what is no intact
   * PNG, `invalid_request` for one with too many pixels, `evidence_integrity_mismatch` for a record whose file is not the
   * session's or not the same any more, and `cancelled`.
   */
  compareScreenshots(input: ScreenshotComparisonInput, context: OperationContext): Promise<Execution<ScreenshotDifferences>>;
  /** A PNG with what changed marked; null for images of different size. Throws as the comparison does. */
  screenshotDifference(input: ScreenshotComparisonInput, context: OperationContext): Promise<Uint8Array | null>;
}
