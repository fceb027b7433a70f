import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pseudocodeHeader } from "@rea/runtime";
import type { FunctionTexts } from "../function-texts.js";
import { interrupt } from "../interrupt.js";
import { couldNotBeWritten, writeOutputFile } from "../output.js";
import { DecompileJournal } from "./decompile-journal.js";

/** Files of one folder before they are put into folders by address. */
const mostInOneFolder = 5000;
/** Of those that failed, told at the end; the list of all is in the directory. */
const mostTold = 20;
const notWritten = "/* Not written as C:";

export interface DecompileHost {
  readonly texts: Pick<FunctionTexts, "one" | "page" | "progress">;
  readonly say: (text: string) => void;
}

interface Counts {
  written: number;
  /** A file that says why there is no code. */
  reason: number;
  elsewhere: number;
  /** Of all these, by an earlier run. */
  before: number;
}

/**
 * One file a function, named by its entry and name, `rea.h`, and `functions.tsv`, which says what is done: a run that was ended
 * before is gone on with. What fails stops nothing, is listed in `not-written.txt` and is tried again by the next run.
 */
export async function decompileAll(host: DecompileHost, directory: string, { subject, inOneFolder = mostInOneFolder }: DecompileOptions): Promise<number> {
  mkdirSync(directory, { recursive: true });
  if (!writeOutputFile(join(directory, "rea.h"), pseudocodeHeader())) return 1;
  const journal = journalOf(directory, subject);
  if (journal === undefined) return 1;
  try {
    return await new Writing(host, { directory, journal, inOneFolder }).run();
  } finally {
    journal.close();
  }
}

export interface DecompileOptions {
  /** Whose functions they are and what writes them. */
  readonly subject: string;
  readonly inOneFolder?: number;
}

function journalOf(directory: string, subject: string): DecompileJournal | undefined {
  return told(directory, () => DecompileJournal.open(directory, subject));
}

/** Undefined, with a line on standard error, when the file system refuses. */
function told<T>(path: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    process.stderr.write(`rea: ${couldNotBeWritten(path, error)}\n`);
    return undefined;
  }
}

class Writing {
  readonly #host: DecompileHost;
  readonly #directory: string;
  readonly #journal: DecompileJournal;
  readonly #inOneFolder: number;
  readonly #counts: Counts = { written: 0, reason: 0, elsewhere: 0, before: 0 };
  readonly #failed: string[] = [];
  readonly #folders = new Set<string>();

  constructor(host: DecompileHost, { directory, journal, inOneFolder }: { readonly directory: string; readonly journal: DecompileJournal; readonly inOneFolder: number }) {
    this.#host = host;
    this.#directory = directory;
    this.#journal = journal;
    this.#inOneFolder = inOneFolder;
  }

  async run(): Promise<number> {
    const { texts } = this.#host;
    let seen = 0;
    for await (const procedure of procedures(texts)) {
      if (interrupt.signal.aborted) break;
      texts.progress((seen += 1), procedure.total);
      const before = this.#journal.doneBefore(procedure.address);
      if (before === undefined) {
        if (!(await this.#one(procedure))) return 1;
      } else {
        this.#counts[before] += 1;
        this.#counts.before += 1;
      }
    }
    return this.#ended();
  }

  /** False when it cannot be written. */
  async #one({ address, name, total }: Procedure): Promise<boolean> {
    const reply = await this.#host.texts.one(address);
    if (!reply.ok) {
      if (!interrupt.signal.aborted) this.#failed.push(`${address}: ${reply.error.message}`);
      return true;
    }
    const { text } = reply;
    if (text === null) {
      this.#counts.elsewhere += 1;
      return told(this.#directory, () => { this.#journal.note(address, "elsewhere"); return true; }) ?? false;
    }
    const state = text.startsWith(notWritten) ? "reason" : "written";
    const folder = total > this.#inOneFolder ? folderName(address) : "";
    const file = join(folder, `${fileName(`${address}_${name}`)}.c`);
    const isWritten = told(join(this.#directory, file), () => {
      if (!this.#folders.has(folder)) mkdirSync(join(this.#directory, folder), { recursive: true });
      this.#folders.add(folder);
      this.#journal.write(address, state, { file, text: `${text}\n` });
      return true;
    });
    if (isWritten === true) this.#counts[state] += 1;
    return isWritten ?? false;
  }

  #ended(): number {
    const { written, reason, elsewhere, before } = this.#counts;
    const failed = this.#failed;
    const { say } = this.#host;
    const stopped = interrupt.signal.aborted ? "Stopped before the end; the same command goes on: " : "";
    const earlier = before === 0 ? "" : ` ${String(before)} of them were there from an earlier run.`;
    say(`${stopped}${String(written)} functions written, ${String(reason)} files say why there is no code, ${String(elsewhere)} have their body in another file, ${String(failed.length)} failed.${earlier}\n`);
    for (const line of failed.slice(0, mostTold)) say(`${line}\n`);
    const list = join(this.#directory, "not-written.txt");
    if (failed.length === 0) rmSync(list, { force: true });
    else if (!writeOutputFile(list, `${failed.join("\n")}\n`)) return 1;
    if (failed.length > mostTold) say(`All of them are in not-written.txt of the directory.\n`);
    return interrupt.signal.aborted || failed.length > 0 ? 1 : 0;
  }
}

interface Procedure {
  readonly address: string;
  readonly name: string;
  readonly total: number;
}

const pageSize = 500;

async function* procedures(texts: DecompileHost["texts"]): AsyncGenerator<Procedure> {
  for (let offset = 0; ; offset += pageSize) {
    const page = await texts.page(offset, pageSize);
    for (const { address, value, procedure } of page.items) if (!procedure.external) yield { address, name: value, total: page.total ?? page.items.length };
    if (!page.has_more) return;
  }
}

/** Functions of the same 64 KiB stand together. */
function folderName(address: string): string {
  return address.length > 6 ? address.slice(0, -4) : "0x0";
}

/** Target text never decides where a file goes. */
export function fileName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_.-]/g, "_").replace(/^\.+/, "_").slice(0, 120);
}
