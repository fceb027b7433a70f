import { omission, toReaError, type AnalysisProfile, type OperationContext, type ProgressReporter } from "@rea/core";
import { addressShift, type ProviderFacts } from "@rea/compare";
import type { AnalysisProvider } from "@rea/provider";
import { openPrivateClient, type PrivateClient } from "../private-client.js";
import type { ResolvedTarget } from "../target/resolve-target.js";
import { endsComparison, readCalls, readFacts, type FactReading, type ReadCalls } from "./read-facts.js";

/** Functions whose calls are read, of those that all providers know. */
const mostCallers = 2_000;

export interface AskedProvider {
  readonly id: string;
  readonly provider: AnalysisProvider;
  readonly profile: AnalysisProfile;
}

export interface CollectedFacts {
  /** Of those that answered, in the order they were asked. */
  readonly facts: readonly ProviderFacts[];
  /** Whose placing of the program addresses are of: the embedded provider's where it answered, so that they can be asked about without an engine. */
  readonly reference: string;
  /** Of those whose engine failed. */
  readonly failures: ReadonlyMap<string, { readonly code: string; readonly reason: string }>;
}

interface Participant extends AskedProvider {
  client?: PrivateClient;
  facts?: Omit<ProviderFacts, "calls">;
}

/**
 * Asks all at the same time, each through a client of its own that is closed before this returns or throws. One whose engine
 * fails leaves the others to be compared. Throws `cancelled`, and `cleanup_incomplete` when a client left something behind.
 */
export async function collectFacts(asked: readonly AskedProvider[], target: ResolvedTarget, context: OperationContext): Promise<CollectedFacts> {
  const failures = new Map<string, { code: string; reason: string }>();
  const participants: Participant[] = asked.map((each) => ({ ...each }));
  const each = async (work: (participant: Participant) => Promise<void>): Promise<void> => {
    const settled = await Promise.allSettled(participants.filter(({ id }) => !failures.has(id)).map(async (participant) => {
      try {
        await work(participant);
      } catch (error) {
        if (endsComparison(error)) throw error;
        const { code, message } = toReaError(error, "compare_providers");
        failures.set(participant.id, { code, reason: message });
      }
    }));
    for (const outcome of settled) if (outcome.status === "rejected") throw outcome.reason;
  };
  const came = counter(context.progress);
  const reading = (participant: Participant, client: PrivateClient): FactReading => ({
    id: participant.id,
    client,
    offers: (operation) => participant.provider.capabilities().some((capability) => capability.operation === operation && capability.available),
    context: { signal: context.signal, progress: came.progressOf(participant.id) },
    came: came.add,
  });
  try {
    await each(async (participant) => {
      const client = await openPrivateClient(participant.provider, target, context);
      participant.client = client;
      participant.facts = await readFacts(reading(participant, client));
    });
    const read = participants.flatMap(({ facts, id }) => (facts === undefined || failures.has(id) ? [] : [facts]));
    const reference = read.find(({ id }) => asked.some((each) => each.id === id && each.provider.embedded)) ?? read[0];
    const placing = reference?.ranges ?? [];
    const callers = commonStarts(read, placing);
    const calls = new Map<string, ReadCalls | null>();
    /** In the reference's placing: what one cannot tell of, is not compared. */
    const unread = new Set<bigint>();
    await each(async (participant) => {
      const { client, facts } = participant;
      if (client === undefined || facts === undefined || read.length < 2) return;
      const { shift } = addressShift(placing, facts.ranges);
      const found = await readCalls(reading(participant, client), callers.starts.map((start) => start - shift));
      calls.set(participant.id, found);
      for (const caller of found?.unread ?? []) unread.add(caller + shift);
    });
    const cut = callers.total > callers.starts.length ? [omission("call_edges", "limit_items", { count: callers.total - callers.starts.length, limit: mostCallers })] : [];
    const refused = unread.size > 0 ? [omission("call_edges", "unreadable", { count: unread.size })] : [];
    const facts = read.filter(({ id }) => !failures.has(id)).map((given, index) => {
      const { shift } = addressShift(placing, given.ranges);
      const known = calls.get(given.id)?.calls.filter(({ from }) => !unread.has(from + shift)) ?? null;
      return { ...given, calls: known, omissions: index === 0 ? [...given.omissions, ...cut, ...refused] : given.omissions };
    });
    return { facts, reference: reference?.id ?? "", failures };
  } finally {
    await closeAll(participants.flatMap(({ client }) => client ?? []));
  }
}

/** Starts that all know, where the placing has them, by address. */
function commonStarts(read: readonly Omit<ProviderFacts, "calls">[], placing: ProviderFacts["ranges"]): { readonly starts: readonly bigint[]; readonly total: number } {
  const [first, ...others] = read.map(({ functions, ranges }) => {
    const { shift } = addressShift(placing, ranges);
    return new Set((functions ?? []).map(({ address }) => address + shift));
  });
  const common = [...(first ?? [])].filter((start) => others.every((starts) => starts.has(start))).sort((a, b) => (a < b ? -1 : 1));
  return { starts: common.slice(0, mostCallers), total: common.length };
}

/** Each is closed whatever the others do; the first that leaves something is told. */
async function closeAll(clients: readonly PrivateClient[]): Promise<void> {
  const closed = await Promise.allSettled(clients.map((client) => client.close()));
  for (const outcome of closed) if (outcome.status === "rejected") throw outcome.reason;
}

interface Counter {
  readonly add: (count: number) => void;
  /** For what a provider itself reports, such as the start of its engine. */
  progressOf(id: string): ProgressReporter;
}

/** One rising count of facts for all who read at the same time. */
function counter(progress: ProgressReporter): Counter {
  let facts = 0;
  const report = (message: string): void => progress.report({ phase: "compare_providers", completed: facts, message });
  return {
    add: (count) => {
      facts += count;
      report(`Read ${String(facts)} facts.`);
    },
    progressOf: (id) => ({ report: ({ message }) => report(`${id}: ${message}`) }),
  };
}
