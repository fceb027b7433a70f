import { toReaError } from "@rea/core";
import type { CommandModule } from "yargs";
import { localPath, operand } from "../argument-values.js";
import { inSession } from "../command-session.js";
import type { Finish } from "../finish.js";
import { jsonText } from "../output.js";
import { grouped } from "../render/figures.js";

export const recoverSourcesOptions = {
  output: { type: "string", demandOption: true, describe: "Directory to write into; it must not exist yet" },
  "inner-path": { type: "string", describe: "Logical path of the application inside a container" },
  json: { type: "boolean", describe: "Print JSON", default: false },
} as const;

type Arguments = { path: string; output: string; "inner-path"?: string; json: boolean };

/** `rea recover-sources APP --output DIR`: the originals that source maps hold, as files. */
export function recoverSourcesCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "recover-sources <path>",
    describe: "Writes the original sources that an application's source maps hold.",
    builder: (argv) => argv.positional("path", operand("path", "Application, bundle or source map")).options(recoverSourcesOptions),
    handler: async ({ path, output, "inner-path": innerPath, json }) => {
      finish(
        await inSession({ json }, async (session) => {
          try {
            const found = await session.recoverSources({ path: localPath(path), inner_path: innerPath, output: localPath(output) });
            const skipped = found.skipped.map((one) => `  ${session.style.warn(one.reason)} ${one.path}\n`).join("");
            const text = `${grouped(found.files.length)} originals of ${grouped(found.maps)} source maps in ${output}\n${found.without_text === 0 ? "" : `${grouped(found.without_text)} more are named without their text\n`}${skipped}`;
            session.text(json ? jsonText(found, session.output.terminal) : text);
            return 0;
          } catch (error) {
            return session.fail(toReaError(error, "recover_sources").toObject());
          }
        }),
      );
    },
  };
}
