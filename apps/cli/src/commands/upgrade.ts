import type { CommandModule } from "yargs";
import type { UpgradeResult } from "@rea/clients";
import type { OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { interrupt } from "../interrupt.js";
import { confirmOptions, inMaintenance, printOutcome, reportOptions } from "../maintenance.js";

type Arguments = OutputArguments & { readonly yes?: boolean | undefined };

export const upgradeOptions = { yes: { ...confirmOptions.yes, describe: "Also bring the registrations up to date" }, ...reportOptions } as const;

/** `rea upgrade`: the registry's latest version, in the prefix that owns this one. */
export function upgradeCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "upgrade",
    describe: "Bring a globally installed REA to the latest version; never to an older one.",
    builder: (argv) => argv.options(upgradeOptions),
    handler: async (given) => {
      const work: Parameters<typeof inMaintenance>[1] = async ({ session, at }) => {
        const { upgrade } = await import("@rea/clients");
        const result = await upgrade({ ...at, yes: given.yes === true, signal: interrupt.signal });
        printOutcome(session, result, () => upgradeText(result));
        return result.status === "failed" ? 1 : 0;
      };
      finish(await inMaintenance(given, work));
    },
  };
}

function upgradeText(result: UpgradeResult): string {
  switch (result.status) {
    case "current":
      return `Version ${result.version} is current; the registry's latest is ${result.latest}.\n`;
    case "upgraded":
      return `Upgraded from ${result.from} to ${result.to}.\n${result.remediation === null ? "" : `Registrations name their version. To bring them up to date: ${result.remediation}\n`}`;
    case "failed":
      return `${result.detail}\n  next: ${result.remediation}\n`;
  }
}
