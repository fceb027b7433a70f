import { isDeepOperation, isOperation, ReaError, type HostFeature, type JsonObject, type OperationName } from "@rea/core";
import { selectionError, type Selection } from "@rea/provider";
import type { Tool } from "@rea/tool";
import { operationNotOffered } from "../session/deep-calls.js";
import type { OpenState } from "../session/open-state.js";
import { sessionTargetError } from "../session/session-errors.js";

/** Why a tool cannot be called now; from the most to the least specific. */
type Reason =
  | "available"
  | "unsupported_host"
  | "target_required"
  | "target_unsupported"
  | "provider_missing"
  | "provider_unavailable"
  | "operation_unsupported";

interface ToolAvailability {
  readonly reason: Reason;
  /** The next call or setting; null exactly when the tool is available. */
  readonly remediation: string | null;
  readonly modes: readonly ModeAvailability[];
  /** Operations that are not offered; of the first mode when the tool has modes. */
  readonly missing: readonly OperationName[];
}

interface ModeAvailability {
  readonly name: string;
  readonly available: boolean;
  readonly missing_operations: readonly OperationName[];
  readonly remediation: string | null;
}

/** What the session offers at the moment. */
export interface SessionView {
  readonly open: OpenState | null;
  offers(operation: OperationName): boolean;
  /** What a program of the host is and what was found instead; null when it is there. Starts nothing. */
  missingOnHost(feature: HostFeature): { readonly required: string; readonly actual: string } | null;
}

/** Judges one tool; the reported reason is the one whose error a call would get. */
function availabilityOf(tool: Tool, view: SessionView): ToolAvailability {
  const modes = (tool.modes ?? []).map((mode) => modeOf(mode, view));
  const missing = missingOperations(tool, modes, view);
  const judged = (reason: Reason): ToolAvailability => ({ reason, remediation: remediationOf(reason, tool), modes, missing });
  if (tool.host !== undefined && view.missingOnHost(tool.host) !== null) return judged("unsupported_host");
  if (tool.target !== "none" && !tool.target.path_input) {
    if (view.open === null) return judged("target_required");
    if (!tool.target.kinds.includes(view.open.resolved.target.kind)) return judged("target_unsupported");
  }
  if (missing.length === 0) return judged("available");
  return judged(missing.some(isDeepOperation) ? deepReason(view.open) : "provider_missing");
}

function missingOperations(tool: Tool, modes: readonly ModeAvailability[], view: SessionView): readonly OperationName[] {
  if (modes.some((mode) => mode.available)) return [];
  const [first] = modes;
  if (first !== undefined) return first.missing_operations;
  return tool.requires.filter((name): name is OperationName => isOperation(name) && !view.offers(name));
}

function modeOf(mode: NonNullable<Tool["modes"]>[number], view: SessionView): ModeAvailability {
  const missing = mode.operations.filter((operation) => !view.offers(operation));
  const available = missing.length === 0;
  return { name: mode.name, available, missing_operations: missing, remediation: available ? null : mode.remediation };
}

function deepReason(open: OpenState | null): Reason {
  if (open === null) return "target_required";
  if (open.bound !== null) return "operation_unsupported";
  return unboundReason(open.selection);
}

function unboundReason(selection: Selection): Reason {
  if (selection.outcome === "bound") return "available";
  if (selection.candidate_ids.length === 0) return "provider_missing";
  return selectionError(selection, "").code === "provider_unavailable" ? "provider_unavailable" : "target_unsupported";
}

/** Throws the error that matches the reported reason; returns when the tool can be called. */
export function requireAvailable(tool: Tool, view: SessionView): void {
  const { reason, missing, remediation } = availabilityOf(tool, view);
  switch (reason) {
    case "available":
      return;
    case "unsupported_host":
      throw unsupportedHost(tool, view);
    case "target_required":
      throw sessionTargetError();
    case "target_unsupported":
    case "provider_unavailable":
      throw view.open === null ? sessionTargetError() : unsupportedTarget(tool, view.open, reason);
    case "provider_missing":
    case "operation_unsupported": {
      const provider = view.open?.bound?.binding.provider.id;
      if (provider !== undefined) throw operationNotOffered(missing[0] ?? tool.name, { id: provider, reason: null });
      throw new ReaError("capability_unavailable", {
        message: `No provider of this installation offers what ${tool.name} needs. Call binary_session for what can be called.`,
        details: { operation: tool.name, missing_operations: missing },
        action: remediation ?? "Call binary_session.",
      });
    }
  }
}

function unsupportedHost(tool: Tool, view: SessionView): ReaError {
  const missing = (tool.host === undefined ? null : view.missingOnHost(tool.host)) ?? { required: tool.name, actual: "not found" };
  return new ReaError("unsupported_host", {
    message: `${tool.name} needs ${missing.required}, which this host does not have. Install it, then call again.`,
    details: missing,
    action: "Install the program on this host, then call again.",
  });
}

/** Why no provider took the target, for tools that need one; otherwise the kinds the tool works on. */
function unsupportedTarget(tool: Tool, { resolved, bound, selection }: OpenState, reason: Reason): ReaError {
  const needsProvider = tool.requires.some(isDeepOperation);
  if (needsProvider && bound === null && selection.outcome !== "bound") {
    const error = selectionError(selection, tool.name);
    // Of the wrong kind first: no provider could change that.
    if (error.code === "capability_unavailable" || reason === "provider_unavailable") return error;
  }
  const { kind } = resolved.target;
  return new ReaError("capability_unavailable", {
    message: `${tool.name} does not work on a target of kind ${kind}, so the target is unsupported. Open another target.`,
    details: {
      operation: tool.name,
      selection_reason: "target_unsupported",
      target_kind: kind,
      supported_kinds: tool.target === "none" ? [] : tool.target.kinds,
    },
    action: "Call binary_session for the tools that work on this target, or open another one.",
  });
}

function remediationOf(reason: Reason, tool: Tool): string | null {
  switch (reason) {
    case "available":
      return null;
    case "unsupported_host":
      return `Install ${(tool.host ?? "").replaceAll("_", "-")} on this host.`;
    case "target_required":
      return "Call open_binary.";
    case "target_unsupported":
      return tool.target === "none" ? "Call open_binary with another target." : `Call open_binary with: ${tool.target.kinds.join(", ")}.`;
    case "provider_missing":
      return "Install a provider that offers it.";
    case "provider_unavailable":
      return "See analysis_provider_candidates, then open_binary with a usable provider_id.";
    case "operation_unsupported":
      return "Call open_binary with another provider_id.";
  }
}

/** The entry of `tool_availability`. */
export function availabilityEntry(tool: Tool, view: SessionView): JsonObject {
  const { reason, remediation, modes } = availabilityOf(tool, view);
  return {
    name: tool.name,
    family: tool.family,
    available: reason === "available",
    reason,
    remediation,
    ...(modes.length === 0 ? {} : { modes: modes.map((mode) => ({ ...mode })) }),
  };
}
