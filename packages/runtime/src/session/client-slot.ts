import { isAbort, isReaError, ReaError, type JsonObject, type ProviderIdentity } from "@rea/core";
import type { AnalysisClient, ClientActivity, CloseOutcome } from "@rea/provider";
import { abortable } from "./admission.js";

type Remaining = CloseOutcome["remaining"];

/** The client of one binding: started at the first deep call, replaced after its death, closed once. */
export interface ClientSlot {
  /** The running client, starting one when there is none. Concurrent callers share the start. */
  get(signal: AbortSignal, operation: string): Promise<AnalysisClient>;
  /** Says how a call ended, so that a dead client is put away and the next call starts a fresh one. */
  failed(client: AnalysisClient, error: unknown): void;
  /** Code of the failure that ended the last client; null while none did since the last start. */
  readonly lastFailure: string | null;
  activity(): ClientActivity | null;
  /** Dated observations of the processes of every client so far; null when none had a process. */
  lineage(): readonly JsonObject[];
  /** Closes what was started. What could not be released stays and is retried by the next close. */
  close(): Promise<Remaining>;
}

export function createClientSlot(
  provider: ProviderIdentity,
  start: () => Promise<AnalysisClient>,
): ClientSlot {
  let starting: Promise<AnalysisClient> | null = null;
  let running: AnalysisClient | null = null;
  let lastFailure: string | null = null;
  const dead = new Set<AnalysisClient>();
  const past: JsonObject[] = [];
  let burials: Promise<unknown> = Promise.resolve();

  const retire = (client: AnalysisClient): void => {
    const observation = client.runtimeLineage();
    if (observation !== null) past.push(observation);
    dead.add(client);
    running = null;
    starting = null;
  };
  const closeDead = async (): Promise<Remaining> => {
    const left: Remaining[] = [];
    for (const client of [...dead]) {
      const remaining = await closeClient(client, provider.id);
      if (remaining.length === 0) dead.delete(client);
      else left.push(remaining);
    }
    return left.flat();
  };
  const begin = (): Promise<AnalysisClient> =>
    start().then(
      (client) => {
        running = client;
        lastFailure = null;
        return client;
      },
      (error: unknown) => {
        starting = null;
        const failure = startFailure(provider.id, error);
        lastFailure = failure.code;
        throw failure;
      },
    );

  return {
    get: (signal, operation) => {
      starting ??= begin();
      return abortable(starting, signal, operation);
    },
    failed: (client, error) => {
      if (client !== running || !hasEnded(client, error)) return;
      lastFailure = isReaError(error) ? error.code : "execution_failure";
      retire(client);
      // Nobody waits for it now; what remains is reported by the next close.
      burials = burials.then(closeDead);
    },
    get lastFailure() {
      return lastFailure;
    },
    activity: () => running?.activity() ?? null,
    lineage: () => {
      const now = running?.runtimeLineage() ?? null;
      return now === null ? past : [...past, now];
    },
    close: async () => {
      const pending = starting;
      if (pending !== null) await pending.catch(() => undefined);
      if (running !== null) retire(running);
      await burials;
      return closeDead();
    },
  };
}

/**
 * A client that knows whether its engine is there is believed; of another the error tells. While its engine starts for other
 * callers, one who was cancelled says nothing about it.
 */
function hasEnded(client: AnalysisClient, error: unknown): boolean {
  if (client.alive === undefined) return endsClient(error);
  if (isReaError(error) && aboutTheQuestion.has(error.code)) return false;
  return !client.alive() && client.activity().active === null;
}

/** Told before an engine is asked. */
const aboutTheQuestion: ReadonlySet<string> = new Set(["invalid_request", "capability_unavailable", "target_unavailable"]);

/** A refused question leaves the engine alive; a lost connection or an exception of the adapter does not. */
function endsClient(error: unknown): boolean {
  if (isAbort(error)) return false;
  if (!isReaError(error)) return true;
  if (error.code === "execution_failure") return true;
  return error.code === "provider_unavailable" && !isQueueFull(error.details);
}

function isQueueFull(details: object): boolean {
  return "reason" in details && details.reason === "queue_full";
}

function startFailure(providerId: string, error: unknown): ReaError {
  if (isReaError(error)) return error;
  return new ReaError("provider_unavailable", {
    message: `The provider ${providerId} could not start. Call binary_session, then call again.`,
    details: { provider_id: providerId, operation: "start", incident_id: globalThis.crypto.randomUUID() },
    cause: error,
  });
}

async function closeClient(client: AnalysisClient, providerId: string): Promise<Remaining> {
  try {
    return (await client.close()).remaining;
  } catch (error) {
    const code = isReaError(error) ? error.code : "execution_failure";
    return [{ kind: "process_group", detail: `the client of ${providerId} could not be closed (${code})` }];
  }
}
