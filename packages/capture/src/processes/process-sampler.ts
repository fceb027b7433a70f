import { basename } from "node:path";
import { escapeUntrusted, omission, type Omission, type ProcessSample, type SampledProcess } from "@rea/core";
import type { OwnedProcess, TreeSnapshot } from "@rea/lineage";

export interface SamplerOptions {
  readonly run: OwnedProcess;
  readonly maximumProcesses: number;
  readonly now: () => number;
  readonly hide: (text: string) => string;
  /** Real paths of programs that only serve the capture; their processes are none of the run. */
  readonly instruments: ReadonlySet<string>;
  readonly onSample: (sample: ProcessSample) => void;
  /** A process was seen for the first time, by the name of its program. */
  readonly onProcess: (program: string) => void;
}

type TreeProcess = TreeSnapshot["processes"][number];

interface Known {
  readonly number: number;
  readonly pid: number;
  readonly innerPid: number | null;
  program: string | null;
  live: boolean;
}

const maximumSamples = 5_000;
const maximumArguments = 64;
const maximumArgumentLength = 256;

/** Looks at the processes of a run again and again, and writes down what changed. */
export class ProcessSampler {
  readonly #options: SamplerOptions;
  readonly #known = new Map<string, Known>();
  readonly #instruments = new Set<string>();
  #samples = 0;
  #missedProcesses = 0;
  #missedSamples = 0;
  #unreadable = false;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  /** The process table could not be read at some time. */
  get unreadable(): boolean {
    return this.#unreadable;
  }

  /** Pids of all processes seen, as the host and as they themselves see them, in order of first sight. */
  pids(): readonly number[] {
    return [...this.#known.values()].flatMap(({ pid, innerPid }) => (innerPid === null ? [pid] : [pid, innerPid]));
  }

  /** The number of a process by its pid, the last one that had it. */
  numberOf(pid: number): number | null {
    let found: number | null = null;
    for (const known of this.#known.values()) if (known.pid === pid || known.innerPid === pid) found = known.number;
    return found;
  }

  /** The program itself, as its start saw it: it may be over before the first look. */
  begin(given: readonly string[]): void {
    const { run } = this.#options;
    if (run.identity === null) return;
    const { pid, startTime } = run.identity;
    const { path } = run.executable;
    this.#known.set(`${String(pid)}:${startTime}`, { number: 0, pid, innerPid: null, program: path, live: true });
    const ids = { pid, parent_pid: process.pid, process_group_id: pid, session_id: pid, start_time: startTime };
    const root: SampledProcess = { process: 0, parent: null, ...ids, program: this.#show(path), arguments: this.#arguments(given), confirmed_by: "root" };
    this.#record({ at_ms: this.#options.now(), phase: "running", appeared: [root], became: [], ended: [], live: 1, unverified: [] });
    this.#options.onProcess(basename(path));
  }

  /** Takes a sample; returns how many processes live, null when that cannot be told. */
  async sample(phase: ProcessSample["phase"]): Promise<number | null> {
    const { run, maximumProcesses, now } = this.#options;
    const tree = await run.snapshot(maximumProcesses).catch(() => null);
    if (tree === null) {
      this.#unreadable = true;
      return null;
    }
    const appeared: SampledProcess[] = [];
    const became: ProcessSample["became"] = [];
    const live = new Set<string>();
    for (const row of tree.processes) {
      const key = `${String(row.pid)}:${row.start_time}`;
      if (this.#instruments.has(key)) continue;
      const known = this.#known.get(key);
      const looked = await this.#look(row, key, known);
      if (looked === null) continue;
      live.add(key);
      if ("appeared" in looked) appeared.push(looked.appeared);
      else if (looked.became !== null) became.push(looked.became);
    }
    const ended = this.#end(live);
    this.#record({ at_ms: now(), phase, appeared, became, ended, live: live.size, unverified: tree.unverified.map((each) => ({ ...each })) });
    if (tree.truncated) this.#missedProcesses = Math.max(this.#missedProcesses, tree.total - tree.processes.length);
    return live.size;
  }

  omissions(): Omission[] {
    return [
      ...(this.#missedProcesses > 0
        ? [omission("processes", "limit_items", { count: this.#missedProcesses, limit: this.#options.maximumProcesses, how_to_continue: "Capture again with a larger limits.processes." })]
        : []),
      ...(this.#missedSamples > 0 ? [omission("process samples", "limit_items", { count: this.#missedSamples, limit: maximumSamples })] : []),
      ...(this.#unreadable ? [omission("processes", "unreadable")] : []),
    ];
  }

  async #look(row: TreeProcess, key: string, known: Known | undefined): Promise<{ readonly appeared: SampledProcess } | { readonly became: ProcessSample["became"][number] | null } | null> {
    // Most looks find what the last one found; only what runs another program is described again.
    if (known !== undefined && [known.program, null].includes(await this.#options.run.program(row))) return { became: null };
    const described = await this.#options.run.describe(row);
    if (described === null) return known === undefined ? null : { became: null };
    const { program } = described;
    if (program !== null && this.#options.instruments.has(program)) {
      // What has become an instrument is one; the program itself is its own once it has become itself.
      if (row.confirmed_by !== "root") this.#instruments.add(key);
      return null;
    }
    const shown = { program: program === null ? null : this.#show(program), arguments: this.#arguments(described.arguments) };
    if (known !== undefined) {
      if (program === known.program || program === null) return { became: null };
      known.program = program;
      return { became: { process: known.number, ...shown } };
    }
    if (this.#known.size >= this.#options.maximumProcesses) {
      this.#missedProcesses += 1;
      return null;
    }
    const number = this.#known.size;
    const parent = this.#liveNumber(row.parent_pid);
    this.#known.set(key, { number, pid: row.pid, innerPid: described.innerPid === row.pid ? null : described.innerPid, program, live: true });
    if (program !== null) this.#options.onProcess(basename(program));
    const { pid, parent_pid, process_group_id, session_id, start_time, confirmed_by } = row;
    return { appeared: { process: number, parent, pid, parent_pid, process_group_id, session_id, start_time, ...shown, confirmed_by } };
  }

  #liveNumber(pid: number): number | null {
    for (const known of this.#known.values()) if (known.live && known.pid === pid) return known.number;
    return null;
  }

  #end(live: ReadonlySet<string>): number[] {
    const ended: number[] = [];
    for (const [key, known] of this.#known) {
      if (!known.live || live.has(key)) continue;
      known.live = false;
      ended.push(known.number);
    }
    return ended;
  }

  #record(sample: ProcessSample): void {
    const says = sample.appeared.length + sample.became.length + sample.ended.length + sample.unverified.length > 0;
    if (!says && this.#samples > 0) return;
    if (this.#samples >= maximumSamples) return void (this.#missedSamples += 1);
    this.#samples += 1;
    this.#options.onSample(sample);
  }

  #arguments(given: readonly string[] | null): string[] | null {
    return given === null ? null : given.slice(0, maximumArguments).map((argument) => this.#show(argument));
  }

  /** Hidden before it is cut, so that no part of a value is left. */
  #show(text: string): string {
    const hidden = [...this.#options.hide(text)];
    return escapeUntrusted(hidden.length <= maximumArgumentLength ? hidden.join("") : `${hidden.slice(0, maximumArgumentLength).join("")}…`);
  }
}
