import type { CommandModule } from "yargs";
import { isJsonObject, type JsonObject } from "@rea/core";
import { inSession, type CommandSession } from "../command-session.js";
import type { Finish } from "../finish.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import { providersText } from "../render/providers-text.js";

/** `rea providers` and `rea capabilities`: parts of `binary_session`; no engine is started. */
export function sessionCommands(finish: Finish): CommandModule<object, OutputArguments>[] {
  return [
    view(finish, {
      command: "providers",
      describe: "Analysis providers on this host, and why one cannot be used.",
      print: (session, result) => session.text(providersText(result["analysis_provider_candidates"], session.style)),
    }),
    view(finish, {
      command: "capabilities",
      describe: "Operations the composed providers offer.",
      print: (session, { capabilities = [] }) => void session.print({ ok: true, value: { result: { capabilities } } }),
    }),
  ];
}

interface View {
  readonly command: string;
  readonly describe: string;
  readonly print: (session: CommandSession, result: JsonObject) => void;
}

function view(finish: Finish, { command, describe, print }: View): CommandModule<object, OutputArguments> {
  return {
    command,
    describe,
    builder: (argv) => argv.options(outputOptions),
    handler: async (given) => {
      finish(
        await inSession(given, async (session) => {
          const reply = await session.call("binary_session", {});
          if (!reply.ok || session.json) return session.print(reply);
          print(session, isJsonObject(reply.value.result) ? reply.value.result : {});
          return 0;
        }),
      );
    },
  };
}
