import type { CommandModule } from "yargs";
import { choiceOption, fileOption, localPath, textOption } from "../argument-values.js";
import type { OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { interrupt } from "../interrupt.js";
import { clientIdsOf, clientOption, inMaintenance, printOutcome, reportOptions } from "../maintenance.js";
import { doctorText } from "../render/doctor-text.js";

type Arguments = OutputArguments & {
  readonly target?: string | undefined;
  readonly client?: readonly string[] | undefined;
  readonly provider?: string | undefined;
  readonly skill?: boolean | undefined;
  readonly probe?: boolean | undefined;
  readonly detail?: string | undefined;
};

export const doctorOptions = {
  target: fileOption("target", "File or directory that must be readable"),
  client: clientOption,
  provider: textOption("provider", "Analysis provider that must be usable"),
  skill: { type: "boolean", describe: "The skill file must be of this version" },
  probe: { type: "boolean", describe: "Start each registered server as its client would, and see whether it answers" },
  detail: choiceOption("detail", ["summary", "full"], "Findings only, or every check"),
  ...reportOptions,
} as const;

/** `rea doctor`: what stands between this installation and an answer in a client. */
export function doctorCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "doctor",
    describe: "Check this installation, its registrations and this host; each finding has a remedy.",
    builder: (argv) => argv.options(doctorOptions),
    handler: async (given) => {
      const clients = await clientIdsOf(given.client);
      const work: Parameters<typeof inMaintenance>[1] = async ({ session, at, catalogue, description }) => {
        const { doctor } = await import("@rea/clients");
        const report = await doctor({
          ...at,
          catalogue,
          description,
          clients,
          provider: given.provider,
          target: given.target === undefined ? undefined : localPath(given.target),
          skill: given.skill === true,
          probe: given.probe === true,
          signal: interrupt.signal,
        });
        printOutcome(session, report, () => doctorText(report, { style: session.style, full: given.detail === "full" }));
        return report.healthy ? 0 : 1;
      };
      finish(await inMaintenance(given, work));
    },
  };
}
