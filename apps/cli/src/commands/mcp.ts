import type { CommandModule } from "yargs";
import type { OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { interrupt } from "../interrupt.js";
import { inMaintenance, printOutcome, reportOptions } from "../maintenance.js";
import { operandText } from "../operands.js";
import { mcpDoctorText } from "../render/doctor-text.js";
import { UsageError } from "../usage-error.js";

type Arguments = OutputArguments & { readonly action?: string | undefined; readonly facade?: boolean | undefined };

/** `rea mcp`: main starts the server before this is ever reached; here for help, completion and `rea mcp doctor`. */
export function mcpCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "mcp [action]",
    describe: "Start the MCP server on standard input and output; rea mcp doctor tries it.",
    builder: (argv) =>
      argv
        .positional("action", { type: "string", describe: "doctor: start the server, have one session with it, and judge it" })
        .option("facade", { type: "boolean", describe: "List four tools that lead to all others, for models that refuse long lists" })
        .options(reportOptions),
    handler: async (given) => {
      const action = given.action === undefined ? undefined : operandText(given.action);
      if (action !== undefined && action !== "doctor") throw new UsageError("mcp takes no argument, or doctor");
      if (action === "doctor") {
        finish(await tryServer(given));
        return;
      }
      const { serve } = await import("../serve.js");
      finish(await serve({ facade: given.facade === true }));
    },
  };
}

function tryServer(given: Arguments): Promise<number> {
  return inMaintenance(given, async ({ session, at, catalogue }) => {
    const { mcpDoctor } = await import("@rea/clients");
    const report = await mcpDoctor({ ...at, env: process.env, workingDirectory: process.cwd(), catalogue, signal: interrupt.signal });
    printOutcome(session, report, () => mcpDoctorText(report, session.style));
    return report.healthy ? 0 : 1;
  });
}
