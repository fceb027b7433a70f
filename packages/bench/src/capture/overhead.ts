import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { createLauncher } from "@rea/lineage";
import { isInstalled, output } from "../corpus/programs.js";
import { median } from "../measure.js";
import { captureOnce } from "./capture-once.js";

const files = 5000;
const rounds = 15;
const execute = promisify(execFile);

export interface Overhead {
  /** Median over the rounds of the time that the program took by its own clock: alone, captured, and traced as well. */
  readonly aloneMs: number;
  readonly captured: { readonly ms: number; readonly ratio: number };
  readonly traced: { readonly ms: number; readonly ratio: number } | null;
  /** A whole capture, from the call to the answer, with its settle time of 100 ms and both looks at the files. */
  readonly wholeMs: number;
}

/**
 * What being captured costs a program: `git status` in a repository of 5,000 files, timed by the shell that runs it, alone and
 * captured in turn.
 */
export async function captureOverhead(): Promise<Overhead | { readonly skipped: string }> {
  for (const program of ["git", "bash"]) if (!isInstalled(program)) return { skipped: `${program} is not installed` };
  const place = await mkdtemp(join(tmpdir(), "rea-bench-capture-"));
  const launcher = createLauncher();
  try {
    const repository = await repositoryIn(place);
    const command = ["-c", "TIMEFORMAT=%6R; time git status >/dev/null"];
    const scenario = { executable: "bash", arguments: command, working_directory: repository, inherit_environment: "all" };
    const traceable = isInstalled("strace");
    const times: { readonly [kind in "alone" | "captured" | "traced" | "whole"]: number[] } = { alone: [], captured: [], traced: [], whole: [] };
    for (let round = 0; round <= rounds; round += 1) {
      const { stderr } = await execute("bash", command, { cwd: repository });
      const started = performance.now();
      const { capture } = await captureOnce(launcher, scenario);
      const whole = performance.now() - started;
      const traced = traceable ? (await captureOnce(launcher, { ...scenario, trace: "syscalls" })).capture : undefined;
      if (round === 0) continue;
      times.alone.push(secondsIn(stderr));
      times.captured.push(secondsIn(capture.normalized_terminal.text));
      times.whole.push(whole);
      if (traced !== undefined) times.traced.push(secondsIn(traced.normalized_terminal.text));
    }
    const ratioTo = (own: readonly number[]): number => median(own.map((value, round) => value / (times.alone[round] ?? value))) ?? 0;
    return {
      aloneMs: median(times.alone) ?? 0,
      captured: { ms: median(times.captured) ?? 0, ratio: ratioTo(times.captured) },
      traced: traceable ? { ms: median(times.traced) ?? 0, ratio: ratioTo(times.traced) } : null,
      wholeMs: median(times.whole) ?? 0,
    };
  } finally {
    await launcher.close();
    await rm(place, { recursive: true, force: true });
  }
}

async function repositoryIn(place: string): Promise<string> {
  const repository = join(place, "repository");
  for (let index = 0; index < files; index += 1) {
    const directory = join(repository, `d${String(index % 50)}`);
    if (index < 50) await mkdir(directory, { recursive: true });
    await writeFile(join(directory, `f${String(index)}.txt`), `file ${String(index)}\n`);
  }
  const git = (...words: string[]): Promise<string> => output(["git", "-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: repository });
  await git("init", "-q");
  await git("add", ".");
  await git("commit", "-qm", "all");
  return repository;
}

/** Milliseconds of a time in seconds that stands alone on a line. */
function secondsIn(text: string): number {
  const found = /(?:^|\n)(\d+[.,]\d+)/u.exec(text)?.[1];
  if (found === undefined) throw new Error("the shell told no time");
  return Number(found.replace(",", ".")) * 1000;
}
