import { closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** Limit of the JavaScript heap; the large tables of an analysis are typed arrays outside it. */
export const standardHeapMegabytes = 4096;

/** A thread of the engine that does not know its target yet. */
export interface EngineThread {
  readonly worker: Worker;
  /** False once the thread has ended. */
  isRunning(): boolean;
}

export interface ThreadOptions {
  /** Module of the thread. */
  readonly entry: URL;
  readonly heapMegabytes?: number;
  /** What it may read ahead. */
  readonly early?: EarlyTarget;
}

/** A file that a target may be made of; read before it is known to be one. */
export interface EarlyTarget {
  readonly path: string;
}

/** Starts a thread; it learns by its first message what it is for, and alone never keeps the process alive. */
export function startThread({ entry, heapMegabytes = standardHeapMegabytes, early }: ThreadOptions): EngineThread {
  // stdout belongs to the protocol: whatever a library prints stays in the thread.
  const worker = new Worker(entry, {
    workerData: early ?? null,
    stdout: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  let running = true;
  const end = (): void => {
    running = false;
  };
  worker.on("error", end);
  worker.on("exit", end);
  worker.unref();
  return { worker, isRunning: () => running };
}

/** A target is named early; a list of files that follows is not looked through. */
const mostWords = 8;

/**
 * Starts a thread for a command whose words name an executable file: it loads the engine and looks at the file while the
 * command itself is being loaded. Undefined when no word does.
 */
export function startForExecutable(words: readonly string[], entry: URL): EngineThread | undefined {
  const path = words.slice(0, mostWords).find((word) => !word.startsWith("-") && beginsAsExecutable(word));
  return path === undefined ? undefined : startThread({ entry, early: { path } });
}

// ELF gABI; PE/COFF §2.1 (MZ); Mach-O thin and universal in both byte orders.
const magics: ReadonlySet<string> = new Set(["7f454c46", "feedface", "feedfacf", "cefaedfe", "cffaedfe", "cafebabe", "cafebabf"]);

function beginsAsExecutable(path: string): boolean {
  const magic = firstBytes(path)?.toString("hex");
  return magic !== undefined && (magics.has(magic) || magic.startsWith("4d5a"));
}

/** Undefined where there is no such file, or one that cannot be read; who asks for it in earnest says so. */
function firstBytes(path: string): Buffer | undefined {
  try {
    // Before opening: the mere opening of some devices has effects.
    if (!statSync(path).isFile()) return undefined;
    const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const bytes = Buffer.alloc(4);
      return readSync(handle, bytes, 0, 4, 0) === 4 ? bytes : undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
