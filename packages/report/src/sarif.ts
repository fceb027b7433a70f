import type { IntegrityContradiction } from "@rea/artifact";
import { nodesOf, type InspectedArtifact, type ReportedAnomaly } from "./inspected-artifact.js";
import { jsonObjectPieces } from "./json-pieces.js";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const contradictionRule = "integrity_contradiction";

/** Anomalies that make the content itself doubtful; the others make readers disagree. */
const errors: ReadonlySet<string> = new Set(["crc_mismatch", "size_mismatch", "digest_mismatch", "central_local_mismatch", "orphan_local_entry", "unsafe_name"]);

/**
 * Anomalies and contradictions as a SARIF log (OASIS SARIF 2.1.0 with errata 01) in pieces. Paths are logical paths,
 * relative to the artifact; regions count bytes from the start of the container that holds the member.
 */
export function* sarifPieces(artifact: InspectedArtifact): Generator<string> {
  const rules = rulesOf(artifact);
  const index = new Map(rules.map(({ id }, at) => [id, at] as const));
  const run = jsonObjectPieces([
    ["tool", { value: { driver: { ...artifact.product, semanticVersion: artifact.product.version, version: undefined, rules } } }],
    ["invocations", { value: [invocation(artifact)] }],
    ["artifacts", { value: [rootArtifact(artifact)] }],
    ["results", { items: results(artifact, index) }],
    ["columnKind", { value: "utf16CodeUnits" }],
    ["properties", { value: { evidence_id: artifact.evidenceId, manifest: artifact.manifest } }],
  ]);
  yield `{"$schema":${JSON.stringify(schema)},"version":"2.1.0","runs":[`;
  yield* run;
  yield "]}\n";
}

function rulesOf({ anomalies, graph }: InspectedArtifact) {
  const kinds = [...new Set(anomalies.map(({ anomaly }) => anomaly))].sort();
  const all = graph.integrity_contradictions.length > 0 ? [...kinds, contradictionRule] : kinds;
  return all.map((id) => ({
    id,
    shortDescription: { text: id === contradictionRule ? "The content does not have the digest that is declared for it." : `${id.replaceAll("_", " ")}.` },
    defaultConfiguration: { level: levelOf(id) },
  }));
}

function levelOf(rule: string): "error" | "warning" {
  return rule === contradictionRule || errors.has(rule) ? "error" : "warning";
}

/** What was left out is told where SARIF tells how an analysis went. */
function invocation({ coverage }: InspectedArtifact) {
  return {
    executionSuccessful: true,
    toolExecutionNotifications: coverage.omissions.map(({ reason, count, scope }) => ({
      level: "warning",
      message: { text: `Left out: ${reason}${count === null ? "" : `, ${String(count)}`}${scope === null ? "" : ` (${scope})`}.` },
    })),
  };
}

function rootArtifact({ name, manifest, graph }: InspectedArtifact) {
  const node = manifest.root_artifact_id === null ? undefined : nodesOf(graph).get(manifest.root_artifact_id);
  const isFile = node !== undefined && node.content_state !== "virtual";
  return {
    location: { uri: encodeURIComponent(name) },
    ...(isFile ? { length: node.bytes, hashes: { "sha-256": node.sha256 } } : {}),
  };
}

function* results({ anomalies, graph }: InspectedArtifact, index: ReadonlyMap<string, number>): Generator<object> {
  for (const anomaly of anomalies) {
    yield {
      ...ruleReference(anomaly.anomaly, index),
      message: { text: `${anomaly.detail} ${sentence(anomaly.effect)}` },
      locations: [locationOf(anomaly.logical_path, anomaly)],
    };
  }
  for (const one of graph.integrity_contradictions) yield contradictionResult(one, index);
}

function contradictionResult(one: IntegrityContradiction, index: ReadonlyMap<string, number>): object {
  return {
    ...ruleReference(contradictionRule, index),
    message: { text: `Declared SHA-256 ${one.declared_sha256}, observed ${one.observed_sha256}. Declared by: ${one.provenance}` },
    locations: [locationOf(one.logical_path, { offset: null })],
    partialFingerprints: { "contradictionId/v1": one.contradiction_id },
  };
}

function ruleReference(ruleId: string, index: ReadonlyMap<string, number>) {
  return { ruleId, ruleIndex: index.get(ruleId) ?? -1, level: levelOf(ruleId) };
}

function locationOf(path: string, { offset }: Pick<ReportedAnomaly, "offset">) {
  const uri = path.split("/").map(encodeURIComponent).join("/");
  return {
    physicalLocation: { artifactLocation: { uri }, ...(offset === null ? {} : { region: { byteOffset: offset } }) },
    logicalLocations: [{ fullyQualifiedName: path, kind: "member" }],
  };
}

function sentence(clause: string): string {
  const text = clause.charAt(0).toUpperCase() + clause.slice(1);
  return text.endsWith(".") ? text : `${text}.`;
}
