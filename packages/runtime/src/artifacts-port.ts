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
import type { KeptAnomalies } from "./kept-anomalies.js";
import { memberDifferences } from "./member-differences.js";
import { packMembers } from "./pack-members.js";
import type { LedgerStore } from "./ledger/ledger-store.js";

const identity = { id: "rea-comparison", name: "REA comparison", version: "1" };

interface Kept {
  readonly ledger: LedgerStore;
  readonly anomalies: KeptAnomalies;
  readonly product: { readonly name: string; readonly version: string };
}

/** Work on inventories; the graphs come from the records themselves or from what the session retains. */
export function createArtifactsPort({ ledger, anomalies, product }: Kept): ArtifactsPort {
  return {
    document: async ({ inspection, format }) => {
      const { artifactDocument } = await import("@rea/report");
      const result = inspectionIn(inspection);
      return artifactDocument(format, {
        name: inspection.subject?.name ?? "artifact",
        evidenceId: inspection.evidence_id,
        manifest: result.manifest,
        coverage: result.coverage,
        graph: graphOf(result, inspection, ledger),
        anomalies: anomaliesOf(result, inspection, anomalies),
        product,
      });
    },
    differences: memberDifferences,
    pack: packMembers,
    compare: async ({ left, right, offset, limit }, context) => {
      const before = inventoryOf(left, ledger);
      const after = inventoryOf(right, ledger);
      await turn(context);
      const { compare, fitting, pageBytes } = await import("@rea/artifact");
      const { changes, ...found } = compare(before, after);
      await turn(context);
      const page = fitting(changes.slice(offset, offset + limit), pageBytes(limit), 1);
      const places = new Set(page.map(({ logical_path }) => logical_path));
      const moves = found.moves.filter(({ from, to }) => places.has(from) || places.has(to));
      const end = offset + page.length;
      return {
        result: {
          ...found,
          limitations: [...found.limitations],
          moves: moves.map((move) => ({ ...move })),
          moves_total: found.moves.length,
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

type Inspection = OperationResult<"inspect_artifact">;

function inspectionIn(record: Evidence): Inspection {
  const parsed = operations.inspect_artifact.result.safeParse(record.normalized_result);
  if (!parsed.success) throw evidenceRefusal("schema", "The record does not hold an inventory.", { evidence_id: record.evidence_id });
  return parsed.data;
}

function inventoryOf(record: Evidence, ledger: LedgerStore): ComparedInventory {
  const result = inspectionIn(record);
  return { manifest: result.manifest, graph: graphOf(result, record, ledger), omissions: result.coverage.omissions };
}

/** All of them; a record holds only the first. */
function anomaliesOf({ anomalies, manifest }: Inspection, record: Evidence, kept: KeptAnomalies): Inspection["anomalies"]["items"] {
  if (!anomalies.truncated) return anomalies.items;
  const all = kept.of(manifest.manifest_id);
  if (all !== undefined) return all.map((one) => ({ ...one }));
  throw evidenceRefusal("missing", "The anomalies of this inventory are not retained any more. Run inspect_artifact on the artifact again.", {
    evidence_id: record.evidence_id,
    expected: manifest.manifest_id,
  });
}

function graphOf({ graph, integrity_contradictions, manifest }: Inspection, record: Evidence, ledger: LedgerStore) {
  if (graph.state === "inline") return { ...graph, integrity_contradictions };
  const whole = ledger.whole(manifest.graph_sha256);
  if (whole !== undefined) return artifactGraphSchema.parse(whole.content);
  throw evidenceRefusal(
    "missing",
    "The whole graph of this inventory is not retained in this session. Run inspect_artifact on the artifact again, or import a bundle that was exported with its wholes.",
    { evidence_id: record.evidence_id, expected: manifest.graph_sha256 },
  );
}
