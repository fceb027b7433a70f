import { skillPath } from "../skill/skill-plan.js";
import type { ClientId } from "../table/clients.js";
import type { DoctorReport } from "../doctor/doctor.js";
import type { AppliedPlan, Outcome } from "./apply-plan.js";
import { hopperInstructions, hopperOrigin } from "./hopper.js";
import type { PlanHost } from "./plan-client.js";
import { blockers, type SetupPlan } from "./setup-plan.js";

export interface SetupAction {
  readonly id: string;
  readonly kind: "configure_client" | "install_skill" | "install_hopper" | "remove_client" | "remove_skill" | "purge_data";
  readonly label: string;
  /** Absolute path, or an origin. */
  readonly target: string;
  readonly operation: "create" | "update" | "install" | "remove";
  /** Something outside of this machine is asked. */
  readonly external: boolean;
  readonly backup_path: string | null;
  readonly network_origins: readonly string[];
  readonly commands: readonly string[];
  /** Digest that what is installed must have. */
  readonly integrity: string | null;
  /** What differs, as `diff -u` writes it; null where there is no text. */
  readonly diff: string | null;
}

export interface ClientResult {
  readonly state: "configured" | "removed" | "planned" | "unchanged" | "skipped" | "failed";
  readonly path: string;
  readonly stage?: string;
  readonly detail?: string;
  readonly line?: number;
  readonly column?: number;
}

export type SetupStatus = "planned" | "needs_confirmation" | "ready" | "needs_human" | "cancelled" | "failed";

/** Outcome of `setup` and `uninstall`. */
export interface SetupResult {
  readonly status: SetupStatus;
  readonly planned_actions: readonly SetupAction[];
  readonly applied_actions: readonly SetupAction[];
  readonly clients: { readonly [id in ClientId]?: ClientResult };
  readonly doctor: DoctorReport | null;
  readonly remediation: string | null;
}

const plain = { external: false, network_origins: [], commands: [], integrity: null } as const;

/** The plan as a list of actions, in the order in which they are carried out. */
export function plannedActions(plan: SetupPlan, purge: readonly string[] = []): readonly SetupAction[] {
  const removes = plan.purpose === "uninstall";
  const clients = plan.clients.flatMap((client): SetupAction[] => {
    if (client.state !== "change") return [];
    const kind = removes ? "remove_client" : "configure_client";
    const { file, operation } = client;
    const label = removes ? `Take REA out of ${client.client.label}` : `Register REA with ${client.client.label}`;
    return [{ ...plain, id: `${kind}:${client.client.id}`, kind, label, target: file.path, operation, backup_path: file.backup, diff: file.diff }];
  });
  return [...hopperAction(plan), ...clients, ...skillAction(plan), ...purge.map(purgeAction)];
}

function hopperAction({ installHopper }: SetupPlan): SetupAction[] {
  if (!installHopper) return [];
  return [
    {
      ...plain,
      id: "install_hopper",
      kind: "install_hopper",
      label: "Install Hopper",
      target: hopperOrigin,
      operation: "install",
      external: true,
      network_origins: [hopperOrigin],
      backup_path: null,
      diff: null,
    },
  ];
}

function skillAction({ skill, purpose }: SetupPlan): SetupAction[] {
  if (skill?.state !== "change") return [];
  const kind = purpose === "uninstall" ? "remove_skill" : "install_skill";
  const label = purpose === "uninstall" ? "Remove the skill file" : "Write the skill file, which teaches agents REA's workflows";
  return [{ ...plain, id: kind, kind, label, target: skill.path, operation: skill.operation, backup_path: skill.file.backup, diff: skill.file.diff }];
}

function purgeAction(target: string): SetupAction {
  return { ...plain, id: `purge_data:${target}`, kind: "purge_data", label: "Remove kept analyses and annotations", target, operation: "remove", backup_path: null, diff: null };
}

/** A plan that is not carried out. */
export function unappliedResult(plan: SetupPlan, status: SetupStatus, given: { readonly remediation: string | null; readonly purge?: readonly string[] }): SetupResult {
  const clients = plan.clients.map((client): [ClientId, ClientResult] => {
    const { path } = client;
    if (client.state === "change") return [client.client.id, { state: "planned", path }];
    if (client.state === "unchanged") return [client.client.id, { state: "unchanged", path }];
    if (client.state === "skipped") return [client.client.id, { state: "skipped", path, detail: client.why }];
    const { line, column } = client;
    return [client.client.id, { state: "failed", path, stage: "path", detail: client.why, ...(line === null || column === null ? {} : { line, column }) }];
  });
  return { status, planned_actions: plannedActions(plan, given.purge), applied_actions: [], clients: Object.fromEntries(clients), doctor: null, remediation: given.remediation };
}

/** A plan that is blocked: nothing was changed. */
export function blockedResult(plan: SetupPlan): SetupResult {
  return unappliedResult(plan, "failed", { remediation: `Nothing was changed. ${blockers(plan).join(" ")}` });
}

/** What carrying out a plan came to. */
export function appliedResult(
  plan: SetupPlan,
  applied: AppliedPlan,
  given: { readonly at: PlanHost; readonly doctor: DoctorReport | null; readonly purged?: { readonly done: readonly string[]; readonly failed: readonly string[] } },
): SetupResult {
  const { done: purged, failed: kept } = given.purged ?? { done: [], failed: [] };
  const planned = plannedActions(plan, [...purged, ...kept]);
  const done = new Set([
    ...applied.clients.flatMap(({ plan: client, outcome }) => (outcome.state === "done" ? [client.client.id] : [])),
    ...(applied.skill?.state === "done" ? [skillPath(given.at.host)] : []),
    ...purged,
  ]);
  const isDone = ({ id, kind, target }: SetupAction): boolean => (kind === "install_skill" || kind === "remove_skill" || kind === "purge_data" ? done.has(target) : done.has(id.split(":")[1] ?? ""));
  const clients = applied.clients.map(({ plan: client, outcome }): [ClientId, ClientResult] => [client.client.id, clientResult(client.path, outcome, plan.purpose)]);
  const failures = [...applied.clients.map(({ plan: client, outcome }) => ({ label: client.client.label, outcome })), ...(applied.skill === null ? [] : [{ label: "Skill", outcome: applied.skill }])]
    .flatMap(({ label, outcome }) => (outcome.state === "failed" ? [`${label}: ${outcome.why}`] : []))
    .concat(kept.map((path) => `Data: ${path} could not be removed.`));
  const foreign = plan.clients.flatMap((client) => (client.state === "skipped" && client.reason === "foreign_entry" && plan.purpose === "setup" ? [`${client.client.label}: ${client.why}`] : []));
  const human = [...(plan.installHopper ? [hopperInstructions] : []), ...foreign];
  const status = failures.length > 0 ? "failed" : human.length > 0 ? "needs_human" : "ready";
  const words = [...failures, ...human];
  return {
    status,
    planned_actions: planned,
    applied_actions: planned.filter(isDone),
    clients: Object.fromEntries(clients),
    doctor: given.doctor,
    remediation: words.length === 0 ? null : words.join(" "),
  };
}

function clientResult(path: string, outcome: Outcome, purpose: SetupPlan["purpose"]): ClientResult {
  switch (outcome.state) {
    case "done":
      return { state: purpose === "setup" ? "configured" : "removed", path };
    case "unchanged":
      return { state: "unchanged", path };
    case "skipped":
      return { state: "skipped", path, detail: outcome.why };
    case "failed":
      return { state: "failed", path, stage: outcome.stage, detail: outcome.why };
  }
}
