import type { CommandModule } from "yargs";
import { commandEntries } from "../command-entries.js";
import type { Finish } from "../finish.js";
import { bashCompletion, fishCompletion, zshCompletion } from "../render/completion-script.js";

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `rea completion SHELL`: a script to source. */
export function completionCommand(finish: Finish): CommandModule<object, { shell: keyof typeof scripts }> {
  return {
    command: "completion <shell>",
    describe: "Print a completion script, e.g. source <(rea completion bash).",
    builder: (argv) =>
      argv.positional("shell", { choices: ["bash", "zsh", "fish"] as const, demandOption: true, describe: "Shell to complete in" }),
    handler: ({ shell }) => {
      process.stdout.write(scripts[shell](commandEntries()));
      finish(0);
    },
  };
}
