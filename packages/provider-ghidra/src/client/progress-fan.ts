import type { ProgressReporter } from "@rea/core";

interface Member {
  /** Tells this caller nothing more. */
  stop(): void;
  /** Rejects with what this caller's reporter threw; the others go on. */
  readonly refused: Promise<never>;
}

/** Tells all who wait for the same thing how far it is. */
export class ProgressFan {
  readonly #members = new Map<ProgressReporter, (error: unknown) => void>();

  readonly reporter: ProgressReporter = {
    report: (update) => {
      for (const [member, refuse] of this.#members) {
        try {
          member.report(update);
        } catch (error) {
          this.#members.delete(member);
          refuse(error);
        }
      }
    },
  };

  add(member: ProgressReporter): Member {
    // The same reporter may belong to several callers.
    const own: ProgressReporter = { report: (update) => member.report(update) };
    const refused = new Promise<never>((_, reject) => this.#members.set(own, reject));
    refused.catch(() => undefined);
    return { refused, stop: () => void this.#members.delete(own) };
  }
}
