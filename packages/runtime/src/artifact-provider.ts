import type { OperationContext, OperationParams, RetainedWhole } from "@rea/core";
import type { ClientAnswer, Target } from "@rea/provider";
import type { AuxiliaryProvider } from "./static-calls.js";

type Walk = Pick<OperationParams<"inspect_artifact">, "limits" | "integrity_policy">;

/** The artifact engine as an auxiliary provider; it is loaded with the first call. */
export function artifactProvider(): AuxiliaryProvider {
  return {
    identity: { id: "rea-artifact-graph", name: "REA artifact graph", version: "1" },
    answers: {
      inspect_artifact: inspectArtifact,
      extract_artifact: extractArtifact,
    },
    close: () => Promise.resolve(),
  };
}

async function inspectArtifact(target: Target, params: OperationParams<"inspect_artifact">, context: OperationContext): Promise<ClientAnswer> {
  const { inspection, inventory, openArtifact } = await import("@rea/artifact");
  const artifact = openArtifact(pathOf(target));
  try {
    const found = await inventory(artifact, { ...context, ...walkOptions(params) });
    const { manifest, graph, graphBytes } = found;
    const whole: RetainedWhole = { kind: "artifact-graph", sha256: manifest.graph_sha256, bytes: graphBytes, content: graph };
    return {
      ...answerOf(inspection(found, params)),
      wholes: [whole],
      subject_sha256: manifest.root_sha256,
    };
  } finally {
    artifact.close();
  }
}

async function extractArtifact(target: Target, params: OperationParams<"extract_artifact">, context: OperationContext): Promise<ClientAnswer> {
  const { extract, openArtifact } = await import("@rea/artifact");
  const artifact = openArtifact(pathOf(target));
  try {
    const options = params.select === undefined ? {} : { select: params.select };
    const found = await extract(artifact, { ...context, ...walkOptions(params), ...options });
    return {
      ...answerOf(found),
      subject_sha256: found.manifest.root_sha256,
    };
  } finally {
    artifact.close();
  }
}

/** A bundle that opened as the executable in it is inspected as the bundle. */
function pathOf({ bundle_root, path }: Target): string {
  return bundle_root ?? path;
}

function answerOf(result: { readonly limitations: readonly string[] }) {
  return {
    result,
    confidence: "observed" as const,
    limitations: result.limitations,
    locations: [],
    raw_result: null,
    resolved_parameters: {},
  };
}

function walkOptions({ limits, integrity_policy }: Walk) {
  return {
    integrityPolicy: integrity_policy,
    limits: {
      maxEntries: limits.max_entries,
      maxTotalBytes: limits.max_total_bytes,
      maxEntryBytes: limits.max_entry_bytes,
      maxCompressionRatio: limits.max_compression_ratio,
      maxDepth: limits.max_depth,
      maxPathBytes: limits.max_path_bytes,
    },
  };
}
