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
    const left = (await this.directory?.remove()) ?? [];
    return outcomeOf(ended, left);
  }
}

function outcomeOf(ended: EndedRun | null, left: readonly DirectoryResource[]): EngineCloseOutcome {
  const cleanup = ended?.cleanup ?? null;
  const resources = [...(cleanup?.resources ?? []), ...left];
  const clean = cleanup === null ? "proven" : cleanup.state;
  return {
    state: left.length > 0 ? "incomplete" : clean,
    ownership_proof: cleanup?.ownership_proof ?? null,
    ...(cleanup?.ownership_reason === undefined ? {} : { ownership_reason: cleanup.ownership_reason }),
    resources,
  };
}
