import { hash } from "node:crypto";

/** Digits of the id of a content: over its SHA-256 alone. */
export function artifactDigitsOf(sha256: string): string {
  return hash("sha256", `{"schema_version":1,"sha256":"${sha256}"}`, "hex");
}
