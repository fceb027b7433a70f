import { evidenceInput, ReaError, sha256Hex, type EvidencePort, type InputIssue, type ScreenshotSource } from "@rea/core";

const operation = "compare_web_screenshots";
const sourceKeys: readonly string[] = ["evidence_id", "path", "data_base64", "sha256"];
const forms = "a capture_web_screenshot record, {path} or {data_base64, sha256}";
/** 64 MiB of PNG. */
const maximumCharacters = 89_478_488;

/** What one side of a comparison stands for. Throws `invalid_request`, and what resolving a record throws. */
export function screenshotSource(given: { readonly [key: string]: unknown }, side: "left" | "right", evidence: EvidencePort): ScreenshotSource {
  const keys = Object.keys(given).sort().join();
  const unknown = "evidence_id" in given ? undefined : Object.keys(given).find((key) => !sourceKeys.includes(key));
  if (unknown !== undefined) throw refusal({ path: `${side}.${unknown}`, reason: "unknown_argument", expected: sourceKeys.join(", "), valid_keys: sourceKeys }, side);
  if ("evidence_id" in given) {
    const input = evidenceInput.safeParse(given);
    if (!input.success) throw refusal({ path: `${side}.evidence_id`, reason: "invalid_format", expected: "ev_ and 64 hex digits" });
    return { kind: "record", record: evidence.resolve(input.data, { operation: "capture_web_screenshot" }) };
  }
  if (keys === "path") {
    const { path } = given;
    if (typeof path !== "string" || path === "") throw refusal({ path: `${side}.path`, reason: "invalid_format", expected: "an absolute local path" });
    return { kind: "file", path };
  }
  if (keys === "data_base64,sha256") return { kind: "bytes", bytes: bytesOf(given, side) };
  throw refusal({ path: side, reason: keys === "" ? "missing_argument" : "invalid_value", expected: forms, valid_keys: sourceKeys });
}

function bytesOf({ data_base64: text, sha256 }: { readonly [key: string]: unknown }, side: string): Uint8Array {
  if (typeof text !== "string" || text.length > maximumCharacters) throw refusal({ path: `${side}.data_base64`, reason: "out_of_range", expected: "base64 text", maximum: maximumCharacters });
  const bytes = Buffer.from(text, "base64");
  // RFC 4648 §3.5: other texts can stand for the same bytes; only one is canonical.
  if (bytes.toString("base64") !== text) throw refusal({ path: `${side}.data_base64`, reason: "invalid_format", expected: "canonical base64" });
  if (typeof sha256 !== "string" || sha256Hex(bytes) !== sha256) throw refusal({ path: `${side}.sha256`, reason: "invalid_value", expected: "the digest of data_base64" });
  return bytes;
}

/** `shown`: the place without words of the caller. */
function refusal(issue: InputIssue, shown = issue.path): ReaError {
  return new ReaError("invalid_request", {
    message: `${operation} cannot use the image at ${shown}: expected ${issue.expected ?? forms}. Correct it and call again.`,
    details: { operation, issues: [issue] },
  });
}
