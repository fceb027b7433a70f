import { binaryComparisonSchema } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { localPath, operand, textOption } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import { exitCodeOption, verdictStatus } from "../exit-code.js";
import type { Finish } from "../finish.js";
import { binaryComparisonText } from "../render/binary-comparison-text.js";
import { UsageError } from "../usage-error.js";

export const compareBinariesOptions = {
  architecture: textOption("architecture", "Slice of universal files"),
  names: { type: "boolean", describe: "Let names of functions decide (--no-names: as if stripped)", default: true },
  limit: { type: "string", describe: "Items of each list, 1 to 500", default: "25" },
  offset: { type: "string", describe: "First item of each list", default: "0" },
  ...exitCodeOption,
} as const;

export type BinaryArguments = OutputArguments & {
  architecture?: string | undefined;
  names: boolean;
  limit: string;
  offset: string;
  "exit-code": boolean;
};
type Arguments = BinaryArguments & { left: string; right: string };

const tool = "compare_binaries";

/** `rea compare-binaries LEFT RIGHT`: two versions of a program, whole. */
export function compareBinariesCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "compare-binaries <left> <right>",
    describe: "Which functions of two versions of a program are the same, changed, added or removed.",
    builder: (argv) =>
      argv
        .positional("left", operand("left", "The older program"))
        .positional("right", operand("right", "The newer program"))
        .options(compareBinariesOptions)
        .options(outputOptions),
    handler: async (given) => {
      finish(await inSession(given, (session) => compare(session, given), [given.left, given.right]));
    },
  };
}

async function compare(session: CommandSession, given: Arguments): Promise<number> {
  const reply = await binaryComparison(session, given, given);
  const printed = printBinaries(session, reply, given);
  if (printed !== 0 || !reply.ok) return printed;
  const saved = await session.save({});
  return saved === 0 && given["exit-code"] ? binaryVerdict(reply) : saved;
}

interface Sides {
  readonly left: string;
  readonly right: string;
}

/** Asks the tool with the options of the command line. */
export function binaryComparison(session: CommandSession, { left, right }: Sides, given: BinaryArguments): Promise<ToolReply> {
  const architecture = given.architecture === undefined ? {} : { architecture: given.architecture };
  const paging = { limit: wholeNumber("limit", given.limit), offset: wholeNumber("offset", given.offset) };
  return session.call(tool, { left: localPath(left), right: localPath(right), use_names: given.names, ...architecture, ...paging });
}

export function printBinaries(session: CommandSession, reply: ToolReply, paths: Sides): number {
  if (!reply.ok || session.json) return session.print(reply, { tool });
  session.text(binaryComparisonText(binaryComparisonSchema.parse(reply.value.result), paths, session.style));
  return 0;
}

/** 0 equal, 1 different, 3 unknown. */
export function binaryVerdict(reply: Extract<ToolReply, { ok: true }>): number {
  const { status } = binaryComparisonSchema.parse(reply.value.result);
  return verdictStatus(status === "unchanged" ? "equal" : status === "changed" ? "different" : "unknown");
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a whole number`);
}
