import type { FilesystemEffect, Omission } from "@rea/core";
import { checkpointRoots, filesystemEffects, snapshotOmissions, type ShowPath } from "../filesystem/effects.js";
import { takeSnapshot, type Snapshot, type SnapshotLimits } from "../filesystem/snapshot.js";
import type { Recording } from "./recording.js";

export interface FileObserverOptions {
  readonly roots: readonly string[];
  readonly own: string;
  readonly limits: SnapshotLimits;
  readonly show: ShowPath;
  readonly signal: AbortSignal;
}

/** The observed directories, looked at before the program, at its checkpoints, and after it. */
export class FileObserver {
  readonly #options: FileObserverOptions;
  #first: Snapshot | null = null;
  #last: Snapshot | null = null;

  constructor(options: FileObserverOptions) {
    this.#options = options;
  }

  /** Digest of what each root held before the program; null where nothing was seen. */
  firstDigests(recording: Recording): readonly (string | null)[] {
    return recording.filesystem[0]?.roots.map(({ sha256 }) => sha256) ?? [];
  }

  async look(name: string, recording: Recording): Promise<void> {
    const { roots, show } = this.#options;
    if (roots.length === 0) return;
    const snapshot = await takeSnapshot({ ...this.#options, previous: this.#last });
    this.#first ??= snapshot;
    this.#last = snapshot;
    recording.journal.push("filesystem_checkpoints", recording.filesystem, { at_ms: recording.now(), name, roots: checkpointRoots(snapshot, show) });
  }

  /** Between the first and the last look. */
  effects(): { readonly effects: FilesystemEffect[]; readonly unchanged: number } {
    if (this.#first === null || this.#last === null || this.#first === this.#last) return { effects: [], unchanged: 0 };
    return filesystemEffects(this.#first, this.#last, this.#options.show);
  }

  omissions(): Omission[] {
    const seen = new Map<string, Omission>();
    for (const snapshot of [this.#first, this.#last]) {
      for (const each of snapshot === null ? [] : snapshotOmissions(snapshot, this.#options.limits)) seen.set(`${each.scope}/${each.reason}`, each);
    }
    return [...seen.values()];
  }
}
