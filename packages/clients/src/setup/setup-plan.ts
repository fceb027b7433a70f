import { planSkill, planSkillRemoval, type SkillPlan } from "../skill/skill-plan.js";
import { clientById, clientIds, type ClientId } from "../table/clients.js";
import { planRegistration, planRemoval, type ClientPlan, type PlanHost } from "./plan-client.js";

/** Everything that is about to happen; nothing has happened yet. */
export interface SetupPlan {
  readonly purpose: "setup" | "uninstall";
  readonly clients: readonly ClientPlan[];
  /** Null: not asked for. */
  readonly skill: SkillPlan | null;
  readonly installHopper: boolean;
}

export interface SetupChoice {
  readonly clients: readonly ClientId[];
  /** Text of the skill file; null when it is not wanted. */
  readonly skill: string | null;
  readonly installHopper: boolean;
}

/** Reads and parses all configurations before anything else is decided. */
export function planSetup(choice: SetupChoice, at: PlanHost): SetupPlan {
  return {
    purpose: "setup",
    clients: [...choice.clients].sort().map((id) => planRegistration(clientById(id), at)),
    skill: choice.skill === null ? null : planSkill(at.host, choice.skill),
    installHopper: choice.installHopper,
  };
}

/** Plans to take REA's own entries out of every client, whether it is detected or not, and the skill file away. */
export function planUninstall(at: PlanHost): SetupPlan {
  return {
    purpose: "uninstall",
    clients: clientIds.map(clientById).filter(({ config }) => config !== null).map((client) => planRemoval(client, at)),
    skill: planSkillRemoval(at.host),
    installHopper: false,
  };
}

/** What keeps the whole plan from being carried out; empty when nothing does. */
export function blockers(plan: SetupPlan): readonly string[] {
  const files = plan.clients.flatMap((client) => (client.state === "blocked" ? [`${client.client.label}: ${client.why}`] : []));
  return plan.skill?.state === "blocked" ? [...files, `Skill: ${plan.skill.why}`] : files;
}

/** Whether there is anything to write. */
export function hasChanges(plan: SetupPlan): boolean {
  return plan.clients.some(({ state }) => state === "change") || plan.skill?.state === "change";
}
