import { setTimeout as sleep } from "node:timers/promises";
import { evidenceRefusal, isReaError, processCaptureSchema, type ProcessCapture } from "@rea/core";
import type { CommandModule } from "yargs";
import { choiceOption, fileOption, localPath, operand, textOption } from "../argument-values.js";
import { inSession, type CommandSession } from "../command-session.js";
import type { Finish } from "../finish.js";
import { interrupt } from "../interrupt.js";
import { jsonFile } from "../json-file.js";
import { printOut } from "../standard-output.js";
import { UsageError } from "../usage-error.js";

export const replayTerminalOptions = {
  format: choiceOption("format", ["terminal", "asciicast"], "Play it here, or print it as an asciicast (version 2)"),
  speed: textOption("speed", "How many times as fast; 0 shows the end at once"),
  output: fileOption("output", "Write to this file"),
} as const;

interface Arguments {
  readonly capture: string;
  readonly format?: string | undefined;
  readonly speed?: string | undefined;
  readonly output?: string | undefined;
}

/** Longest pause that is played. */
const longestPauseMs = 5_000;

/** `rea replay-terminal CAPTURE`: plays back what a captured program wrote to its terminal. */
export function replayTerminalCommand(finish: Finish): CommandModule<object, Arguments> {
  return {
    command: "replay-terminal <capture>",
    describe: "Play back the terminal of a capture, or export it as an asciicast.",
    builder: (argv) => argv.positional("capture", operand("capture", "A file of capture-process --output, or BUNDLE#ev_…")).options(replayTerminalOptions),
    handler: async (given) => {
      finish(await inSession({ output: given.output, format: "text" }, (session) => replay(session, given)));
    },
  };
}

async function replay(session: CommandSession, given: Arguments): Promise<number> {
  const speed = speedOf(given.speed);
  try {
    const capture = await captureAt(session, given.capture);
    if (given.format === "asciicast") {
      const { asciicast } = await import("@rea/report");
      for (const line of asciicast(capture)) session.text(line);
    } else await play(session, capture, { speed, file: given.output !== undefined });
    return 0;
  } catch (error) {
    if (isReaError(error)) return session.fail(error.toObject());
    throw error;
  }
}

async function play(session: CommandSession, capture: ProcessCapture, { speed, file }: { readonly speed: number; readonly file: boolean }): Promise<void> {
  const { afterPlayback, playedFrames } = await import("@rea/capture");
  // A file, or a pipe, has no time to lose.
  const timed = speed > 0 && !file && process.stdout.isTTY === true;
  let atMs = 0;
  for (const frame of playedFrames(capture)) {
    if (timed) await sleep(Math.min(longestPauseMs, Math.max(0, frame.atMs - atMs) / speed), undefined, { signal: interrupt.signal }).catch(() => undefined);
    if (interrupt.signal.aborted) break;
    atMs = frame.atMs;
    if (file) session.text(frame.text);
    else printOut(frame.text);
  }
  if (process.stdout.isTTY === true && !file) printOut(afterPlayback);
}

async function captureAt(session: CommandSession, place: string): Promise<ProcessCapture> {
  const [, bundle, id] = /^(.+)#(ev_[0-9a-f]{64})$/u.exec(place) ?? [];
  const content = bundle === undefined || id === undefined ? jsonFile("<capture>", place) : await session.wholeOfRecord(localPath(bundle), id);
  const parsed = processCaptureSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw evidenceRefusal("schema", "The file does not hold a capture. Write one with rea capture-process --output.", {});
}

function speedOf(text: string | undefined): number {
  if (text === undefined) return 1;
  const speed = Number(text);
  if (Number.isFinite(speed) && speed >= 0 && speed <= 1000) return speed;
  throw new UsageError("--speed takes a number from 0 to 1000");
}
