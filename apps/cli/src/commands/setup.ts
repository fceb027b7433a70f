import type { CommandModule } from "yargs";
import type { ClientId, SetupPlan, SetupResult } from "@rea/clients";
import type { OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { clientIdsOf, clientOption, confirmOptions, doctorOf, inMaintenance, printOutcome, reportOptions, type Maintenance } from "../maintenance.js";
import { terminalPrompts, type Prompts } from "../prompts/terminal-prompts.js";
import { planText, resultText } from "../render/setup-text.js";

type Arguments = OutputArguments & {
  readonly yes?: boolean | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly client?: readonly string[] | undefined;
  readonly "all-detected"?: boolean | undefined;
  readonly "install-hopper"?: boolean | undefined;
  readonly skill?: boolean | undefined;
};

export const setupOptions = {
  client: clientOption,
  "all-detected": { type: "boolean", describe: "Register with every client that is found" },
  skill: { type: "boolean", default: true, describe: "Write the skill file for agents (--no-skill leaves it out)" },
  "install-hopper": { type: "boolean", describe: "Plan to install Hopper" },
  ...confirmOptions,
  ...reportOptions,
} as const;

/** `rea setup`: registers this REA with the MCP clients of this user. */
export function setupCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "setup",
    describe: "Register the MCP server with your clients: shows a plan, asks, writes, checks.",
    builder: (argv) => argv.options(setupOptions),
    handler: async (given) => {
      const named = await clientIdsOf(given.client);
      finish(await inMaintenance(given, (parts) => setUp(parts, given, named)));
    },
  };
}

async function setUp(parts: Maintenance, given: Arguments, named: readonly ClientId[]): Promise<number> {
  const { session, at } = parts;
  const clients = await import("@rea/clients");
  const prompts = session.json || given.yes === true || given["dry-run"] === true ? null : terminalPrompts();
  const chosen = await chooseClients(parts, { given, named, prompts });
  const text = clients.expectedSkill({ ...at, catalogue: parts.catalogue, description: parts.description });
  const plan = clients.planSetup({ clients: chosen.ids, skill: given.skill === false ? null : text, installHopper: given["install-hopper"] === true }, at);
  const end = (result: SetupResult): number => {
    printOutcome(session, result, () => resultText(result, session.style));
    return result.status === "ready" || result.status === "planned" || result.status === "cancelled" ? 0 : 1;
  };
  if (chosen.state === "left") return end(clients.unappliedResult(plan, "cancelled", { remediation: null }));
  if (clients.blockers(plan).length > 0) return end(clients.blockedResult(plan));
  if (given["dry-run"] === true) return end(clients.unappliedResult(plan, "planned", { remediation: null }));
  if (chosen.state === "unclear") return end(clients.unappliedResult(plan, "needs_confirmation", { remediation: unclear }));
  const asks = clients.hasChanges(plan) || plan.installHopper;
  if (asks && given.yes !== true) {
    if (prompts === null) return end(clients.unappliedResult(plan, "needs_confirmation", { remediation: confirmWith(plan) }));
    process.stderr.write(planText(clients.plannedActions(plan), session.style));
    if (!(await prompts.confirm("Carry out this plan?"))) return end(clients.unappliedResult(plan, "cancelled", { remediation: null }));
  }
  const applied = clients.applyPlan(plan, at);
  const doctor = await doctorOf(parts, { clients: chosen.ids, skill: given.skill !== false });
  const result = clients.appliedResult(plan, applied, { at, doctor });
  const running = clients.runningClients(clients.clients.filter(({ id }) => result.clients[id]?.state === "configured"));
  const status = end(result);
  if (running.length > 0) process.stderr.write(`Running now: ${running.map(({ label }) => label).join(", ")}. Restart what runs, so that it reads its configuration again.\n`);
  return status;
}

const unclear = "Several clients are found. Name those to register with, for example: rea setup --client codex --yes. Or take all: rea setup --all-detected --yes";

function confirmWith(plan: SetupPlan): string {
  const names = plan.clients.map(({ client }) => `--client ${client.id}`).join(" ");
  return `Nothing was changed. To carry out this plan: rea setup ${names}${plan.skill === null ? " --no-skill" : ""}${plan.installHopper ? " --install-hopper" : ""} --yes`;
}

interface Choosing {
  readonly given: Arguments;
  readonly named: readonly ClientId[];
  readonly prompts: Prompts | null;
}

/** The clients to register with; `unclear` when several are found and nobody can be asked. */
async function chooseClients({ at }: Maintenance, { given, named, prompts }: Choosing): Promise<{ readonly state: "chosen" | "unclear" | "left"; readonly ids: readonly ClientId[] }> {
  const { detectedClients, clientIds } = await import("@rea/clients");
  if (named.length > 0 && given["all-detected"] !== true) return { state: "chosen", ids: [...new Set(named)] };
  const detected = detectedClients(at.host);
  const ids = [...new Set([...detected.map(({ id }) => id), ...named])];
  if (detected.filter(({ config }) => config !== null).length <= 1 || given["all-detected"] === true) return { state: "chosen", ids };
  if (prompts === null) return { state: "unclear", ids };
  const choices = detected.map((client) => ({ value: client.id, label: `${client.label} (${client.config?.file(at.host) ?? "reported only"})` }));
  const taken = await prompts.choose("Which clients shall start REA?", choices);
  if (taken === null || taken.length === 0) return { state: "left", ids: [] };
  return { state: "chosen", ids: clientIds.filter((id) => taken.includes(id)) };
}
