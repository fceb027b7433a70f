import type { CommandModule } from "yargs";
import { isJsonObject } from "@rea/core";
import { inSession } from "../command-session.js";
import type { Finish } from "../finish.js";
import { outputOptions, type OutputArguments } from "../common-options.js";

/** `rea providers` and `rea capabilities`: parts of `binary_session`; no engine is started. */
export function sessionCommands(finish: Finish): CommandModule<object, OutputArguments>[] {
  return [
    view("providers", "Analysis providers on this host, and why one cannot be used.", "analysis_provider_candidates", finish),
    view("capabilities", "Operations the composed providers offer.", "capabilities", finish),
  ];
}

function view(command: string, describe: string, part: string, finish: Finish): CommandModule<object, OutputArguments> {
  return {
    command,
    describe,
    builder: (argv) => argv.options(outputOptions),
    handler: async (given) => {
      finish(
        await inSession(given, async (session) => {
          const reply = await session.call("binary_session", {});
          if (!reply.ok || session.json) return session.print(reply);
          const { result } = reply.value;
          const shown = isJsonObject(result) ? result[part] : undefined;
          return session.print({ ok: true, value: { result: { [part]: shown ?? [] } } });
        }),
      );
    },
  };
}
