import { realpath } from "node:fs/promises";
import { ReaError, throwIfAborted } from "@rea/core";
import type { Guarded } from "./guardian.js";
import { createOwnCgroup, type OwnCgroup } from "./own-cgroup.js";
import { OwnedRun } from "./owned-run.js";
import type { OwnedProcess } from "./owned-process.js";
import type { Ownership, ProofRefusal } from "./ownership.js";
import { onTerminal, rowOf, type PreparedStart, type StartHost } from "./prepared-start.js";
import type { ProcessRow } from "./process-table.js";
import type { RunMark } from "./run-mark.js";
import { RunMembers } from "./run-members.js";
import { prepareMark, refusedByTool, type PreparedMark } from "./run-marks.js";
import { loadStarter, startChild, type Child, type ChildCommand } from "./start-child.js";

const becomesWithinMs = 5_000;

/**
 * Starts a program as the host's users see theirs, in a session of its own: in a cgroup where the host gives one, else
 * with group and token as the proof.
 */
export async function startDirect(host: StartHost, prepared: PreparedStart): Promise<OwnedProcess> {
  const { token, executable, request, setsid } = prepared;
  const made = ownCgroup(host);
  const cgroup = "refused" in made ? null : made;
  let child: Child | null = null;
  let mark: PreparedMark | null = null;
  try {
    mark = cgroup === null ? await markFor(host, request.signal) : null;
    const command = markedBy(mark, onTerminal(prepared.command, setsid));
    const guarded = guardedBy(token, mark, cgroup);
    await host.guardian.protect(guarded);
    const execa = await loadStarter();
    await executable.revalidate();
    await setsid?.revalidate();
    await mark?.tool.revalidate();
    throwIfAborted(request.signal, "start_process");
    const start = (): Child => startChild(execa, command);
    child = cgroup === null ? start() : cgroup.startInside(start);
    const started = await rowOf(host.power, child);
    // It makes its own session before it becomes the program, and whoever is in that session descends from it.
    const row = setsid === null ? started : { ...started, groupId: child.pid, sessionId: child.pid };
    await replaced(host, child, [mark?.tool.path, setsid?.path].filter((path) => path !== undefined));
    if (setsid === null) await refuseUnstarted(child, mark);
    await refuseShell(host, prepared, child.pid);
    await host.guardian.protect({ ...guarded, leader: row });
    return ownDirect(host, prepared, { child, row, cgroup, mark: mark?.mark ?? null, refused: "refused" in made ? made.refused : null });
  } catch (error) {
    child?.kill();
    cgroup?.end();
    cgroup?.remove();
    throw error;
  } finally {
    await mark?.tool.close();
  }
}

async function markFor({ power, marks }: StartHost, signal: AbortSignal): Promise<PreparedMark | null> {
  const prepared = marks ? await prepareMark(power.table, signal) : null;
  return prepared === null || "refused" in prepared ? null : prepared;
}

function markedBy(mark: PreparedMark | null, command: ChildCommand): ChildCommand {
  return mark === null ? command : mark.command(command);
}

function guardedBy(token: string, mark: PreparedMark | null, cgroup: OwnCgroup | null): Guarded {
  return { token, ...(mark === null ? {} : { mark: mark.mark }), ...(cgroup === null ? {} : { cgroup: cgroup.path }) };
}

/** Waits until a child runs another program than those that prepare it, or has ended. */
async function replaced({ power }: StartHost, child: Child, by: readonly string[]): Promise<void> {
  const deadline = Date.now() + becomesWithinMs;
  while (child.exit() === null && Date.now() < deadline && by.includes((await power.table.command(child.pid)) ?? "")) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** What prepared the child could not become the program. */
async function refuseUnstarted(child: Child, mark: PreparedMark | null): Promise<void> {
  const errno = mark === null ? null : await refusedByTool(child, mark.tool.path);
  if (errno === null) return;
  throw new ReaError("provider_unavailable", {
    message: `The program could not be started (${errno}). Check the program, its arguments and the working directory.`,
    details: { reason: "start_failed", errno },
  });
}

/** The C library runs a program that the system refused as a shell script; seen at once, it is ended at once. */
async function refuseShell({ power }: StartHost, { executable, request }: PreparedStart, pid: number): Promise<void> {
  const command = await power.table.command(pid);
  const expected = [executable.path, executable.interpreter, ...(request.becomes ?? [])];
  if (command === null || expected.includes(command) || command !== (await realpath("/bin/sh").catch(() => null))) return;
  throw new ReaError("provider_unavailable", {
    message: "The system cannot run this program (ENOEXEC). Name a program of this system.",
    details: { reason: "start_failed", errno: "ENOEXEC" },
  });
}

function ownCgroup({ cgroups }: StartHost): OwnCgroup | { readonly refused: string } {
  if (process.platform !== "linux") return { refused: `${process.platform} has no cgroups` };
  return cgroups ? createOwnCgroup() : { refused: "not asked for" };
}

interface DirectChild {
  readonly child: Child;
  readonly row: ProcessRow;
  readonly cgroup: OwnCgroup | null;
  readonly mark: RunMark | null;
  /** Why there is no cgroup. */
  readonly refused: string | null;
}

function ownDirect(host: StartHost, prepared: PreparedStart, { child, row, cgroup, mark, refused }: DirectChild): OwnedRun {
  const { table } = host.power;
  const members = new RunMembers(table, {
    row,
    token: prepared.token,
    mark,
    held: () => child.exit() === null,
    container: cgroup === null ? null : () => has(cgroup.members()),
    plumbing: new Set(),
  });
  const { path, sha256, interpreter } = prepared.executable;
  return new OwnedRun(
    {
      child,
      row,
      terminal: prepared.command.terminal,
      target: () => Promise.resolve(row),
      members,
      ownership: () => directOwnership({ host, members, hasCgroup: cgroup !== null, marked: mark !== null, refused }),
      power: host.power,
      exited: child.exited,
      executable: { path, sha256 },
      commands: [interpreter ?? path, ...(prepared.request.becomes ?? [])],
      container: {
        endContainer: cgroup === null ? null : () => Promise.resolve(cgroup.end()),
        containerEmpty: cgroup === null ? null : () => Promise.resolve(cgroup.isEmpty()),
      },
      release: async () => {
        cgroup?.remove();
        await host.release(prepared);
      },
    },
    prepared.request,
  );
}

function has(pids: ReadonlySet<number>): (pid: number) => boolean {
  return (pid) => pids.has(pid);
}

interface DirectFacts {
  readonly host: StartHost;
  readonly members: RunMembers;
  readonly hasCgroup: boolean;
  readonly marked: boolean;
  readonly refused: string | null;
}

function directOwnership({ host, members, hasCgroup, marked, refused }: DirectFacts): Ownership {
  const { table } = host.power;
  const stronger: ProofRefusal[] = [{ proof: "pid_namespace", reason: "it changes what the program sees, so it is used on request only" }];
  const unguarded = host.guardian.refused;
  const limitations = unguarded === null ? [] : [`When this process is killed, ${unguarded}.`];
  if (hasCgroup) {
    return { proof: "cgroup", stronger, limitations: [...limitations, "A program that may write to other cgroups can leave this one."] };
  }
  stronger.push({ proof: "cgroup", reason: refused ?? "none was made" });
  stronger.push({ proof: "job_object", reason: process.platform === "win32" ? "no library for them is used" : "only Windows has them" });
  if (table.unreadable !== null) {
    const rest: ProofRefusal[] = [{ proof: "group_and_token", reason: table.unreadable }, { proof: "group_only", reason: table.unreadable }];
    return { proof: "unproven", reason: table.unreadable, stronger: [...stronger, ...rest], limitations };
  }
  const proof = members.proofOfGroup();
  if (proof === "group_only") stronger.push({ proof: "group_and_token", reason: "the environment of a member could not be read" });
  return { proof, stronger, limitations: [...limitations, ...groupLimitations(table.resolution, marked)] };
}

function groupLimitations(resolution: "tick" | "second", marked: boolean): string[] {
  const gone = "A process that left the session, lost its parent and emptied its environment before it was looked at";
  const hidden = marked
    ? `${gone} is found by the mark among its limits; one that may set its limits back is not.`
    : `${gone} is not found; the state of the cleanup says whether there may be one.`;
  const coarse = "Start times have a resolution of one second: a pid that was given out again within one second is not told apart.";
  return resolution === "tick" ? [hidden] : [hidden, coarse];
}
