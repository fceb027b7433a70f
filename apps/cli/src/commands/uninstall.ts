import type { CommandModule } from "yargs";
import type { SetupResult } from "@rea/clients";
import type { OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { confirmOptions, inMaintenance, printOutcome, reportOptions, type Maintenance } from "../maintenance.js";
import { terminalPrompts } from "../prompts/terminal-prompts.js";
import { planText, resultText } from "../render/setup-text.js";

type Arguments = OutputArguments & {
  readonly yes?: boolean | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly "purge-data"?: boolean | undefined;
};

export const uninstallOptions = {
  "purge-data": { type: "boolean", describe: "Also remove kept analyses and annotations (~/.rea/cache, ~/.rea/state)" },
  ...confirmOptions,
  ...reportOptions,
} as const;

/** `rea uninstall`: takes REA's own entries out of every client again. */
export function uninstallCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "uninstall",
    describe: "Take REA out of your clients again; backups stay.",
    builder: (argv) => argv.options(uninstallOptions),
    handler: async (given) => {
      finish(await inMaintenance(given, (parts) => uninstall(parts, given)));
    },
  };
}

async function uninstall({ session, at }: Maintenance, given: Arguments): Promise<number> {
  const clients = await import("@rea/clients");
  const plan = clients.planUninstall(at);
  const purge = given["purge-data"] === true ? clients.purgeable(at.host) : [];
  const end = (result: SetupResult): number => {
    printOutcome(session, result, () => resultText(result, session.style));
    return result.status === "ready" || result.status === "planned" || result.status === "cancelled" ? 0 : 1;
  };
  if (clients.blockers(plan).length > 0) return end(clients.blockedResult(plan));
  if (given["dry-run"] === true) return end(clients.unappliedResult(plan, "planned", { remediation: null, purge }));
  if ((clients.hasChanges(plan) || purge.length > 0) && given.yes !== true) {
    const prompts = session.json ? null : terminalPrompts();
    if (prompts === null) {
      const remediation = `Nothing was changed. To carry out this plan: rea uninstall${given["purge-data"] === true ? " --purge-data" : ""} --yes`;
      return end(clients.unappliedResult(plan, "needs_confirmation", { remediation, purge }));
    }
    process.stderr.write(planText(clients.plannedActions(plan, purge), session.style));
    if (!(await prompts.confirm("Carry out this plan?"))) return end(clients.unappliedResult(plan, "cancelled", { remediation: null, purge }));
  }
  const applied = clients.applyPlan(plan, at);
  const purged = clients.purgeData(purge);
  return end(clients.appliedResult(plan, applied, { at, doctor: null, purged }));
}
