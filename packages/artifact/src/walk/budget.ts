import { omission, type Omission } from "@rea/core";
import type { ArtifactLimits } from "../limits.js";

/** What a whole walk may still use. */
export class Budget {
  readonly limits: ArtifactLimits;
  #entries = 0;
  #bytes = 0;
  #passed = 0;
  #stop: Omission | undefined;

  constructor(limits: ArtifactLimits) {
    this.limits = limits;
  }

  /** Set once a bound has ended the walk. */
  get stopped(): Omission | undefined {
    return this.#stop;
  }

  /** Bytes measured so far, those of the artifact itself among them: what progress is told by. */
  get passedBytes(): number {
    return this.#passed;
  }

  /** False when one more entry is one too many; that ends the walk. */
  admitEntry(): boolean {
    if (this.#stop !== undefined) return false;
    if (this.#entries < this.limits.maxEntries) {
      this.#entries += 1;
      return true;
    }
    this.#stop = omission("Members behind the bound on entries were not looked at.", "limit_entries", {
      limit: this.limits.maxEntries,
      how_to_continue: "Call again with a greater limits.max_entries, or inspect an inner container by itself.",
    });
    return false;
  }

  /** Bytes that may be read before the total is used up. */
  get bytesLeft(): number {
    return this.limits.maxTotalBytes - this.#bytes;
  }

  /** `bounded` is false for bytes that no bound on members concerns. */
  spend(bytes: number, bounded: boolean): void {
    this.#passed += bytes;
    if (bounded) this.#bytes += bytes;
  }

  /** Ends the walk because the total of bytes is used up. */
  endOfBytes(): Omission {
    this.#stop ??= omission("Contents behind the bound on all bytes were not read.", "limit_total_bytes", {
      limit: this.limits.maxTotalBytes,
      how_to_continue: "Call again with a greater limits.max_total_bytes.",
    });
    return this.#stop;
  }
}
