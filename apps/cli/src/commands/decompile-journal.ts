import { closeSync, existsSync, openSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** What became of a function. */
export type FunctionState = "written" | "reason" | "elsewhere";

interface Entry {
  readonly state: FunctionState;
  /** Below the directory; empty for a body in another file. */
  readonly file: string;
}

const name = "functions.tsv";
const states: ReadonlySet<string> = new Set<FunctionState>(["written", "reason", "elsewhere"]);

/**
 * Which functions of a directory are done, in `functions.tsv`: what was opened, then a line for each function with its address,
 * what became of it and its file. A line stands there only once its file is complete, so that a run that was ended anywhere
 * goes on where it was.
 */
export class DecompileJournal {
  readonly #directory: string;
  readonly #done: ReadonlyMap<string, Entry>;
  readonly #handle: number;

  private constructor(directory: string, done: ReadonlyMap<string, Entry>) {
    this.#directory = directory;
    this.#done = done;
    this.#handle = openSync(join(directory, name), "a");
  }

  /** `subject` says whose functions they are and what writes them; what stands there of another subject is begun anew. Throws what the file system says. */
  static open(directory: string, subject: string): DecompileJournal {
    const path = join(directory, name);
    for (const left of readdirSync(directory)) if (isLeft(left)) rmSync(join(directory, left), { force: true });
    const lines = existsSync(path) ? readFileSync(path, "utf8") : "";
    const head = `# ${subject}\n`;
    const whole = lines.slice(0, lines.lastIndexOf("\n") + 1);
    const isOurs = whole.startsWith(head);
    if (!isOurs) writeFileSync(path, head);
    else if (whole.length < lines.length) truncateSync(path, Buffer.byteLength(whole));
    return new DecompileJournal(directory, isOurs ? entriesOf(whole.slice(head.length)) : new Map());
  }

  /** What an earlier run made of the function, where that is still there. */
  doneBefore(address: string): FunctionState | undefined {
    const entry = this.#done.get(address);
    if (entry === undefined || (entry.file !== "" && !existsSync(join(this.#directory, entry.file)))) return undefined;
    return entry.state;
  }

  /** Writes the function's file, complete or not at all, then says so. Throws what the file system says. */
  write(address: string, state: FunctionState, { file, text }: { readonly file: string; readonly text: string }): void {
    const temporary = join(this.#directory, `.part-${String(process.pid)}`);
    writeFileSync(temporary, text);
    renameSync(temporary, join(this.#directory, file));
    this.note(address, state, file);
  }

  note(address: string, state: FunctionState, file = ""): void {
    writeSync(this.#handle, `${address}\t${state}\t${file}\n`);
  }

  close(): void {
    closeSync(this.#handle);
  }
}

/** A file that a run was ended in the middle of. */
function isLeft(file: string): boolean {
  const pid = /^\.part-([0-9]+)$/.exec(file)?.[1];
  return pid !== undefined && !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function entriesOf(text: string): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  for (const line of text.split("\n")) {
    const [address = "", state = "", file = ""] = line.split("\t");
    if (isState(state)) found.set(address, { state, file });
  }
  return found;
}

function isState(text: string): text is FunctionState {
  return states.has(text);
}
