import type { EndedRun, OwnedProcess } from "../owned-process.js";
import type { OwnershipProof, ProcessResource } from "../ownership.js";
import { within } from "../within.js";
import type { EndpointListener } from "./engine-endpoint.js";
import type { LineSocket } from "./line-socket.js";
import type { DirectoryResource, PrivateDirectory } from "./private-directory.js";

/** What an engine left behind, in the shape of `cleanup_incomplete`. */
export type EngineResource = ProcessResource | DirectoryResource;

/** How closing an engine came out. */
export interface EngineCloseOutcome {
  /** `unproven`: nothing is known to remain, and nothing proves that. */
  readonly state: "proven" | "unproven" | "incomplete";
  /** Null when no process had been started. */
  readonly ownership_proof: OwnershipProof | null;
  readonly ownership_reason?: string;
  readonly resources: readonly EngineResource[];
}

/** Time for an adapter that is still writing to see that it was aborted. */
const preparedWithinMs = 5_000;

/** Everything one engine holds on the host, and the one way to give it back. */
export class EngineHoldings {
  readonly #lifetime = new AbortController();
  directory: PrivateDirectory | null = null;
  listener: EndpointListener | null = null;
  socket: LineSocket | null = null;
  /** What may still be writing into the directory. */
  preparing: Promise<unknown> = Promise.resolve();
  starting: Promise<OwnedProcess> | null = null;
  /** What the engine needs beside it; ended after it. */
  readonly companions: OwnedProcess[] = [];
  #releasing: Promise<EngineCloseOutcome> | null = null;

  /** Aborted when the engine is to end; never by a caller that only waits for an answer. */
  get signal(): AbortSignal {
    return this.#lifetime.signal;
  }

  /** Ends the processes, then the connection, then the directory; single-flight. What an earlier end left is tried again. */
  async release(): Promise<EngineCloseOutcome> {
    const before = this.#releasing;
    if (before === null) return (this.#releasing = this.#release());
    const outcome = await before;
    if (outcome.state !== "incomplete") return outcome;
    // Only the first of several callers tries again.
    if (this.#releasing === before) this.#releasing = this.#release();
    return this.#releasing ?? outcome;
  }

  async #release(): Promise<EngineCloseOutcome> {
    this.listener?.close();
    this.#lifetime.abort();
    await within(this.preparing.catch(() => undefined), preparedWithinMs);
    const run = await this.starting?.catch(() => null);
    const ended = (await run?.close()) ?? null;
    this.socket?.destroy();
    // The engine may have connected before anybody waited for that.
    void this.listener?.connected.then((early) => early.destroy(), () => undefined);
    const beside = await Promise.all(this.companions.map((companion) => companion.close()));
    const left = (await this.directory?.remove()) ?? [];
    return outcomeOf(ended === null ? beside : [ended, ...beside], left);
  }
}

/** The worst state counts; its proof is told. */
function outcomeOf(ended: readonly EndedRun[], left: readonly DirectoryResource[]): EngineCloseOutcome {
  const reports = ended.map(({ cleanup }) => cleanup);
  const worst = (["incomplete", "unproven", "proven"] as const).flatMap((state) => reports.find((report) => report.state === state) ?? [])[0];
  return {
    state: left.length > 0 ? "incomplete" : (worst?.state ?? "proven"),
    ownership_proof: worst?.ownership_proof ?? null,
    ...(worst?.ownership_reason === undefined ? {} : { ownership_reason: worst.ownership_reason }),
    resources: [...reports.flatMap(({ resources }) => resources), ...left],
  };
}
