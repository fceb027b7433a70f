import {
  evidenceRefusal,
  ReaError,
  sha256Hex,
  unescapeUntrusted,
  webScreenshotSchema,
  type JsonObject,
  type OperationContext,
  type ScreenshotComparisonInput,
  type ScreenshotSource,
  type WebComparisonsPort,
} from "@rea/core";
import type { LedgerStore } from "./ledger/ledger-store.js";
import type { SessionFiles } from "./session-files.js";
import { requireLocalPath } from "./target/local-path.js";
import { openRegularFile } from "./target/open-file.js";
import { createWebCapturesPart } from "./web/web-captures.js";

const provider = { id: "rea-comparison", name: "REA comparison", version: "1" };
const operation = "compare_web_screenshots";
const maximumFileBytes = 64 * 1024 * 1024;

/** Comparisons of what was seen of web pages; files are read only when the caller named them or the session wrote them. */
export function createWebComparisonsPort(files: SessionFiles, ledger: LedgerStore): WebComparisonsPort {
  const compare = async (input: ScreenshotComparisonInput, { signal }: OperationContext, difference: boolean) => {
    const [left, right] = [await bytesOf(input.left, "left", files), await bytesOf(input.right, "right", files)];
    const { compareScreenshots } = await import("@rea/cdp");
    const { channel_threshold: threshold, maximum_pixels: maximumPixels } = input;
    return compareScreenshots({ left, right, threshold, maximumPixels, difference, operation, signal });
  };
  return {
    ...createWebCapturesPart(ledger),
    compareScreenshots: async (input, context) => {
      const { comparison } = await compare(input, context, false);
      return {
        result: comparison,
        raw_result: null,
        provider,
        analysis_profile: null,
        subject: null,
        confidence: "derived",
        limitations: comparison.limitations,
        locations: [],
        resolved_parameters: { left: parameterOf(input.left, comparison.left.sha256), right: parameterOf(input.right, comparison.right.sha256) },
      };
    },
    screenshotDifference: async (input, context) => (await compare(input, context, true)).picture,
  };
}

/** What a record says of a side: equal images lead to equal records, wherever they lay. */
function parameterOf(source: ScreenshotSource, sha256: string): JsonObject {
  return source.kind === "record" ? { evidence_id: source.record.evidence_id } : { sha256 };
}

async function bytesOf(source: ScreenshotSource, side: "left" | "right", files: SessionFiles): Promise<Uint8Array> {
  switch (source.kind) {
    case "bytes":
      return source.bytes;
    case "file":
      return fileBytes(source.path, side);
    case "record":
      return recordBytes(source, side, files);
  }
}

async function recordBytes({ record }: Extract<ScreenshotSource, { kind: "record" }>, side: "left" | "right", files: SessionFiles): Promise<Uint8Array> {
  const { evidence_id } = record;
  const screenshot = webScreenshotSchema.safeParse(record.normalized_result);
  if (!screenshot.success) throw evidenceRefusal("schema", "The record does not hold a screenshot. Capture it again.", { evidence_id });
  const { sha256 } = screenshot.data;
  const path = unescapeUntrusted(screenshot.data.path);
  if (!files.wrote(path, sha256)) {
    throw evidenceRefusal("missing", "This session did not write the file of this screenshot, so it does not read it. Give its path, or capture again.", { evidence_id, expected: sha256 });
  }
  const bytes = await fileBytes(path, side);
  if (sha256Hex(bytes) === sha256) return bytes;
  throw evidenceRefusal("id_mismatch", "The file of this screenshot has changed since it was written. Capture it again.", { evidence_id, expected: sha256, actual: sha256Hex(bytes) });
}

async function fileBytes(path: string, side: "left" | "right"): Promise<Uint8Array> {
  requireLocalPath(path, `${side}.path`, operation);
  const file = await openRegularFile(path);
  try {
    if (file.size > maximumFileBytes) {
      throw new ReaError("invalid_request", {
        message: `The ${side} image has more than ${String(maximumFileBytes)} bytes. Give a smaller file.`,
        details: { operation, issues: [{ path: side, reason: "out_of_range", expected: "a file of at most this many bytes", maximum: maximumFileBytes }] },
      });
    }
    return file.source.read(0, file.size);
  } finally {
    await file.handle.close();
  }
}
