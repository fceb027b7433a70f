import {
  escapeUntrusted,
  ReaError,
  throwIfAborted,
  type CloseTargetInput,
  type JsonObject,
  type OpenTargetInput,
  type OperationContext,
} from "@rea/core";
import {
  chooseSelector,
  inspectCandidates,
  parseProviderSelector,
  resolveProfiles,
  selectProvider,
  type ChosenSelector,
  type CloseOutcome,
  type ProviderRegistry,
  type Selection,
} from "@rea/provider";
import type { Configuration } from "../configuration.js";
import { continuousProgress } from "../continuous-progress.js";
import { LedgerStore, type LedgerOptions } from "../ledger/ledger-store.js";
import type { Logger } from "../logger.js";
import { publishFile } from "../publish-file.js";
import { requireLocalPath } from "../target/local-path.js";
import { resolveTarget, sameTarget, type DetectFile, type ResolvedTarget } from "../target/resolve-target.js";
import { createAdmission, type Admission, type Drain } from "./admission.js";
import type { SnapshotEntry } from "./answer-cache.js";
import { requireBound } from "./deep-calls.js";
import { openResult } from "./open-result.js";
import { openState, sameProvider, type BoundProvider, type OpenState } from "./open-state.js";
import { rawOptions } from "./raw-options.js";
import { selectionRefusal } from "./selection-refusal.js";
import { cleanupIncomplete, sessionTargetError } from "./session-errors.js";
import { readSnapshot, snapshotChunks } from "./snapshot-file.js";

export interface SessionParts {
  readonly registry: ProviderRegistry;
  readonly configuration: Configuration;
  readonly detect: DetectFile;
  readonly ledger: LedgerStore;
  readonly ledgerOptions: LedgerOptions;
  readonly log: Logger;
}

/** The one target of a session and the rules of its transitions. */
export interface Session {
  readonly admission: Admission;
  readonly state: () => OpenState | null;
  open(input: OpenTargetInput, context: OperationContext): Promise<JsonObject>;
  close(input: CloseTargetInput, context: OperationContext): Promise<JsonObject | null>;
  /** Releases everything without saving; what could not be released is returned and retried by the next call. */
  shutdown(): Promise<CloseOutcome["remaining"]>;
}

interface Snapshot {
  readonly entries: readonly SnapshotEntry[];
  readonly staged: LedgerStore;
}

export function createSession(parts: SessionParts): Session {
  const admission = createAdmission();
  let current: OpenState | null = null;
  // Clients whose close left something behind after their target was replaced.
  const unreleased = new Set<BoundProvider>();

  const open = async (input: OpenTargetInput, context: OperationContext, drain: Drain): Promise<JsonObject> => {
    parts.configuration.requireOwnRunId();
    const chosen = selectorFor(input, parts.configuration);
    const request = { path: input.path, architecture: input.architecture, raw: rawOptions(input), operation: "open_binary" };
    const resolved = await resolveTarget(request, parts.detect, context);
    const same = current !== null && sameTarget(current.resolved, resolved);
    if (current !== null && same && input.provider_id === undefined) return keep(current, input, context);
    const selection = await select(parts.registry, { resolved, chosen, signal: context.signal });
    if (current !== null && same && sameBinding(current, selection)) return keep(current, input, context);
    const next = stateFor(resolved, selection);
    const snapshot = await loadSnapshot(next, input, context);
    try {
      await drain();
      await switchTo(next, snapshot, context);
      return openResult(next);
    } finally {
      snapshot?.staged.clear();
    }
  };

  const stateFor = (resolved: ResolvedTarget, selection: Selection): OpenState => {
    const id = selection.outcome === "bound" ? selection.binding.provider.id : "";
    return openState({ resolved, selection, provider: parts.registry.find(id), directory: parts.ledgerOptions.directory });
  };

  /** Same target, same binding: nothing is replaced; a snapshot is still imported. */
  const keep = async (state: OpenState, input: OpenTargetInput, context: OperationContext): Promise<JsonObject> => {
    const snapshot = await loadSnapshot(state, input, context);
    try {
      if (snapshot !== undefined) adopt(state, snapshot);
      return openResult(state);
    } finally {
      snapshot?.staged.clear();
    }
  };

  const switchTo = async (next: OpenState, snapshot: Snapshot | undefined, { signal }: OperationContext): Promise<void> => {
    await releaseClients("open_binary");
    throwIfAborted(signal, "open_binary");
    if (snapshot !== undefined) adopt(next, snapshot);
    current?.bound?.cache.clear();
    current = next;
    const provider = next.bound?.binding.provider.id ?? null;
    parts.log.event("info", "target_opened", { run_id: next.runId, kind: next.resolved.target.kind, provider });
  };

  const adopt = ({ bound }: OpenState, { entries, staged }: Snapshot): void => {
    parts.ledger.merge(staged);
    bound?.cache.importEntries(entries);
  };

  const loadSnapshot = async (state: OpenState, input: OpenTargetInput, context: OperationContext): Promise<Snapshot | undefined> => {
    if (input.snapshot_path === undefined) return undefined;
    const { cache } = requireBound(state, "open_binary");
    const staged = new LedgerStore(parts.ledgerOptions);
    try {
      const entries = await readSnapshot(input.snapshot_path, cache.scope, { staged, context });
      throwIfAborted(context.signal, "open_binary");
      return { entries, staged };
    } catch (error) {
      staged.clear();
      throw error;
    }
  };

  /** Closes the running client, and again what an earlier close left; throws while something remains. */
  const releaseClients = async (operation: string): Promise<void> => {
    const remaining = await release();
    if (remaining.length > 0) throw cleanupIncomplete(operation, remaining);
  };

  const release = async (): Promise<CloseOutcome["remaining"]> => {
    if (current !== null && current.bound !== null) unreleased.add(current.bound);
    const left: CloseOutcome["remaining"][] = [];
    for (const bound of [...unreleased]) {
      const remaining = await bound.client.close();
      if (remaining.length === 0) unreleased.delete(bound);
      else left.push(remaining);
    }
    return left.flat();
  };

  const close = async (input: CloseTargetInput, context: OperationContext, drain: Drain): Promise<JsonObject | null> => {
    if (input.snapshot_path !== undefined) requireLocalPath(input.snapshot_path, "snapshot_path", "close_binary");
    await drain();
    const saved = input.snapshot_path === undefined ? null : await save(input.snapshot_path, input.overwrite ?? false, context);
    await releaseClients("close_binary");
    forget();
    return saved;
  };

  const save = async (path: string, overwrite: boolean, { signal }: OperationContext): Promise<JsonObject> => {
    if (current === null) throw sessionTargetError();
    const { cache } = requireBound(current, "close_binary");
    const evidence = parts.ledger.targetSource(current.resolved.target.sha256);
    const { bytes } = await publishFile({
      path,
      field: "snapshot_path",
      overwrite,
      chunks: snapshotChunks(cache, evidence),
      signal,
      operation: "close_binary",
    });
    return { path: escapeUntrusted(path), bytes, entries: cache.size, evidence_records: [...evidence.records].length };
  };

  const forget = (): void => {
    if (current !== null) parts.log.event("info", "target_closed", { run_id: current.runId });
    current?.bound?.cache.clear();
    current = null;
    parts.ledger.clear();
  };

  return {
    admission,
    state: () => current,
    open: (input, context) => {
      const continuous = { signal: context.signal, progress: continuousProgress(context.progress) };
      return admission.transition("open_binary", context.signal, (drain) => open(input, continuous, drain));
    },
    close: (input, context) => admission.transition("close_binary", context.signal, (drain) => close(input, context, drain)),
    shutdown: async () => {
      const remaining = await release();
      if (remaining.length === 0) forget();
      return remaining;
    },
  };
}

/** A selector that no provider could have is the caller's mistake, not a missing provider. */
function selectorFor(input: OpenTargetInput, configuration: Configuration): ChosenSelector {
  if (input.provider_id === undefined) {
    return chooseSelector({ request: undefined, environment: configuration.analysisProvider() });
  }
  const request = parseProviderSelector(input.provider_id);
  if (request !== undefined) return chooseSelector({ request, environment: undefined });
  throw new ReaError("invalid_request", {
    message: "open_binary needs a provider id, or auto, in provider_id. Call binary_session for the ids.",
    details: {
      operation: "open_binary",
      issues: [{ path: "provider_id", reason: "invalid_format", expected: "auto, or a provider id such as rea-native" }],
    },
  });
}

async function select(
  registry: ProviderRegistry,
  { resolved, chosen, signal }: { readonly resolved: ResolvedTarget; readonly chosen: ChosenSelector; readonly signal: AbortSignal },
): Promise<Selection> {
  const { target } = resolved;
  const inspected = inspectCandidates(registry, target);
  const candidates = await resolveProfiles({ registry, candidates: inspected, target, selector: chosen.selector, signal });
  const selection = selectProvider(candidates, chosen);
  if (selection.outcome === "refused") throw selectionRefusal(selection, chosen);
  return selection;
}

function sameBinding({ bound }: OpenState, selection: Selection): boolean {
  if (bound === null || selection.outcome !== "bound") return bound === null && selection.outcome === "unbound";
  const { binding } = bound;
  const profiles = [binding, selection.binding].map((given) => given.analysis_profile.digest);
  return sameProvider(binding.provider, selection.binding.provider) && profiles[0] === profiles[1];
}
