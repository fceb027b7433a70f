import { isReaError, screenshotComparisonSchema, type ScreenshotComparisonInput } from "@rea/core";
import type { ToolReply } from "@rea/tool";
import type { CommandModule } from "yargs";
import { fileOption, localPath, operand } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import { outputOptions, type OutputArguments } from "../common-options.js";
import type { Finish } from "../finish.js";
import { writeOutputFile } from "../output.js";
import { UsageError } from "../usage-error.js";
import { keepFilesApart } from "../written-files.js";

export const compareWebScreenshotsOptions = {
  "channel-threshold": { type: "string", describe: "Largest difference of a channel that counts as none, 0 to 255", default: "0" },
  "maximum-pixels": { type: "string", describe: "Largest image that is decoded, at most 32000000", default: "16000000" },
  "exit-code": { type: "boolean", describe: "Exit with 0 when identical, 1 when different, 3 when unknown", default: false },
} as const;

const output = { ...outputOptions, output: fileOption("output", "Write a PNG of what differs to this file") };

type Arguments = OutputArguments & { left: string; right: string; "channel-threshold": string; "maximum-pixels": string; "exit-code": boolean };

const tool = "compare_web_screenshots";

/** `rea compare-web-screenshots A.png B.png --output diff.png`: how many pixels changed, and where. */
export function compareWebScreenshotsCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "compare-web-screenshots <left> <right>",
    describe: "How many pixels differ between two PNG images, by how much, and where.",
    builder: (argv) =>
      argv
        .positional("left", operand("left", "The older image, a PNG file"))
        .positional("right", operand("right", "The newer one"))
        .options(compareWebScreenshotsOptions)
        .options(output),
    handler: async (given) => {
      const read = [given.left, given.right];
      keepFilesApart(given, read);
      // What is printed goes to standard output; the file gets the picture.
      finish(await inSession({ ...given, output: undefined }, (session) => compare(session, given), read));
    },
  };
}

async function compare(session: CommandSession, given: Arguments): Promise<number> {
  const sides = { left: { kind: "file", path: localPath(given.left) }, right: { kind: "file", path: localPath(given.right) } } as const;
  const bounds = { channel_threshold: wholeNumber("channel-threshold", given), maximum_pixels: wholeNumber("maximum-pixels", given) };
  const reply = await session.call(tool, { left: { path: sides.left.path }, right: { path: sides.right.path }, ...bounds });
  const printed = session.print(reply, { tool });
  if (printed !== 0 || !reply.ok) return printed;
  if (given.output !== undefined) {
    const drawn = await draw(session, { ...sides, ...bounds }, localPath(given.output));
    if (drawn !== 0) return drawn;
  }
  const saved = await session.save({});
  return saved === 0 && given["exit-code"] ? exitStatus(reply) : saved;
}

async function draw(session: CommandSession, input: ScreenshotComparisonInput, file: string): Promise<number> {
  try {
    const picture = await session.screenshotDifference(input);
    if (picture !== null) return writeOutputFile(file, picture) ? 0 : 1;
    process.stderr.write("rea: images of different size have no difference image; --output was not written.\n");
    return 0;
  } catch (error) {
    if (isReaError(error)) return session.fail(error.toObject());
    throw error;
  }
}

/** 0 identical, 1 different, 3 unknown. */
function exitStatus(reply: Extract<ToolReply, { ok: true }>): number {
  const { status } = screenshotComparisonSchema.parse(reply.value.result);
  if (status === "identical") return 0;
  return status === "unknown" ? 3 : 1;
}

function wholeNumber(name: "channel-threshold" | "maximum-pixels", given: Arguments): number {
  if (/^\d{1,9}$/u.test(given[name])) return Number(given[name]);
  throw new UsageError(`--${name} takes a whole number`);
}
