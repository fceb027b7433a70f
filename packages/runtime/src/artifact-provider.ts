import type { OperationContext, OperationParams, RetainedWhole } from "@rea/core";
import type { Target } from "@rea/provider";
import type { KeptAnomalies } from "./kept-anomalies.js";
import { KeptExtractions } from "./kept-extractions.js";
import type { AuxiliaryProvider, StaticReply } from "./static-calls.js";

type Walk = Pick<OperationParams<"inspect_artifact">, "limits" | "integrity_policy">;

/** The artifact engine as an auxiliary provider; it is loaded with the first call. */
export function artifactProvider(anomalies: KeptAnomalies): AuxiliaryProvider {
  const kept = new KeptExtractions();
  return {
    identity: { id: "rea-artifact-graph", name: "REA artifact graph", version: "1" },
    answers: {
      inspect_artifact: (target, params, context) => inspectArtifact({ target, params, anomalies }, context),
      extract_artifact: (target, params, context) => extractArtifact({ target, params, kept }, context),
    },
    establishes: ["inspect_artifact", "extract_artifact"],
    close: () => Promise.resolve(),
  };
}

interface Inspecting {
  readonly target: Target;
  readonly params: OperationParams<"inspect_artifact">;
  readonly anomalies: KeptAnomalies;
}

async function inspectArtifact({ target, params, anomalies }: Inspecting, context: OperationContext): Promise<StaticReply> {
  const { inspection, inventory, openArtifact } = await import("@rea/artifact");
  const artifact = openArtifact(target.path);
  try {
    const found = await inventory(artifact, { ...context, ...walkOptions(params) });
    const { manifest, graph, graphBytes } = found;
    anomalies.keep(manifest.manifest_id, found.anomalies);
    const whole: RetainedWhole = { kind: "artifact-graph", sha256: manifest.graph_sha256, bytes: graphBytes, content: graph };
    return {
      ...answerOf(await inspection(found, params, context)),
      wholes: [whole],
      subject_sha256: manifest.root_sha256,
    };
  } finally {
    artifact.close();
  }
}

interface Extracting {
  readonly target: Target;
  readonly params: OperationParams<"extract_artifact">;
  readonly kept: KeptExtractions;
}

async function extractArtifact({ target, params, kept }: Extracting, context: OperationContext): Promise<StaticReply> {
  const { discardExtraction, extract, extractionPage, openArtifact } = await import("@rea/artifact");
  if (params.extraction_id !== undefined) {
    const found = kept.of(params.extraction_id);
    return { ...answerOf(extractionPage(found, params)), subject_sha256: found.manifest.root_sha256 };
  }
  const artifact = openArtifact(target.path);
  try {
    const options = params.select === undefined ? {} : { select: params.select };
    const found = await extract(artifact, { ...context, ...walkOptions(params), ...options });
    kept.keep(found);
    return {
      ...answerOf(extractionPage(found, params)),
      subject_sha256: found.manifest.root_sha256,
      undo: async () => {
        kept.forget(found);
        await discardExtraction(found);
      },
    };
  } finally {
    artifact.close();
  }
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
