import type { JsonObject, SessionExpectations } from "@rea/core";
import type { CatalogueDigests } from "./catalogue-digests.js";

/** Who serves; the same for the whole life of the process. */
export interface RuntimeIdentity {
  readonly package_name: string;
  readonly package_version: string;
  readonly server_path: string;
}

/** Compares the live server with what the caller expects; nothing expected, nothing known. */
export function alignmentOf(
  expected: SessionExpectations,
  identity: RuntimeIdentity,
  catalogue: CatalogueDigests,
): JsonObject {
  const comparisons: [string, string | undefined, string][] = [
    ["package_version", expected.expected_package_version, identity.package_version],
    ["catalog_digest", expected.expected_catalog_digest, catalogue.combined_sha256],
    ["server_path", expected.expected_server_path, identity.server_path],
  ];
  const compared = comparisons.filter(([, wanted]) => wanted !== undefined);
  const reasons = compared.filter(([, wanted, actual]) => wanted !== actual).map(([name]) => name);
  if (compared.length === 0) return { state: "unknown", reasons: [], remediation: "Pass an expected_* input to compare." };
  if (reasons.length === 0) return { state: "aligned", reasons: [], remediation: null };
  return { state: "mismatched", reasons, remediation: "Restart the registered server, then call binary_session again." };
}
