import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** True when a program of this name can be run. */
export function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((directory) => existsSync(`${directory}/${program}`));
}

/** Standard output of a program; throws with the end of its standard error when it fails. */
export async function output(command: readonly string[], options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}): Promise<string> {
  const [program = "", ...args] = command;
  try {
    const { stdout } = await execute(program, args, { maxBuffer: 1 << 30, encoding: "utf8", ...options });
    return stdout;
  } catch (error) {
    const told = error instanceof Error && "stderr" in error ? String(error.stderr).trim().slice(-500) : String(error);
    throw new Error(`${program} failed: ${told}`, { cause: error });
  }
}

/** Lines of a program's standard output, however many. */
export async function* linesOf(command: readonly string[]): AsyncGenerator<string> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  yield* createInterface({ input: child.stdout });
  const code = await ended;
  if (code !== 0) throw new Error(`${program} ended with exit code ${String(code)}`);
}

/** Does the work on all items, so many at a time; results in the order of the items. */
export async function inParallel<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const index = next++;
      const item = items[index];
      if (item === undefined) return;
      results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
