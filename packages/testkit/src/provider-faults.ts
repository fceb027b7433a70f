import { deepOperations, silentProgress, type DeepOperationName } from "@rea/core";
import type { AnalysisClient, AnalysisProvider, ClientAnswer, Target } from "@rea/provider";
import { describe, expect, test } from "vitest";
import { EngineRoom, roomsAbsent } from "./provider-room.js";

/** One way in which an engine fails, and what its caller must see of it. */
export interface ProviderFault {
  /** What the engine does, as the end of a sentence: `connects and is silent`. */
  readonly name: string;
  /**
   * Makes the provider, installed and set up so that its engine fails this way. Its private directories have to be made in
   * `room.parent`.
   */
  readonly provider: (room: EngineRoom) => AnalysisProvider | Promise<AnalysisProvider>;
  readonly target: (room: EngineRoom) => Target | Promise<Target>;
  /** What `toMatchObject` has to find in the error; `null` when the call has to succeed all the same. */
  readonly error: object | null;
  /** Upper bound for the whole call: the deadline that applies and generous time to clean up. Default 60,000. */
  readonly withinMs?: number;
  /** Name of the directory in which private directories are made. */
  readonly roomName?: string;
  /** The question; default `list_segments`. */
  readonly operation?: DeepOperationName;
  readonly parameters?: object;
  /** What happens while the question waits: kill the engine, cancel the call. */
  readonly during?: (call: { readonly controller: AbortController; readonly client: AnalysisClient; readonly room: EngineRoom }) => void | Promise<void>;
  /** Why the case cannot be shown on this machine. */
  readonly absent?: string | undefined;
}

/**
 * The fault matrix of a provider that drives an engine of its own. Each case asks one question and sees the promised error
 * inside its deadline; then closes the client, which leaves nothing; then looks for processes, sockets and directories of
 * the engine, and finds none.
 */
export function testProviderFaults(providerName: string, faults: readonly ProviderFault[]): void {
  describe(`an engine of ${providerName} that`, () => {
    for (const fault of faults) {
      test(fault.name, { timeout: (fault.withinMs ?? 60_000) + 60_000 }, async (context) => {
        const absent = fault.absent ?? roomsAbsent;
        if (absent !== undefined) return context.skip(absent);
        const room = new EngineRoom(fault.roomName);
        try {
          await expectFault(fault, room);
        } finally {
          room.remove();
        }
      });
    }
  });
}

async function expectFault(fault: ProviderFault, room: EngineRoom): Promise<void> {
  const provider = await fault.provider(room);
  const target = await fault.target(room);
  const profile = await provider.resolveAnalysisProfile(target, { signal: new AbortController().signal });
  const clients: AnalysisClient[] = [];
  const started = performance.now();
  const asked = (async () => {
    // An engine that starts with its client fails there.
    const client = await provider.createClient(target, profile, { runId: "fault-matrix" });
    clients.push(client);
    return ask(client, fault, room);
  })();
  try {
    if (fault.error === null) await expect(asked).resolves.toBeTypeOf("object");
    else await expect(asked).rejects.toMatchObject(fault.error);
    expect(performance.now() - started).toBeLessThan(fault.withinMs ?? 60_000);
  } finally {
    for (const client of clients) expect(await client.close()).toEqual({ remaining: [] });
  }
  await room.expectNothingLeft();
}

async function ask(client: AnalysisClient, fault: ProviderFault, room: EngineRoom): Promise<ClientAnswer> {
  const operation = fault.operation ?? "list_segments";
  const controller = new AbortController();
  const params = deepOperations[operation].params.parse(fault.parameters ?? {});
  const asked = client.execute(operation, params, { signal: controller.signal, progress: silentProgress });
  const [answer, meanwhile] = await Promise.allSettled([asked, fault.during?.({ controller, client, room })]);
  // What the test itself did wrong is told first.
  if (meanwhile.status === "rejected") throw new Error("What was to happen meanwhile did not.", { cause: meanwhile.reason });
  if (answer.status === "rejected") throw answer.reason;
  return answer.value;
}
