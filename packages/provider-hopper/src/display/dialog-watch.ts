import { setTimeout as sleep } from "node:timers/promises";
import { escapeUntrusted, truncateCodePoints, type ReaError } from "@rea/core";
import { startFailure } from "../launch/start-failure.js";
import { WindowWatch, type ShownWindow } from "./windows.js";
import type { XConnection } from "./x-connection.js";

const lookEveryMs = 500;

export interface DialogWatch {
  readonly connection: XConnection;
  /** How long a dialog may stay before it is taken for a question. */
  readonly patienceMs: number;
  /** Aborted when the engine is up or given up. */
  readonly signal: AbortSignal;
  readonly found: (error: ReaError) => void;
}

/**
 * Looks for a dialog that stays while Hopper starts: it waits for a person, and nobody has recorded for any build of Hopper
 * what it asks and where. Such a start ends at once, with what the dialog looks like, and never with a guessed answer.
 */
export async function watchForDialogs({ connection, patienceMs, signal, found }: DialogWatch): Promise<void> {
  const windows = new WindowWatch(connection);
  const since = new Map<number, number>();
  while (!signal.aborted) {
    // Null: the display is gone, of which the start itself learns elsewhere.
    const shown = await windows.shown().catch(() => null);
    if (shown === null) return;
    const dialogs = shown.filter(({ dialog }) => dialog);
    const now = performance.now();
    for (const id of since.keys()) if (!dialogs.some((each) => each.id === id)) since.delete(id);
    for (const { id } of dialogs) if (!since.has(id)) since.set(id, now);
    const waiting = dialogs.filter(({ id }) => now - (since.get(id) ?? now) >= patienceMs);
    if (waiting.length > 0) return found(startFailure("unsupported_build", { dialogs: waiting.slice(0, 16).map(described) }));
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Every window must be of a process that belongs to the engine; a program that does not say which is its own is let be. */
export async function foreignWindows(connection: XConnection, pids: ReadonlySet<number>): Promise<readonly ShownWindow[]> {
  const shown = await new WindowWatch(connection).shown();
  return shown.filter(({ pid }) => pid !== null && !pids.has(pid));
}

function described({ width, height, title }: ShownWindow): { readonly [key: string]: string | number } {
  return { width, height, title: escapeUntrusted(truncateCodePoints(title, 256).text) };
}
