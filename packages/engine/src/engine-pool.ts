import type { Target } from "@rea/provider";
import type { EngineThread } from "./engine-thread.js";
import { EngineWorker, type EngineWorkerOptions } from "./engine-worker.js";
import type { WorkerTarget } from "./worker/messages.js";

interface Entry {
  readonly worker: EngineWorker;
  holders: number;
}

/** A share of a target's worker. */
export interface EngineLease {
  readonly worker: EngineWorker;
  /** Safe to call twice. With `keep` an otherwise unused worker may stay for the next caller. */
  release(options: { readonly keep: boolean }): Promise<void>;
}

const maxIdle = 1;

/** Workers by target: whoever asks about the same bytes shares one image and one analysis. */
export class EnginePool {
  readonly #entries = new Map<string, Entry>();
  readonly #options: EngineWorkerOptions;
  #early: EngineThread | undefined;

  constructor(options: EngineWorkerOptions = {}) {
    this.#options = options;
  }

  /** Takes over a running thread for the next target. */
  adopt(thread: EngineThread): void {
    void this.#early?.worker.terminate();
    this.#early = thread;
  }

  acquire(target: Target): EngineLease {
    const key = keyOf(target);
    const entry = this.#entries.get(key) ?? this.#newEntry(target);
    entry.holders += 1;
    // Set anew, so that the map stays in order of use.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    let held = true;
    return {
      worker: entry.worker,
      release: async ({ keep }) => {
        if (!held) return;
        held = false;
        entry.holders -= 1;
        await this.#tidy(key, entry, keep);
      },
    };
  }

  /** Ends all workers that nobody holds, and a thread that no target came for. */
  async closeIdle(): Promise<void> {
    const early = this.#early;
    this.#early = undefined;
    await early?.worker.terminate();
    await this.#closeOldest(0);
  }

  #newEntry(target: Target): Entry {
    const early = this.#early;
    this.#early = undefined;
    return { worker: new EngineWorker(workerTarget(target), this.#options, early), holders: 0 };
  }

  async #tidy(key: string, entry: Entry, keep: boolean): Promise<void> {
    if (!keep && entry.holders === 0) {
      this.#entries.delete(key);
      await entry.worker.close();
    }
    await this.#closeOldest(maxIdle);
  }

  async #closeOldest(kept: number): Promise<void> {
    const idle = [...this.#entries].filter(([, { holders }]) => holders === 0);
    const surplus = idle.slice(0, Math.max(0, idle.length - kept));
    for (const [key] of surplus) this.#entries.delete(key);
    await Promise.all(surplus.map(([, { worker }]) => worker.close()));
  }
}

/** The pool that providers and the static port of one process share. */
export const sharedPool = new EnginePool();

/** Gives a running thread to the pool that the process shares: it serves the first target. */
export function adoptThread(thread: EngineThread): void {
  sharedPool.adopt(thread);
}

function workerTarget({ path, sha256, bytes, architecture, raw, available_architectures }: Target): WorkerTarget {
  return { path, sha256, bytes, architecture, raw, available_architectures };
}

function keyOf({ path, sha256, architecture, raw }: Target): string {
  return JSON.stringify([path, sha256, architecture, raw]);
}
