import {
  artifactGraphSchema,
  evidenceRefusal,
  operations,
  throwIfAborted,
  type ArtifactsPort,
  type Evidence,
  type OperationContext,
  type OperationResult,
} from "@rea/core";
import type { ComparedInventory } from "@rea/artifact";
import type { LedgerStore } from "./ledger/ledger-store.js";

const identity = { id: "rea-comparison", name: "REA comparison", version: "1" };

/** Comparison of inventories; the graphs come from the records themselves or from what the session retains. */
export function createArtifactsPort(ledger: LedgerStore): ArtifactsPort {
  return {
    compare: async ({ left, right, offset, limit }, context) => {
      const before = inventoryOf(left, ledger);
      const after = inventoryOf(right, ledger);
      await turn(context);
      const { compare } = await import("@rea/artifact");
      const { changes, ...found } = compare(before, after);
      await turn(context);
      const page = changes.slice(offset, offset + limit);
      const end = offset + page.length;
      return {
        result: {
          ...found,
          limitations: [...found.limitations],
          moves: found.moves.map((move) => ({ ...move })),
          changes: page.map((change) => ({ ...change, dimensions: [...change.dimensions] })),
          changes_total: changes.length,
          next_offset: end < changes.length ? end : null,
        },
        raw_result: null,
        provider: identity,
        analysis_profile: null,
        subject: null,
        confidence: "derived",
        limitations: found.limitations,
        locations: [],
        resolved_parameters: {},
      };
    },
  };
}

/** Lets a cancel be heard between steps that compute without pause. */
async function turn({ signal }: OperationContext): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  throwIfAborted(signal, "compare_artifacts");
}

function inventoryOf(record: Evidence, ledger: LedgerStore): ComparedInventory {
  const parsed = operations.inspect_artifact.result.safeParse(record.normalized_result);
  if (!parsed.success) throw evidenceRefusal("schema", "The record does not hold an inventory.", { evidence_id: record.evidence_id });
  const { manifest, coverage } = parsed.data;
  return { manifest, graph: graphOf(parsed.data, record, ledger), omissions: coverage.omissions };
}

function graphOf({ graph, integrity_contradictions, manifest }: OperationResult<"inspect_artifact">, record: Evidence, ledger: LedgerStore) {
  if (graph.state === "inline") return { ...graph, integrity_contradictions };
  const whole = ledger.whole(manifest.graph_sha256);
  if (whole !== undefined) return artifactGraphSchema.parse(whole.content);
  throw evidenceRefusal(
    "missing",
    "The whole graph of this inventory is not retained in this session. Run inspect_artifact on the artifact again, or import a bundle that was exported with its wholes.",
    { evidence_id: record.evidence_id, expected: manifest.graph_sha256 },
  );
}
