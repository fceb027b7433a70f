import type { Writable } from "node:stream";
import { BoundedOutput, type CapturedOutput } from "./bounded-output.js";
import { cleanUp, type CleanupSubject } from "./cleanup.js";
import { HeldOutputs } from "./held-outputs.js";
import { observeLineage, treeSnapshot, type LineageObservation, type TreeSnapshot } from "./lineage-observation.js";
import type { CleanupReport, Ownership } from "./ownership.js";
import { identityOf, isSameProcess, type ProcessIdentity, type ProcessRow } from "./process-table.js";
import type { RunMembers } from "./run-members.js";
import type { OpenTerminal } from "./open-terminal.js";
import type { EndedRun, EndReason, OwnedProcess, OwnedTerminal, ProcessDescription } from "./owned-process.js";
import { signalGroup, signalProcess, type SignalOutcome, type SignalPower } from "./signal-process.js";
import type { Child, ChildExit } from "./start-child.js";
import type { StartRequest } from "./start-request.js";
import { twoTurns, within } from "./within.js";

/** What the start of a run hands over. */
export interface RunParts {
  readonly child: Child;
  readonly row: ProcessRow;
  readonly terminal: OpenTerminal | undefined;
  /** The program itself as the host sees it now; the child where nothing stands between. */
  readonly target: () => Promise<ProcessRow | null>;
  readonly members: RunMembers;
  readonly ownership: () => Ownership;
  readonly power: SignalPower;
  readonly exited: Promise<ChildExit>;
  readonly executable: OwnedProcess["executable"];
  readonly commands: readonly string[];
  readonly container: Pick<CleanupSubject, "endContainer" | "containerEmpty">;
  /** Releases what the run held beside its processes; called after each end that left nothing. */
  readonly release: () => Promise<void>;
}

/** What was written before all processes ended is in the pipes; only somebody who was not found keeps them open. */
const drainMs = 400;
const drainRounds = 10;
const quiet = { ms: 5, rounds: 500 } as const;

export class OwnedRun implements OwnedProcess {
  readonly ended: Promise<EndedRun>;
  readonly #parts: RunParts;
  readonly #request: StartRequest;
  readonly #outputs: HeldOutputs;
  readonly #stdout: BoundedOutput;
  readonly #stderr: BoundedOutput;
  readonly #timer: NodeJS.Timeout;
  readonly #settle: (ended: EndedRun) => void;
  readonly #onAbort = (): void => void this.#end("cancelled");
  #ending: Promise<EndedRun> | null = null;
  #exit: ChildExit = { code: null, signal: null };

  constructor(parts: RunParts, request: StartRequest) {
    this.#parts = parts;
    this.#request = request;
    let settle: (ended: EndedRun) => void = () => undefined;
    this.ended = new Promise((resolve) => (settle = resolve));
    this.#settle = settle;
    this.#outputs = new HeldOutputs(parts.power.table, parts.row, parts.terminal?.name);
    const { maximumBytes, keep } = { maximumBytes: request.outputBytes ?? 65_536, keep: request.keep ?? "head" } as const;
    const onPassed = (): void => void (request.endWhenOutputPassed === true && this.#end("output_limit"));
    this.#stdout = new BoundedOutput(parts.child.stdout, { maximumBytes, keep, onPassed });
    this.#stderr = new BoundedOutput(parts.child.stderr, { maximumBytes, keep, onPassed });
    const onOutput = request.terminal?.onOutput;
    if (onOutput !== undefined) parts.terminal?.output.on("data", onOutput);
    this.#timer = setTimeout(() => void this.#end("timeout"), request.deadlineMs);
    request.signal.addEventListener("abort", this.#onAbort, { once: true });
    void parts.exited.then((exit) => {
      this.#exit = exit;
      return this.#lingering(exit).then(() => this.#end("exited"));
    });
    this.#feed();
    if (request.signal.aborted) this.#onAbort();
  }

  get pid(): number {
    return this.#parts.child.pid;
  }

  get identity(): ProcessIdentity | null {
    const { power, row } = this.#parts;
    return power.table.unreadable === null ? identityOf(power.table, row) : null;
  }

  get executable(): OwnedProcess["executable"] {
    return this.#parts.executable;
  }

  get ownership(): Ownership {
    return this.#parts.ownership();
  }

  get stdin(): Writable | null {
    return this.#request.stdin === "pipe" ? this.#parts.child.stdin : null;
  }

  get terminal(): OwnedTerminal | null {
    const { terminal } = this.#parts;
    if (terminal === undefined) return null;
    return {
      write: (bytes) => terminal.write(bytes),
      resize: (size) => {
        if (this.#ending !== null) return false;
        terminal.resize(size);
        return true;
      },
      reading: (reads) => {
        if (reads || this.#ending !== null) terminal.output.resume();
        else terminal.output.pause();
      },
    };
  }

  output(): { readonly stdout: CapturedOutput; readonly stderr: CapturedOutput } {
    return { stdout: this.#stdout.read(), stderr: this.#stderr.read() };
  }

  observe(): Promise<LineageObservation> {
    const { power, row, commands, child, members } = this.#parts;
    const launcher = { row, commands, ownPid: process.pid, live: () => child.exit() === null };
    return observeLineage(power.table, launcher, () => members.collect());
  }

  async snapshot(maximum = 1_000): Promise<TreeSnapshot> {
    const search = await this.#parts.members.glance();
    return treeSnapshot(search, this.ownership.proof, maximum);
  }

  async program({ pid, start_time: startTime }: { readonly pid: number; readonly start_time: string }): Promise<string | null> {
    const { table } = this.#parts.power;
    const program = await table.command(pid);
    return isSameProcess(await table.read(pid), { pid, startTime }) ? program : null;
  }

  async describe({ pid, start_time: startTime }: { readonly pid: number; readonly start_time: string }): Promise<ProcessDescription | null> {
    const { table } = this.#parts.power;
    const program = await table.command(pid);
    const appearance = table.appearance(pid);
    // Read last: what was read before is this process's only if it still is this process.
    const after = await table.read(pid);
    if (after === null || !isSameProcess(after, { pid, startTime })) return null;
    return { program, arguments: appearance?.arguments ?? null, innerPid: appearance?.innerPid ?? null };
  }

  async signal(signal: NodeJS.Signals, to: "root" | "group" = "root"): Promise<SignalOutcome> {
    const target = await this.#parts.target();
    if (target === null) return "gone";
    const { power } = this.#parts;
    return to === "root" ? signalProcess(power, target, signal) : signalGroup(power, [target], signal);
  }

  async close(): Promise<EndedRun> {
    const before = this.#ending;
    if (before === null) return this.#end("closed");
    const ended = await before;
    if (ended.cleanup.state !== "incomplete") return ended;
    // Only the first of several callers tries again; all of them get what came of it.
    const again = this.#ending === null || this.#ending === before ? this.#endNow(ended.reason) : this.#ending;
    this.#ending = again;
    return again;
  }

  /** The program has met its deadline; what it left gets the time that was asked for it. */
  async #lingering(exit: ChildExit): Promise<void> {
    const { afterExit } = this.#request;
    if (afterExit === undefined || this.#ending !== null) return;
    clearTimeout(this.#timer);
    await afterExit(exit).catch(() => undefined);
  }

  #end(reason: EndReason): Promise<EndedRun> {
    this.#ending ??= this.#endNow(reason);
    return this.#ending;
  }

  async #endNow(reason: EndReason): Promise<EndedRun> {
    clearTimeout(this.#timer);
    this.#request.signal.removeEventListener("abort", this.#onAbort);
    this.#parts.terminal?.output.resume();
    const { child, exited, members } = this.#parts;
    const first = await this.#cleanUp();
    if (first.state !== "incomplete") await within(exited.then((exit) => (this.#exit = exit)), drainMs);
    await this.#drain();
    const { terminal } = this.#parts;
    if (terminal === undefined) child.destroyStreams();
    const cleanup = await this.#outputs.check(first);
    // Only as long as it is open does its name mean this terminal.
    this.#outputs.forgetTerminal();
    child.destroyStreams();
    const over = cleanup.state !== "incomplete";
    if (over) await this.#parts.release();
    const ended = { reason, exit: this.#exit, ...this.output(), cleanup, confirmed: members.confirmations() };
    this.#settle(ended);
    return ended;
  }

  /** Reads on as long as something comes: on a busy host time alone says nothing. */
  async #drain(): Promise<void> {
    let open = true;
    // A terminal that is hung up is taken for ended after any one read, so what it holds is read while we still hold it.
    for (let round = 0, before = -1; round < quiet.rounds && this.#totalBytes() > before; round += 1) {
      before = this.#totalBytes();
      if (this.#parts.terminal !== undefined) await new Promise((resolve) => setTimeout(resolve, quiet.ms));
      await twoTurns();
    }
    this.#parts.child.letGo();
    const drained = this.#parts.child.drained.then(() => {
      open = false;
      this.#outputs.drained();
    });
    for (let round = 0, before = -1; open && round < drainRounds && this.#totalBytes() > before; round += 1) {
      before = this.#totalBytes();
      await within(drained, drainMs);
      // Timers that are late come before what waits to be read.
      await twoTurns();
    }
  }

  #totalBytes(): number {
    return this.#stdout.totalBytes + this.#stderr.totalBytes;
  }

  async #cleanUp(): Promise<CleanupReport> {
    const { child, members, power, container, ownership } = this.#parts;
    const subject: CleanupSubject = {
      ...container,
      ownership,
      power,
      collect: () => members.collect(),
      endRoot: child.kill,
      rootEnded: () => child.exit() !== null,
    };
    try {
      return await cleanUp(subject, { settleMs: this.#request.settleMs ?? 250 });
    } catch {
      // The table became unreadable: what we hold a handle on is ended, the rest stays unknown.
      child.kill();
      const reason = "the process table could not be read";
      return { state: "incomplete", ownership_proof: "unproven", ownership_reason: reason, resources: [] };
    }
  }

  #feed(): void {
    const { stdin } = this.#parts.child;
    // A program may end without having read its input.
    stdin?.on("error", () => undefined);
    if (this.#request.stdin instanceof Uint8Array) stdin?.end(this.#request.stdin);
  }
}
