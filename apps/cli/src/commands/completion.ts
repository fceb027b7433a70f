import type { CommandModule } from "yargs";
import { commandEntries } from "../command-entries.js";
import type { Finish } from "../finish.js";
import { printOut } from "../standard-output.js";
import { operandText } from "../operands.js";
import { bashCompletion, fishCompletion, zshCompletion } from "../render/completion-script.js";

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

const shells = ["bash", "zsh", "fish"] as const;

/** `rea completion SHELL`: a script to source. */
export function completionCommand(finish: Finish): CommandModule<object, { shell: keyof typeof scripts }> {
  return {
    command: "completion <shell>",
    describe: "Print a completion script, e.g. source <(rea completion bash).",
    builder: (argv) =>
      argv.positional("shell", { choices: shells, demandOption: true, describe: "Shell to complete in", coerce: shellOf }),
    handler: ({ shell }) => {
      printOut(scripts[shell](commandEntries()));
      finish(0);
    },
  };
}

/** A choice the parser checks; it may have stood behind `--`. */
function shellOf(value: keyof typeof scripts): keyof typeof scripts {
  return shells.find((shell) => shell === operandText(value)) ?? value;
}
