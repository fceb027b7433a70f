import { throwIfAborted } from "@rea/core";
import { OwnedRun } from "./owned-run.js";
import type { OwnedProcess } from "./owned-process.js";
import { findUnshare, namespaceCommand, namespaceRefused, openNamespace, type PidNamespace } from "./pid-namespace.js";
import { onTerminal, rowOf, type PreparedStart, type StartHost } from "./prepared-start.js";
import type { ProcessRow } from "./process-table.js";
import { RunMembers } from "./run-members.js";
import { runTokenVariable } from "./run-token.js";
import { signalProcess } from "./signal-process.js";
import { loadStarter, startChild, type Child } from "./start-child.js";
import { openExecutable } from "./verified-executable.js";
import { within } from "./within.js";

/** Starts a program in a pid namespace of its own. Throws `unsupported_host` where there is none; never does with less. */
export async function startIsolated(host: StartHost, prepared: PreparedStart): Promise<OwnedProcess> {
  const path = findUnshare();
  if (path === null) throw namespaceRefused(process.platform === "linux" ? "no unshare program" : process.platform);
  const tool = await openExecutable(path, prepared.request.signal);
  try {
    await host.guardian.protect({ token: prepared.token });
    const execa = await loadStarter();
    await tool.revalidate();
    const environment = { [runTokenVariable]: prepared.token };
    const { stdin, terminal } = prepared.command;
    const child = startChild(execa, { ...namespaceCommand(tool.path, environment, stdin), ...(terminal === undefined ? {} : { terminal }) });
    return await enter(host, prepared, { child, tool: tool.path });
  } finally {
    await tool.close();
  }
}

interface NamespaceChild {
  readonly child: Child;
  readonly tool: string;
}

async function enter(host: StartHost, prepared: PreparedStart, { child, tool }: NamespaceChild): Promise<OwnedRun> {
  try {
    const row = await rowOf(host.power, child);
    const namespace = await openNamespace(host.power.table, child);
    await prepared.executable.revalidate();
    await prepared.setsid?.revalidate();
    throwIfAborted(prepared.request.signal, "start_process");
    await namespace.start(onTerminal(prepared.command, prepared.setsid));
    return ownIsolated(host, prepared, { child, tool, row, namespace });
  } catch (error) {
    // The namespace ends with the channel to its first process, and with the program that made it.
    child.destroyStreams();
    child.kill();
    await within(child.exited, 5_000);
    throw error;
  }
}

type Entered = NamespaceChild & { readonly row: ProcessRow; readonly namespace: PidNamespace };

function ownIsolated(host: StartHost, prepared: PreparedStart, { child, tool, row, namespace }: Entered): OwnedRun {
  const { table } = host.power;
  const { init } = namespace;
  const members = new RunMembers(table, {
    row,
    token: prepared.token,
    mark: null,
    held: () => child.exit() === null,
    container: () => namespace.contains,
    plumbing: new Set([row.pid, init.pid]),
  });
  const { path, sha256 } = prepared.executable;
  let released = false;
  return new OwnedRun(
    {
      child,
      row,
      terminal: prepared.command.terminal,
      target: async () => (await table.list()).rows.find(({ parentPid }) => parentPid === init.pid) ?? null,
      members,
      ownership: () => ({
        proof: "pid_namespace",
        stronger: [],
        limitations: ["The program sees pids of its own namespace, a private /proc, and a user namespace with its own user only."],
      }),
      power: host.power,
      exited: namespace.exited,
      executable: { path, sha256 },
      commands: [tool],
      container: {
        // Let go, the first process ends by itself and quietly; killed, it ends too.
        endContainer: async () => {
          if (released) await signalProcess(host.power, init, "SIGKILL");
          released = true;
          await namespace.release();
        },
        // The kernel lets the first process go only after every other one of its namespace (pid_namespaces(7)).
        containerEmpty: async () => {
          const now = await table.read(init.pid);
          return now === null || now.zombie || now.startTime !== init.startTime;
        },
      },
      release: () => host.release(prepared),
    },
    prepared.request,
  );
}
