import { ReaError, throwIfAborted } from "@rea/core";
import { Guardian } from "./guardian.js";
import { hostTable } from "./host-table.js";
import type { OwnedProcess } from "./owned-process.js";
import type { ProcessResource } from "./ownership.js";
import type { PreparedStart, StartHost } from "./prepared-start.js";
import type { ProcessTable } from "./process-table.js";
import { findSetsid, noTerminals, openTerminal, type OpenTerminal, type TerminalSize } from "./open-terminal.js";
import { createRunToken, runTokenVariable } from "./run-token.js";
import type { Kill } from "./signal-process.js";
import { startFailure } from "./start-child.js";
import { startDirect } from "./start-direct.js";
import { startIsolated } from "./start-isolated.js";
import { checkStartRequest, type StartRequest } from "./start-request.js";
import { openExecutable, type VerifiedExecutable } from "./verified-executable.js";

/** Starts programs and owns them until they are over. */
export interface ProcessLauncher {
  /**
   * Starts a program. Throws `invalid_request`, `target_unavailable` (the program cannot be run), `unsupported_host` (the
   * isolation asked for is not to be had), `provider_unavailable` (the system refused the start) and `cancelled`.
   */
  start(request: StartRequest): Promise<OwnedProcess>;
  /** Ends all runs and starts no more; safe to call twice, and tries again what an earlier call had to leave. */
  close(): Promise<{ readonly remaining: readonly ProcessResource[] }>;
}

export interface LauncherOptions {
  /** Default: the table of this host. */
  readonly table?: ProcessTable;
  /** Default: `process.kill`. */
  readonly kill?: Kill;
  /** Whether runs get a cgroup of their own where the host gives one; default true. */
  readonly cgroups?: boolean;
  /** Whether runs without a container get a mark where the host gives one; default true. */
  readonly marks?: boolean;
}

/** A launcher starts nothing by itself; close it when its owner goes. */
export function createLauncher(options: LauncherOptions = {}): ProcessLauncher {
  return new HostLauncher(options);
}

class HostLauncher implements ProcessLauncher {
  readonly #host: StartHost;
  readonly #guardian = new Guardian();
  readonly #runs = new Set<OwnedProcess>();
  readonly #starting = new Set<Promise<OwnedProcess>>();
  #closed = false;

  constructor({ table = hostTable(), kill = (pid, signal) => void process.kill(pid, signal), cgroups = true, marks = true }: LauncherOptions) {
    const release = async ({ token, executable, command, setsid }: PreparedStart): Promise<void> => {
      this.#guardian.forget(token);
      command.terminal?.close();
      await setsid?.close();
      await executable.close();
    };
    this.#host = { power: { table, kill }, guardian: this.#guardian, cgroups, marks, release };
  }

  async start(request: StartRequest): Promise<OwnedProcess> {
    checkStartRequest(request);
    throwIfAborted(request.signal, "start_process");
    if (this.#closed) throw closing();
    const starting = this.#start(request);
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  async close(): Promise<{ readonly remaining: readonly ProcessResource[] }> {
    this.#closed = true;
    await Promise.allSettled(this.#starting);
    const ended = await Promise.all([...this.#runs].map((run) => run.close()));
    const left = ended.filter(({ cleanup }) => cleanup.state === "incomplete");
    if (left.length === 0) await this.#guardian.close();
    return { remaining: left.flatMap(({ cleanup }) => cleanup.resources) };
  }

  async #start(request: StartRequest): Promise<OwnedProcess> {
    const executable = await openExecutable(request.executable, request.signal);
    const token = createRunToken();
    const terminal = request.terminal === undefined ? undefined : await openTerminalFor(request.terminal, executable);
    const prepared: PreparedStart = {
      request,
      token,
      executable,
      command: {
        file: request.byGivenName === true ? request.executable : executable.path,
        args: request.arguments,
        environment: { ...request.environment, [runTokenVariable]: token },
        workingDirectory: request.workingDirectory,
        stdin: request.stdin === undefined ? "closed" : "pipe",
        control: false,
        ...(terminal === undefined ? {} : { terminal: terminal.opened }),
      },
      setsid: terminal?.setsid ?? null,
    };
    try {
      const start = request.isolation === "pid_namespace" ? startIsolated : startDirect;
      const run = await start(this.#host, prepared);
      this.#runs.add(run);
      void run.ended.then(({ cleanup }) => cleanup.state !== "incomplete" && this.#runs.delete(run));
      return run;
    } catch (error) {
      await this.#host.release(prepared);
      throw await startFailure(error);
    }
  }
}

interface PreparedTerminal {
  readonly opened: OpenTerminal;
  readonly setsid: VerifiedExecutable;
}

async function openTerminalFor(size: TerminalSize, executable: VerifiedExecutable): Promise<PreparedTerminal> {
  try {
    const opened = openTerminal(size);
    const path = findSetsid();
    if (path === null) throw noTerminals("no setsid program");
    return { opened, setsid: await openExecutable(path) };
  } catch (error) {
    await executable.close();
    throw error;
  }
}

function closing(): ReaError {
  return new ReaError("provider_unavailable", {
    message: "REA is closing and starts no more programs. Start it again.",
    details: { reason: "closing" },
  });
}
