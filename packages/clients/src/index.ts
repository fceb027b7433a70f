export { clientHost, type ClientHost } from "./table/client-host.js";
export { clients, clientIds, type Client, type ClientId } from "./table/clients.js";
export { detectedClients } from "./table/discover.js";
export { installationOf, type Installation } from "./registration/installation.js";
export type { PlanHost } from "./setup/plan-client.js";
export { planSetup, planUninstall, blockers, hasChanges, type SetupPlan } from "./setup/setup-plan.js";
export { applyPlan, type AppliedPlan } from "./setup/apply-plan.js";
export {
  appliedResult,
  blockedResult,
  plannedActions,
  unappliedResult,
  type SetupAction,
  type SetupResult,
} from "./setup/setup-result.js";
export { purgeable, purgeData } from "./setup/purge-data.js";
export { runningClients } from "./setup/running-clients.js";
export { expectedSkill } from "./skill/expected-skill.js";
export { doctor, type DoctorReport } from "./doctor/doctor.js";
export { mcpDoctor, type McpDoctorReport } from "./doctor/mcp-doctor.js";
export type { Check } from "./doctor/check.js";
export { modelRules } from "./models/model-rules.js";
export { modelViolations } from "./models/model-violations.js";
export { upgrade, type UpgradeResult } from "./upgrade/upgrade.js";
