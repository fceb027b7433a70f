import { canonicalSha256, type ComparedFunctionDimension, type FunctionChange, type FunctionDimension } from "@rea/core";

/** What a comparison of one dimension found, before it is put into a result. */
export interface DimensionFinding {
  readonly status: ComparedFunctionDimension["status"];
  readonly left: readonly string[] | null;
  readonly right: readonly string[] | null;
  readonly textDelta: ComparedFunctionDimension["text_delta"];
  readonly changes: readonly Omit<FunctionChange, "dimension">[];
  readonly limitations: readonly string[];
}

/** A dimension of which nothing can be said. */
export function unknownDimension(...limitations: readonly string[]): DimensionFinding {
  return { status: "unknown", left: null, right: null, textDelta: null, changes: [], limitations };
}

/** The finding as results show it. */
export function dimensionOf(
  dimension: FunctionDimension,
  finding: DimensionFinding,
  { links, contradicted }: { readonly links: readonly string[]; readonly contradicted: boolean },
): ComparedFunctionDimension {
  const contradiction = contradicted && finding.status === "changed";
  return {
    dimension,
    status: contradiction ? "unknown" : finding.status,
    left_digest: finding.left === null ? null : canonicalSha256(finding.left),
    right_digest: finding.right === null ? null : canonicalSha256(finding.right),
    left_count: finding.left?.length ?? 0,
    right_count: finding.right?.length ?? 0,
    text_delta: finding.textDelta,
    conclusion_kind: contradiction ? "contradiction" : finding.status === "unknown" ? "unresolved_branch" : "derived_relationship",
    evidence_links: [...links],
    limitations: [
      ...finding.limitations,
      ...(contradiction ? ["Both records are about the same bytes at the same place and differ, so one of them is wrong."] : []),
    ],
  };
}
