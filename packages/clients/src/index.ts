export { clientHost, type ClientHost } from "./table/client-host.js";
export { clients, clientIds, type Client, type ClientId } from "./table/clients.js";
export { detectedClients } from "./table/discover.js";
export { installationOf, type Installation } from "./registration/installation.js";
export { planSetup, planUninstall, blockers, hasChanges, type SetupPlan } from "./setup/setup-plan.js";
export { applyPlan, type AppliedPlan } from "./setup/apply-plan.js";
