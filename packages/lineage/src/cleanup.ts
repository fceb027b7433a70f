import { sessionOf, type Member, type MemberSearch } from "./member-search.js";
import type { FullSearch } from "./run-members.js";
import type { CleanupReport, Ownership, ProcessResource } from "./ownership.js";
import type { ProcessRow } from "./process-table.js";
import { signalGroup, signalProcess, type SignalPower } from "./signal-process.js";

/** What ending a run needs to know and may do. */
export interface CleanupSubject {
  readonly ownership: () => Ownership;
  /** Looks for the members of the run; throws when the process table cannot be read. */
  readonly collect: () => Promise<FullSearch>;
  readonly power: SignalPower;
  /** Ends a namespace or cgroup as a whole; null when the run has neither. */
  readonly endContainer: (() => Promise<void>) | null;
  /** Whether the container is proved empty; null when the run has none. */
  readonly containerEmpty: (() => Promise<boolean>) | null;
  /** Ends our own child through the handle we hold on it: for hosts where nothing else is proved. */
  readonly endRoot: () => void;
  readonly rootEnded: () => boolean;
}

export interface CleanupTimes {
  /** Time to end by will after TERM; default 250 ms. */
  readonly settleMs?: number;
  /** Time to be gone after KILL; default 1,000 ms. */
  readonly killMs?: number;
}

const pollMs = 20;
/** Looks taken before giving up, however slow each of them is. */
const leastLooks = 10;

/**
 * Ends a run: collect and validate, TERM, wait, KILL what is left, confirm that none remains. The identity of a process
 * is read again right before each signal. Who ends meanwhile has ended; who cannot be verified is reported, not signalled.
 */
export async function cleanUp(subject: CleanupSubject, { settleMs = 250, killMs = 1_000 }: CleanupTimes = {}): Promise<CleanupReport> {
  if (subject.ownership().proof === "unproven") return endUnproven(subject, settleMs + killMs);
  let search = await subject.collect();
  if (search.members.length > 0) {
    await signalMembers(subject.power, search, "SIGTERM");
    search = await waitForNone(subject, settleMs);
  }
  const deadline = Date.now() + killMs;
  for (let looks = 0; !(await isOver(subject, search)) && (looks < leastLooks || Date.now() < deadline); looks += 1) {
    await signalMembers(subject.power, search, "SIGKILL");
    await subject.endContainer?.();
    await pause(pollMs);
    search = await subject.collect();
  }
  return reportOf(subject, search);
}

/** Who cannot be verified now may be in the middle of an exec, and is looked at again. */
async function isOver(subject: CleanupSubject, search: MemberSearch): Promise<boolean> {
  const { members, unverified } = search;
  return members.length === 0 && unverified.length === 0 && subject.rootEnded() && (await subject.containerEmpty?.()) !== false;
}

async function waitForNone(subject: CleanupSubject, timeMs: number): Promise<FullSearch> {
  const deadline = Date.now() + timeMs;
  for (;;) {
    const search = await subject.collect();
    if (search.members.length === 0 || Date.now() >= deadline) return search;
    await pause(pollMs);
  }
}

/** By group where the whole group is ours, so that no fork slips through; the others one by one. */
async function signalMembers(power: SignalPower, search: MemberSearch, signal: NodeJS.Signals): Promise<void> {
  for (const [groupId, group] of byGroup(search.members)) {
    const whole = groupId > 1 && group.every((row) => search.sessions.has(sessionOf(row)));
    if (whole) await signalGroup(power, group, signal);
    else for (const row of group) await signalProcess(power, row, signal);
  }
}

function byGroup(members: readonly Member[]): Map<number, ProcessRow[]> {
  const groups = new Map<number, ProcessRow[]>();
  for (const { row } of members) groups.set(row.groupId, [...(groups.get(row.groupId) ?? []), row]);
  return groups;
}

async function reportOf(subject: CleanupSubject, search: FullSearch): Promise<CleanupReport> {
  const { proof } = subject.ownership();
  const resources: ProcessResource[] = [
    ...search.members.map(({ row }) => resource(row.pid, "not_ended")),
    ...search.unverified.map(({ row, reason }) => resource(row.pid, reason)),
  ];
  resources.sort((a, b) => a.detail.pid - b.detail.pid);
  const clean = resources.length === 0 && (await isOver(subject, search));
  if (!clean) return { state: "incomplete", ownership_proof: proof, resources };
  if (search.truncated) return { state: "unproven", ownership_proof: proof, ownership_reason: "not all processes could be listed", resources };
  if (search.strays.length === 0) return { state: "proven", ownership_proof: proof, resources };
  // Where all of them are strangers as likely as not, naming them would accuse them.
  const named = subject.power.table.source === "procfs" ? search.strays.map(({ pid }) => resource(pid, "token_mismatch")) : [];
  const reason = "processes that lost their parents during the run could not be told from those of the run";
  return { state: "unproven", ownership_proof: proof, ownership_reason: reason, resources: named };
}

function resource(pid: number, reason: ProcessResource["detail"]["reason"]): ProcessResource {
  return { kind: "process_group", detail: { pid, reason } };
}

/** Our own child is ended through its handle; nothing is signalled by pid, and what it started stays unknown. */
async function endUnproven(subject: CleanupSubject, timeMs: number): Promise<CleanupReport> {
  const { reason } = subject.ownership();
  if (!subject.rootEnded()) subject.endRoot();
  const deadline = Date.now() + timeMs;
  while (!subject.rootEnded() && Date.now() < deadline) await pause(pollMs);
  return {
    state: subject.rootEnded() ? "unproven" : "incomplete",
    ownership_proof: "unproven",
    ...(reason === undefined ? {} : { ownership_reason: reason }),
    resources: [],
  };
}

/** Past the timer also once around the event loop: timers that are always due again would keep it from learning of exits. */
async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  await new Promise((resolve) => setImmediate(resolve));
}
