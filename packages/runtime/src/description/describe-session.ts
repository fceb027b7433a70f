import { escapeUntrusted, isShownOperation, type JsonObject, type SessionExpectations } from "@rea/core";
import { inspectCandidates, type Candidate, type ProviderRegistry } from "@rea/provider";
import type { ConnectionInfo, Tool } from "@rea/tool";
import type { LedgerStore } from "../ledger/ledger-store.js";
import { plainJson } from "../session/open-result.js";
import type { OpenState } from "../session/open-state.js";
import type { AuxiliaryRegistry } from "../static-calls.js";
import { alignmentOf, type RuntimeIdentity } from "./alignment.js";
import { capabilityFields } from "./capability-fields.js";
import type { CatalogueDigests } from "./catalogue-digests.js";
import { availabilityEntry, type SessionView } from "./tool-availability.js";

export interface DescriptionParts {
  readonly identity: RuntimeIdentity;
  readonly digests: CatalogueDigests;
  /** Sorted by name. */
  readonly tools: readonly Tool[];
  readonly registry: ProviderRegistry;
  readonly auxiliary: AuxiliaryRegistry;
  readonly ledger: LedgerStore;
  /** Sentences about what this installation cannot do. */
  readonly limitations: readonly string[];
}

/** The `binary_session` result: everything a caller can know without starting anything. */
export function describeSession(
  parts: DescriptionParts,
  view: SessionView,
  now: { readonly expectations: SessionExpectations; readonly connection: ConnectionInfo | null },
): JsonObject {
  const { open } = view;
  const { capabilities, limitations } = capabilityFields(parts.auxiliary, open);
  const known = [...parts.limitations, ...limitations];
  return {
    ...openFields(open),
    server_identity: identityFields(parts, now.connection),
    alignment: alignmentOf(now.expectations, parts.identity, parts.digests),
    client: clientFields(now.connection),
    tool_availability: parts.tools.map((tool) => availabilityEntry(tool, view)),
    capabilities,
    analysis_provider_binding: open?.bound ? plainJson(open.bound.binding) : null,
    analysis_provider_candidates: inspectCandidates(parts.registry, open?.resolved.target ?? null).map((candidate) =>
      candidateFields(candidate, { registry: parts.registry, open }),
    ),
    analysis_run: open === null ? null : { run_id: open.runId, process_lineage: lineageFields(open) },
    analysis_activity: activityFields(open),
    evidence: evidenceFields(parts.ledger),
    ...(known.length === 0 ? {} : { limitations: known }),
  };
}

function openFields(open: OpenState | null): JsonObject {
  if (open === null) return { open: false };
  const { path, sha256, format, kind, architecture } = open.resolved.target;
  return { open: true, path: escapeUntrusted(path), sha256, format, kind, architecture };
}

function identityFields({ identity, digests }: DescriptionParts, connection: ConnectionInfo | null): JsonObject {
  return {
    package: { name: identity.package_name, version: identity.package_version },
    server_path: identity.server_path,
    pid: process.pid,
    runtime: { name: "node", version: process.versions.node, executable: process.execPath },
    sdk: { ...connection?.sdk },
    protocol_version: connection?.protocol_version ?? null,
    catalog: { ...digests },
  };
}

const noFeatures = { elicitation_form: false, elicitation_url: false, roots: false, sampling: false };

/** Names a client gave of itself are foreign text. */
function clientFields(connection: ConnectionInfo | null): JsonObject {
  const name = connection?.client?.name ?? null;
  const version = connection?.client?.version ?? null;
  return {
    name: name === null ? null : escapeUntrusted(name),
    version: version === null ? null : escapeUntrusted(version),
    features: { ...(connection?.features ?? noFeatures) },
  };
}

function candidateFields(
  candidate: Candidate,
  { registry, open }: { readonly registry: ProviderRegistry; readonly open: OpenState | null },
): JsonObject {
  const { id } = candidate.identity;
  const selected = open?.bound?.binding.provider.id === id;
  const { name, version } = selected && open?.bound ? open.bound.binding.provider : candidate.identity;
  const failure = selected ? (open?.bound?.client.lastFailure ?? null) : null;
  return {
    provider: { id, name, version },
    availability: failure === null ? statusFields(candidate.availability) : failedClient(failure),
    target_support: statusFields(candidate.support ?? { status: "unknown", diagnostics: {} }),
    selected,
    operations: (registry.find(id)?.capabilities() ?? []).map(({ operation }) => operation).filter(isShownOperation).sort(),
  };
}

function statusFields(status: {
  readonly status: string;
  readonly code?: string;
  readonly reason?: string;
  readonly diagnostics: { readonly [key: string]: string | number | boolean | null };
}): JsonObject {
  const { status: state, code, reason, diagnostics } = status;
  return { status: state, code: code ?? null, reason: reason ?? null, diagnostics };
}

function failedClient(code: string): JsonObject {
  return {
    status: "unavailable",
    code: null,
    reason: "The last analysis client ended. The next call that needs it starts a new one.",
    diagnostics: { last_failure: code },
  };
}

function lineageFields(open: OpenState): JsonObject {
  const observations = open.bound?.client.lineage() ?? [];
  const provider = open.bound?.binding.provider;
  if (observations.length === 0 || provider === undefined) return { status: "not_observed" };
  const { id, name, version } = provider;
  return {
    status: "snapshots",
    snapshots: observations.map((observation) => ({ provider: { id, name, version }, observation })),
  };
}

function activityFields(open: OpenState | null): JsonObject {
  const activity = open?.bound?.client.activity() ?? null;
  const provider = open?.bound?.binding.provider.id;
  if (activity === null || provider === undefined) return { status: "not_observed", providers: [] };
  const { active, queued_requests } = activity;
  const waiting = active?.caller_state === "waiting" ? "busy" : "timed_out_busy";
  return {
    status: active === null ? "idle" : waiting,
    providers: [{ provider, active: active === null ? null : { ...active }, queued_requests }],
  };
}

function evidenceFields(ledger: LedgerStore): JsonObject {
  const { records, bytes } = ledger.limits;
  return { records: ledger.recordCount, unknown_revisions: ledger.unknownCount, bytes: ledger.bytes, limits: { records, bytes } };
}
