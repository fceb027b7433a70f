import { rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile, type FailedStage, type FileStep } from "../files/replace-file.js";
import { planRegistration, planRemoval, type ClientPlan, type PlanHost } from "./plan-client.js";
import type { SetupPlan } from "./setup-plan.js";

/** How one part of a plan ended. */
export type Outcome =
  | { readonly state: "done"; readonly operation: "create" | "update" | "remove" }
  | { readonly state: "unchanged" }
  | { readonly state: "skipped"; readonly why: string }
  | { readonly state: "failed"; readonly stage: FailedStage; readonly why: string };

export interface AppliedPlan {
  readonly clients: readonly { readonly plan: ClientPlan; readonly outcome: Outcome }[];
  readonly skill: Outcome | null;
}

/** A file that its client wrote between plan and change is planned again this often. */
const attempts = 3;

/** Carries a plan out, file by file; a file that fails leaves the others to be done. */
export function applyPlan(plan: SetupPlan, at: PlanHost, onStep?: (step: FileStep) => void): AppliedPlan {
  const clients = plan.clients.map((client) => applyClient(client, { purpose: plan.purpose, at, onStep }));
  return { clients, skill: plan.skill === null ? null : applySkill(plan.skill, onStep) };
}

interface Applying {
  readonly purpose: SetupPlan["purpose"];
  readonly at: PlanHost;
  readonly onStep: ((step: FileStep) => void) | undefined;
}

function applyClient(first: ClientPlan, { purpose, at, onStep }: Applying): AppliedPlan["clients"][number] {
  let plan = first;
  for (let left = attempts - 1; ; left -= 1) {
    const outcome = outcomeOf(plan, onStep);
    const changedMeanwhile = outcome.state === "failed" && outcome.stage === "path";
    if (!changedMeanwhile || left === 0) return { plan, outcome };
    plan = purpose === "setup" ? planRegistration(plan.client, at) : planRemoval(plan.client, at);
  }
}

function outcomeOf(plan: ClientPlan, onStep: Applying["onStep"]): Outcome {
  switch (plan.state) {
    case "unchanged":
      return { state: "unchanged" };
    case "skipped":
      return { state: "skipped", why: plan.why };
    case "blocked":
      return { state: "failed", stage: "path", why: plan.why };
    case "change": {
      const written = replaceFile({ ...plan.file, ...(onStep === undefined ? {} : { onStep }) });
      return written.ok ? { state: "done", operation: plan.operation } : { state: "failed", stage: written.stage, why: written.why };
    }
  }
}

function applySkill(skill: NonNullable<SetupPlan["skill"]>, onStep: Applying["onStep"]): Outcome {
  if (skill.state === "unchanged") return { state: "unchanged" };
  if (skill.state !== "change") return skill.state === "skipped" ? { state: "skipped", why: skill.why } : { state: "failed", stage: "path", why: skill.why };
  const written = replaceFile({ ...skill.file, ...(onStep === undefined ? {} : { onStep }) });
  if (!written.ok) return { state: "failed", stage: written.stage, why: written.why };
  if (skill.file.after === null) removeEmptyDirectory(dirname(skill.file.place));
  return { state: "done", operation: skill.operation };
}

/** The skill's own directory goes with it when nothing else is in it. */
function removeEmptyDirectory(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Something is in it, or it is a link: it stays.
    return;
  }
}
